import type { Payback } from '../model/cost.ts';
import type { Spent } from '../model/record.ts';
import type { World } from './ports.ts';
import type { State } from './state.ts';
import type { Candidate } from './trial.ts';

/** What a compaction that was carried out costs and saves. */
export function paybackOf(
  state: State,
  { candidate, calls, usage }: { readonly candidate: Candidate } & Spent,
  { costs }: World,
): Payback | undefined {
  const { sizes } = state;
  const { plan } = candidate.rung;
  const before = sizes.request;
  const after = candidate.state.sizes.request;
  let unchanged = sizes.fixed;
  for (let index = 0; index < plan.anchor; index += 1) {
    if (state.view.entries[index]?.message.role !== 'system') unchanged += sizes.messages[index] ?? 0;
  }
  // Not every summarizer tells what it used.
  const summarizerInput = calls === 0 ? 0 : usage.inputTokens || plan.tokens.head;
  const summary = calls === 0 ? 0 : usage.outputTokens || Math.max(after - plan.tokens.fixed - plan.tokens.tail, 0);
  return costs?.({ before, after, unchanged: Math.min(unchanged, before, after), summarizerInput, summary });
}
