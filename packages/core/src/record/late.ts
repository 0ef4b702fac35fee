import type { Finding } from '../model/finding.ts';
import type { CompactionRecord } from '../model/record.ts';
import { isCommitted } from './active.ts';
import { breaksTurn, type LateMessage, strandsSteps, withoutThinking } from './bound.ts';

/**
 * Records as they may be published now that further messages stand behind them: thinking that was bound to the old view
 * is left out (A12). `undefined` where a turn with such thinking is under way, which can neither keep it nor do without (A10):
 * its own, or that of earlier steps which the records cover.
 */
export function withLateMessages(
  records: readonly CompactionRecord[],
  late: readonly LateMessage[],
): readonly CompactionRecord[] | undefined {
  const committed = records.filter(isCommitted);
  if (committed.some((record) => strandsSteps(record, late))) return undefined;
  const edits = late.flatMap(withoutThinking);
  if (edits.length === 0 || committed.length === 0) return records;
  if (breaksTurn(late, edits)) return undefined;
  const count = new Set(edits.map(({ messageId }) => messageId)).size;
  const finding: Finding = {
    code: 'reasoning-dropped',
    detail: `thinking of ${count} later messages is bound to what went`,
  };
  // Each of them: where one is undone the others still stand in front.
  return records.map((record) =>
    isCommitted(record)
      ? { ...record, edits: [...record.edits, ...edits], findings: [...record.findings, finding] }
      : record,
  );
}
