import { CompactionError } from '../model/errors.ts';
import type { Reuse } from '../model/policy.ts';
import type { LogRecord, RecordedEdit } from '../model/record.ts';
import { isBound, type ViewEntry } from '../model/view.ts';
import { breaksTurn, withoutThinking } from './late.ts';
import { type Branch, project } from './project.ts';

/** A branch and its log, as records are about to be added. */
export type Known = { readonly branch: Branch; readonly records: readonly LogRecord[]; readonly reuse?: Reuse };

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
  if (breaksTurn(all, edits)) {
    throw new CompactionError(
      'bound-reasoning',
      'The turn under way is bound to the view by its thinking; let it end.',
    );
  }
  const last = edits.length === 0 ? -1 : placed.length - 1;
  return placed.map((record, at) => (at === last ? { ...record, edits: [...(record.edits ?? []), ...edits] } : record));
}

/** Edits for all bound thinking of a view whose front is not as it was when it was written. */
function strayThinking({ branch, records, reuse }: Known): readonly RecordedEdit[] {
  const { messages, ids } = branch;
  const tips = tipsOf(ids, records);
  const now = project(branch, records, reuse).entries;
  const edits: RecordedEdit[] = [];
  let [then, known, same]: [readonly ViewEntry[], number, number] = [now, -1, 0];
  now.forEach((entry, at) => {
    const { source = -1, message } = entry;
    if (!isBound(entry)) return;
    // Records that were made when the message was not there yet.
    const made = tips.filter((tip) => tip < source).length;
    if (made !== known) {
      known = made;
      then = project(branch, records.slice(0, made), reuse).entries;
      same = now.findIndex((entry, index) => !isSame(entry, then[index]));
    }
    // Without the thinking in front of it, thinking stands behind something else too.
    const isAsWritten = edits.length === 0 && then[at]?.source === source && (same < 0 || at <= same);
    if (!isAsWritten) edits.push(...withoutThinking({ id: ids[source] ?? '', message: messages[source] ?? message }));
  });
  return edits;
}

/** Where the newest message was when each record was made; one that does not say stands with the one before it. */
function tipsOf(ids: readonly string[], records: readonly LogRecord[]): readonly number[] {
  let newest = -1;
  return records.map(({ tipId = '' }) => {
    newest = Math.max(newest, ids.indexOf(tipId));
    return newest;
  });
}

function isSame({ message }: ViewEntry, other: ViewEntry | undefined): boolean {
  if (message === other?.message) return true;
  return JSON.stringify(message.native) === JSON.stringify(other?.message.native);
}
