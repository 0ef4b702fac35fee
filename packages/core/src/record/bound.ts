import { CompactionError } from '../model/errors.ts';
import type { Message } from '../model/message.ts';
import type { Reuse } from '../model/policy.ts';
import type { CompactionRecord, LogRecord, RecordedEdit } from '../model/record.ts';
import { beginsTurn, isBound, isFixed, isReply, type ViewEntry } from '../model/view.ts';
import { activeRecords } from './active.ts';
import { type Branch, project } from './project.ts';

/** A message that came after a compaction had read the conversation and before its records are published. */
export type LateMessage = { readonly id: string; readonly message: Message };

/** A branch and its log, as records are about to be added. */
export type Known = {
  readonly branch: Branch;
  readonly records: readonly LogRecord[];
  readonly reuse?: Reuse;
  /** Whether the last turn is known to be over, though its answer is not among the messages yet. @default false */
  readonly hasEnded?: boolean;
};

/**
 * Records that take something back, as they may be added: the last of them leaves out thinking that would stand behind
 * another view than it was written behind (A12). Throws where a turn under way can neither keep it nor do without (A10).
 */
export function leavingBound<R extends LogRecord>(added: readonly R[], known: Known): readonly R[] {
  const { ids, messages } = known.branch;
  const tipId = ids.at(-1);
  if (tipId === undefined) return added;
  const placed = added.map((record) => ({ ...record, tipId }));
  const edits = strayThinking({ ...known, records: [...known.records, ...placed] });
  const all = messages.map((message, at) => ({ message, id: ids[at] ?? '' }));
  const standing = activeRecords(ids, [...known.records, ...placed], known.reuse ?? 'strict');
  const strands = standing.some(({ record }) =>
    strandsSteps(record, all.slice(ids.indexOf(record.tipId ?? tipId) + 1)),
  );
  if (!known.hasEnded && (strands || breaksTurn(all, edits))) {
    throw new CompactionError('bound-reasoning', 'The turn under way is bound to this view; let it end first.');
  }
  const last = edits.length === 0 ? -1 : placed.length - 1;
  return placed.map((record, at) => (at === last ? { ...record, edits: [...(record.edits ?? []), ...edits] } : record));
}

/** Edits for all bound thinking of a view whose front is not as it was when it was written. */
function strayThinking({ branch, records, reuse }: Known): readonly RecordedEdit[] {
  const { messages, ids } = branch;
  const tips = records.map(({ tipId = '' }) => ids.indexOf(tipId));
  const now = project(branch, records, reuse).entries;
  let then = now;
  let known = -1;
  let same = 0;
  const first = now.findIndex((entry, at) => {
    if (!isBound(entry)) return false;
    const { source = -1 } = entry;
    // So many records were made before the message came; one that does not say when stands with the one before it.
    const made = tips.findIndex((tip) => tip >= source);
    if (made !== known) {
      known = made;
      then = project(branch, records.slice(0, made), reuse).entries;
      same = then.findIndex((earlier, index) => !isSame(earlier, now[index]));
    }
    return then[at]?.source !== source || (same >= 0 && at > same);
  });
  if (first < 0) return [];
  // Without the thinking in front of it, thinking stands behind something else too.
  const stray = now.slice(first).filter(isBound);
  return stray.flatMap(({ source = -1, message }) =>
    withoutThinking({ id: ids[source] ?? '', message: messages[source] ?? message }),
  );
}

function isSame({ message }: ViewEntry, other: ViewEntry | undefined): boolean {
  return message === other?.message || JSON.stringify(message.native) === JSON.stringify(other?.message.native);
}

/** Edits that leave bound thinking out. */
export function withoutThinking({ id: messageId, message }: LateMessage): readonly RecordedEdit[] {
  return message.parts.flatMap((part, index) =>
    part.kind === 'reasoning' && part.bound ? [{ messageId, part: index, text: null }] : [],
  );
}

/**
 * Whether what came after a record are further steps of a turn under way whose thinking it covers: in front of them there
 * would be none (A10).
 */
export function strandsSteps({ coversBoundLoop }: CompactionRecord, late: readonly LateMessage[]): boolean {
  const last = late.findLast((entry) => !isFixed(entry));
  if (!coversBoundLoop || last === undefined || isReply(last) || late.some(beginsTurn)) return false;
  const step = late.find(({ message }) => message.role === 'assistant');
  return step !== undefined && !isBound(step);
}

/** Whether the messages end with a turn under way that these edits touch. */
export function breaksTurn(messages: readonly LateMessage[], edits: readonly RecordedEdit[]): boolean {
  const last = messages.findLast((entry) => !isFixed(entry));
  if (last === undefined || isReply(last)) return false;
  const turn = messages.slice(messages.findLastIndex(beginsTurn) + 1);
  return turn.some(({ id }) => edits.some(({ messageId }) => messageId === id));
}
