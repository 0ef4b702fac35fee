import type { BranchOutcome } from '@epitome/store';

/** How a background compaction ended, in words. */
export function endSentence(end: BranchOutcome | 'gone'): string {
  if (end === 'gone') return 'the conversation was forgotten, nothing to do';
  const { outcome, publication } = end;
  const { status, reason, tokens, degraded } = outcome;
  if (publication?.kind === 'superseded') return 'another compaction came first, this one is kept and not shown';
  switch (status) {
    case 'compressed':
    case 'truncated':
      return `${tokens.before} → ${tokens.after} tokens${degraded ? ', without the model' : ''}`;
    case 'noop':
      return `nothing to do (${reason})`;
    case 'failed-inflated':
    case 'failed-token-count':
    case 'failed-empty-summary':
      return `${status} (${reason}), the view is as it was`;
    default:
      return status satisfies never;
  }
}
