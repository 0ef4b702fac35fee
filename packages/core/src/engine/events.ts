import type { Decision } from '../model/decision.ts';
import type { Outcome } from './outcome.ts';

/** What happens while a compaction runs. Every start has exactly one end; what is not due has neither. */
export type CompactionEvent =
  | { readonly kind: 'compaction-start'; readonly decision: Decision }
  | { readonly kind: 'compaction-end'; readonly outcome: Outcome }
  | { readonly kind: 'compaction-end'; readonly aborted: true };

/** Runs a compaction between its two events. */
export async function announced(
  decision: Decision,
  onEvent: (event: CompactionEvent) => void,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  onEvent({ kind: 'compaction-start', decision });
  let end: CompactionEvent = { kind: 'compaction-end', aborted: true };
  try {
    const outcome = await run();
    end = { kind: 'compaction-end', outcome };
    return outcome;
  } finally {
    onEvent(end);
  }
}
