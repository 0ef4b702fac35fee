import type { CompactionRecord, LogRecord } from '../model/record.ts';
import { isCommitted, undoneIds } from './active.ts';

/** What the log says about earlier attempts. */
export type Past = {
  /** When the last attempt was made, whatever came of it. */
  readonly lastAt?: number;
  /** Newest message there was at the last attempt, in the source and in the view it made. */
  readonly lastTips: readonly string[];
  /** Newest message there was at the last success, likewise. */
  readonly committedTips: readonly string[];
  /** Request tokens at an automatic failure that nothing has cleared since. */
  readonly latchedAt?: number;
};

/** What the log says, newest attempt first. */
export function pastOf(records: readonly LogRecord[]): Past {
  const attempts = records.filter((record) => record.kind === 'compaction');
  const last = attempts.at(-1);
  if (last === undefined) return { lastTips: [], committedTips: [] };
  const undone = undoneIds(records);
  const committed = attempts.findLast((record) => isCommitted(record) && !undone.has(record.id));
  const failure = latchingFailure(attempts);
  return {
    lastAt: last.at,
    lastTips: tipsOf(last),
    committedTips: tipsOf(committed),
    ...(failure === undefined ? {} : { latchedAt: failure.tokens.after }),
  };
}

function tipsOf(record: CompactionRecord | undefined): readonly string[] {
  return [record?.tipId, record?.viewTipId].filter((id) => id !== undefined);
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
