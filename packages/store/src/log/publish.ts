import type { CompactionRecord, LogRecord } from 'epitome';
import { isCommitted } from 'epitome/record';
import type { BranchRef, Publication, RecordDetails, Snapshot } from '../model/port.ts';
import type { MessageHead, NewRecordRow, Place, Rows } from '../model/rows.ts';
import { BEGUN, EMPTY } from './lineage.ts';
import { cutOut, holds, placeOf, spansOf } from './path.ts';
import { type BranchState, findConversation, readBranch, snapshotOf, unknown } from './reading.ts';

/** Records with what they were computed from. */
export type Publishing = {
  readonly snapshot: Snapshot;
  readonly records: readonly LogRecord[];
  readonly details?: RecordDetails;
};

/** Appends records by compare-and-swap (law 30): messages that came meanwhile do not matter, another record does. */
export async function publish(rows: Rows, ref: BranchRef, input: Publishing): Promise<Publication> {
  const state = await readBranch(rows, ref, 'lock');
  const { branch, conversation } = state;
  const isKnown = input.records.every(({ id }) => isPublished(state, id));
  if (isKnown && input.records.length > 0) return { kind: 'published', version: branch.version };
  const changesView = input.records.some(isChange);
  // Tips only move forward, so the messages a snapshot was read from are still there.
  const isCurrent = branch.version === input.snapshot.version && branch.name === input.snapshot.branch;
  for (const record of input.records) {
    const row = await rowOf(rows, state, { record, details: input.details ?? {} });
    const isLate = !isCurrent && isChange(record);
    await rows.addRecord(conversation.key, isLate ? { ...row, state: 'superseded' } : row);
  }
  if (!changesView) return { kind: 'published', version: branch.version };
  if (!isCurrent) return { kind: 'superseded', version: branch.version };
  await rows.putBranch(conversation.key, { ...branch, version: branch.version + 1 });
  return { kind: 'published', version: branch.version + 1 };
}

/** Notes that a compaction began. */
export async function begin(
  rows: Rows,
  ref: BranchRef,
  { id, at }: { readonly id: string; readonly at: number },
): Promise<Snapshot> {
  const { conversation, branch } = await readBranch(rows, ref, 'lock');
  const parent = branch.tip === null ? null : placeOf(branch);
  const { covers: _covers, ...body } = { ...EMPTY, id, at, reason: BEGUN, status: 'noop', covers: [], ...UNCHANGED };
  const row = { ...NOTHING, id, branch: branch.name, parent, body: JSON.stringify(body) };
  await rows.addRecord(conversation.key, { ...row, state: 'started' });
  return snapshotOf(branch);
}

const UNCHANGED = { replaces: [], edits: [] } as const;

/** Ends what was begun and came to nothing. */
export async function abandon(
  rows: Rows,
  conversation: string,
  { id, reason }: { readonly id: string; readonly reason: string | undefined },
): Promise<void> {
  const { key } = await findConversation(rows, conversation);
  const [row] = await rows.recordRows(key, [id]);
  if (row === undefined) throw unknown('record', id);
  if (row.state !== 'started') return;
  const details: RecordDetails = reason === undefined ? {} : { error: reason };
  await rows.addRecord(key, { ...row, state: 'failed', details: JSON.stringify(details) });
}

/** The row of a record. */
export async function rowOf(
  rows: Rows,
  state: BranchState,
  { record, details }: { record: LogRecord; details: object },
): Promise<NewRecordRow> {
  const { conversation, branch, path } = state;
  const common = { ...NOTHING, id: record.id, branch: branch.name, details: JSON.stringify(details) };
  if (record.kind === 'undo') {
    const parent = await newestUserPlace(rows, state);
    return { ...common, kind: record.kind, undoes: record.undoes, parent, body: JSON.stringify(record) };
  }
  const { covers, ...body } = record;
  const ids = [parentOf(record), record.lastSummarizedId, record.anchorId, ...covers].filter((id) => id !== undefined);
  const heads = new Map((await rows.heads(conversation.key, ids)).map((head) => [head.id, head]));
  const find = (id: string | undefined): MessageHead | null => {
    if (id === undefined) return null;
    const head = heads.get(id);
    if (head === undefined || (isCommitted(record) && !holds(path, head))) throw unknown('message', id);
    return head;
  };
  return {
    ...common,
    state: isCommitted(record) ? 'completed' : 'failed',
    parent: placeIn(find(parentOf(record))),
    cutoff: placeIn(find(record.lastSummarizedId)),
    anchor: placeIn(find(record.anchorId)),
    replaces: record.replaces,
    covers: spansOf(covers.flatMap((id) => find(id)?.depth ?? [])),
    hasEdits: record.edits.length > 0,
    body: JSON.stringify(body),
  };
}

const STRETCH = 64;

/**
 * Where an undo stands: at the newest user message, like a summary, so that an answer that is asked for again does not
 * bring back what was undone, and a branch that left earlier does not see it.
 */
async function newestUserPlace(rows: Rows, { conversation, branch, path }: BranchState): Promise<Place | null> {
  for (let last = branch.depth; last >= 0; last -= STRETCH) {
    const heads = await rows.headsIn(conversation.key, cutOut(path, [[Math.max(0, last - STRETCH + 1), last]]));
    const found = heads.findLast(({ role }) => role === 'user');
    if (found !== undefined) return placeIn(found);
  }
  return branch.tip === null ? null : placeOf(branch);
}

const NOTHING: NewRecordRow = {
  id: '',
  kind: 'compaction',
  state: 'completed',
  branch: '',
  parent: null,
  cutoff: null,
  anchor: null,
  undoes: null,
  replaces: [],
  covers: [],
  hasEdits: false,
  body: '{}',
  details: '{}',
};

function placeIn(head: MessageHead | null): Place | null {
  return head === null ? null : { segment: head.segment, depth: head.depth };
}

/** An attempt that changed nothing stands where the branch ended. */
function parentOf(record: CompactionRecord): string | undefined {
  return record.parentId ?? (isCommitted(record) ? undefined : record.tipId);
}

function isChange(record: LogRecord): boolean {
  return record.kind === 'undo' || isCommitted(record);
}

function isPublished({ heads }: BranchState, id: string): boolean {
  return heads.some((head) => head.id === id && (head.state === 'completed' || head.state === 'failed'));
}
