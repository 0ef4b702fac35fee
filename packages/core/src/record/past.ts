import type { Settled } from '../model/decision.ts';
import type { CompactionRecord, LogRecord } from '../model/record.ts';
import { isCommitted, undoneIds } from './active.ts';

/** What the log says about earlier attempts. */
export type Past = {
  /** The last attempt: where the conversation stood then. */
  readonly last?: CompactionRecord;
  /** How the last attempt left the request, where it was no failure. */
  readonly settled?: Settled;
  /** History tokens at an automatic failure that nothing has cleared since. */
  readonly latchedAt?: number;
};

/** What the log says, newest attempt first. */
export function pastOf(records: readonly LogRecord[]): Past {
  const attempts = records.filter((record) => record.kind === 'compaction');
  const last = attempts.at(-1);
  if (last === undefined) return {};
  const settled = settledBy(last, undoneIds(records).has(last.id));
  const failure = latchingFailure(attempts);
  return {
    last,
    ...(settled === undefined ? {} : { settled }),
    ...(failure === undefined ? {} : { latchedAt: failure.tokens.after - failure.tokens.fixed }),
  };
}

function settledBy(last: CompactionRecord, isUndone: boolean): Settled | undefined {
  if (isUndone) return { by: 'undo', tokens: last.tokens.before };
  if (isCommitted(last)) return { by: 'success', tokens: last.tokens.after };
  return last.status === 'noop' ? { by: 'noop', tokens: last.tokens.after } : undefined;
}

/** A success clears the latch; a forced failure neither sets nor clears it. */
function latchingFailure(attempts: readonly CompactionRecord[]): CompactionRecord | undefined {
  for (const record of [...attempts].reverse()) {
    // A noop that cost model calls failed like any other attempt: its result could not be used.
    if (record.status === 'noop' && record.calls === 0) continue;
    const hasFailed = !isCommitted(record) || record.degraded;
    if (!hasFailed) return undefined;
    if (record.cause !== 'manual') return record;
  }
  return undefined;
}
