import { formatNamed, type LogRecord } from 'epitome';
import { type LateMessage, withLateMessages } from 'epitome/record';
import type { Snapshot } from '../model/port.ts';
import type { Rows } from '../model/rows.ts';
import { cutOut } from './path.ts';
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
    placed.push(...own);
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
