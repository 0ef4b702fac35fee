import type { Finding } from '../model/finding.ts';
import type { Message } from '../model/message.ts';
import type { CompactionRecord, RecordedEdit } from '../model/record.ts';
import { isFixed, isPrompt, isReply } from '../model/view.ts';
import { isCommitted } from './active.ts';

/** A message that came after a compaction had read the conversation and before its records are published. */
export type LateMessage = { readonly id: string; readonly message: Message };

/**
 * Records as they may be published now that further messages stand behind them: thinking that was bound to the old view
 * is left out (A12). `undefined` where a turn with such thinking is under way, which can neither keep it nor do without (A10).
 */
export function withLateMessages(
  records: readonly CompactionRecord[],
  late: readonly LateMessage[],
): readonly CompactionRecord[] | undefined {
  const edits = late.flatMap(withoutThinking);
  if (edits.length === 0 || !records.some(isCommitted)) return records;
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

/** Edits that leave bound thinking out. */
export function withoutThinking({ id: messageId, message }: LateMessage): readonly RecordedEdit[] {
  return message.parts.flatMap((part, index) =>
    part.kind === 'reasoning' && part.bound ? [{ messageId, part: index, text: null }] : [],
  );
}

/** Whether the messages end with a turn under way that these edits touch. */
export function breaksTurn(messages: readonly LateMessage[], edits: readonly RecordedEdit[]): boolean {
  const last = messages.findLast((entry) => !isFixed(entry));
  if (last === undefined || isReply(last)) return false;
  const turn = messages.slice(messages.findLastIndex(isPrompt) + 1);
  return turn.some(({ id }) => edits.some(({ messageId }) => messageId === id));
}
