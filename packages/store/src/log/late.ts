import { formatNamed, type LogRecord, type Message } from 'epitome';
import { type LateMessage, strandsSteps, withLateMessages } from 'epitome/record';
import type { Snapshot } from '../model/port.ts';
import type { Rows } from '../model/rows.ts';
import { branchPaths } from './conversations.ts';
import { cutOut, holds } from './path.ts';
import type { BranchState } from './reading.ts';

/** Records, and the snapshot they were computed from. */
type Computed = { readonly snapshot: Snapshot; readonly records: readonly LogRecord[] };

/**
 * Records as they may stand behind what came since their snapshot: thinking written meanwhile is left out. `undefined` where a turn
 * under way forbids that.
 */
export async function behindLate(
  rows: Rows,
  state: BranchState,
  { snapshot, records }: Computed,
): Promise<readonly LogRecord[] | undefined> {
  const late = await lateMessages(rows, state, snapshot);
  const placed: LogRecord[] = [];
  for (const record of records) {
    const own = record.kind === 'undo' ? [record] : withLateMessages([record], unsaid(late, record));
    if (own === undefined) return undefined;
    for (const each of own) placed.push(each);
  }
  return placed;
}

async function lateMessages(
  rows: Rows,
  { conversation: { key, format }, branch, path }: BranchState,
  { tip }: Snapshot,
): Promise<readonly LateMessage[]> {
  if (tip === undefined || tip === branch.tip) return [];
  const [head] = await rows.heads(key, [tip]);
  if (head === undefined) return [];
  const { decode } = formatNamed(format);
  const stored = await rows.messagesIn(key, cutOut(path, [[head.depth + 1, branch.depth]]));
  return stored.map(({ id, native }) => ({ id, message: decode(JSON.parse(native), []) }));
}

/** Without what the caller left out already. */
function unsaid(late: readonly LateMessage[], { edits }: Extract<LogRecord, { kind: 'compaction' }>): typeof late {
  const said = new Set(edits.map(({ messageId }) => messageId));
  return said.size === 0 ? late : late.filter(({ id }) => !said.has(id));
}

/**
 * Whether another branch that these records would reach went on with thinking of its own, which is bound to the view there as it
 * is, or with steps that need thinking which they cover.
 */
export async function bindsOthers(rows: Rows, state: BranchState, records: readonly LogRecord[]): Promise<boolean> {
  const { conversation, branch, path: own } = state;
  const { key, format } = conversation;
  const parents = records.flatMap((record) => (record.kind === 'undo' ? [] : (record.parentId ?? [])));
  const [first] = [...(await rows.heads(key, parents))].sort((a, b) => a.depth - b.depth);
  if (first === undefined) return false;
  const { decode } = formatNamed(format);
  for (const { branch: other, path } of await branchPaths(rows, key)) {
    if (other.name === branch.name || !holds(path, first)) continue;
    const behind = await rows.messagesIn(key, cutOut(path, [[first.depth + 1, other.depth]]));
    const theirs = behind
      .filter((row) => !holds(own, row))
      .map(({ id, native }) => ({ id, message: decode(JSON.parse(native), []) }));
    if (theirs.some(({ message }) => isThinking(message))) return true;
    if (records.some((record) => record.kind === 'compaction' && strandsSteps(record, theirs))) return true;
  }
  return false;
}

function isThinking({ parts }: Message): boolean {
  return parts.some((part) => part.kind === 'reasoning' && part.bound);
}
