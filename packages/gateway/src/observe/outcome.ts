import type { CompactionNews } from '../model/report.ts';

/** What became of a compaction, in the words proposed for spans. */
type SpanOutcome = 'committed' | 'noop' | 'rejected' | 'superseded' | 'failed';

/** The word for a compaction that has ended. */
export function outcomeOf({ outcome, published }: CompactionNews): SpanOutcome {
  if (published === 'superseded') return 'superseded';
  switch (outcome.status) {
    case 'compressed':
    case 'truncated':
      return published === 'published' ? 'committed' : 'noop';
    case 'noop':
      return 'noop';
    case 'failed-inflated':
    case 'failed-empty-summary':
      return 'rejected';
    case 'failed-token-count':
      return 'failed';
    default:
      return outcome.status satisfies never;
  }
}
