import type { Finding } from '../model/finding.ts';
import type { Outcome } from './outcome.ts';

/**
 * Two compactions of one call as one: whoever keeps the log appends the records of both. One that failed is recorded like
 * any other; what was reached before it stands.
 */
export function joined(before: Outcome, next: Outcome): Outcome {
  const records = [...before.records, ...next.records];
  const isMissed = ({ code }: Finding): boolean => code === 'unshrinkable';
  if (next.counts.compressed === 0) {
    // The view stands as it was: which limits it misses was told where it was made.
    const news = before.findings.some(isMissed) ? next.findings.filter((each) => !isMissed(each)) : next.findings;
    return { ...before, records, findings: [...before.findings, ...news] };
  }
  // A limit that one missed the next may meet: each says so itself.
  const known = before.findings.filter((each) => !isMissed(each));
  const { decision } = before;
  const whole = before.counts.before;
  const compressed = Math.min(before.counts.compressed + next.counts.compressed, whole);
  return {
    ...next,
    decision,
    reason: decision.reason,
    records,
    findings: [...known, ...next.findings],
    tokens: { ...next.tokens, before: before.tokens.before },
    counts: { ...next.counts, before: whole, compressed, preserved: whole - compressed },
    // Law 37: calls that came to nothing were a fault, even where a later run did without them.
    degraded:
      before.degraded || next.degraded || before.records.some(({ calls, covers }) => calls > 0 && covers.length === 0),
  };
}
