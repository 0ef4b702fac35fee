import type { CompactionRecord, LogRecord, UndoRecord } from 'epitome';
import { isCommitted } from 'epitome/record';
import type { BranchRef, Publication, RecordDetails, Snapshot } from '../model/port.ts';
import type { MessageHead, NewRecordRow, Place, RecordScope, Rows } from '../model/rows.ts';
import { behindLate, bindsOthers } from './late.ts';
import { BEGUN, EMPTY, isSettled, scopeOn } from './lineage.ts';
import { holds, placeOf, spansOf } from './path.ts';
import { type BranchState, findConversation, isSameView, readBranch, snapshotOf, unknown } from './reading.ts';

/** Records with what they were computed from. */
export type Publishing = {
  readonly snapshot: Snapshot;
  readonly records: readonly LogRecord[];
  readonly details?: RecordDetails;
};

/**
 * Appends records by compare-and-swap (law 30): messages that came meanwhile stand behind them (law 29), another record forbids
 * them, whichever branch it was made on. One writer of records at a time in the whole conversation: a record may reach any
 * branch of it.
 */
export async function publish(rows: Rows, ref: BranchRef, input: Publishing): Promise<Publication> {
  const state = await readBranch(rows, ref, 'records');
  const { snapshot, records } = input;
  const now = snapshotOf(state, snapshot.reuse);
  const { version } = now;
  const isKnown = records.every(({ id }) => isPublished(state, id));
  if (isKnown && records.length > 0) return { kind: 'published', version };
  if (!(await isStillOn(rows, state, snapshot))) return superseded(rows, state, { version, records });
  // Tips only move forward, so the messages a snapshot was read from are still there.
  const isCurrent = isSameView(now, snapshot);
  const changes = records.filter(isChange);
  const placed = isCurrent && changes.length > 0 ? await behindLate(rows, state, input) : records;
  if (placed === undefined) return { kind: 'bound', version };
  const scope = changes.length > 0 && (await bindsOthers(rows, state, changes)) ? 'branch' : undefined;
  for (const record of placed) {
    const details = input.details ?? {};
    const row = await rowOf(rows, state, { record, details, ...(scope === undefined ? {} : { scope }) });
    const isLate = !isCurrent && isChange(record);
    await rows.addRecord(state.conversation.key, isLate ? { ...row, state: 'superseded' } : row);
  }
  if (changes.length > 0 && !isCurrent) return { kind: 'superseded', version };
  return { kind: 'published', version: version + changes.length };
}

/** Whether the messages of a snapshot are on the branch; not so where its name went to another one meanwhile. */
async function isStillOn(rows: Rows, { conversation, branch, path }: BranchState, { tip }: Snapshot): Promise<boolean> {
  if (tip === undefined || tip === branch.tip) return true;
  const [head] = await rows.heads(conversation.key, [tip]);
  return head !== undefined && holds(path, head);
}

/** Ends what was begun: its records name messages that are no longer on the branch. */
async function superseded(
  rows: Rows,
  { conversation: { key } }: BranchState,
  { version, records }: { readonly version: number; readonly records: readonly LogRecord[] },
): Promise<Publication> {
  const begun = await rows.recordRows(
    key,
    records.map(({ id }) => id),
  );
  for (const row of begun) {
    if (row.state === 'started') await rows.addRecord(key, { ...row, state: 'superseded' });
  }
  return { kind: 'superseded', version };
}

/** Notes that a compaction began. */
export async function begin(
  rows: Rows,
  ref: BranchRef,
  { id, at }: { readonly id: string; readonly at: number },
): Promise<Snapshot> {
  const state = await readBranch(rows, ref, 'records');
  const { conversation, branch } = state;
  const parent = branch.tip === null ? null : placeOf(branch);
  const { covers: _covers, ...body } = { ...EMPTY, id, at, reason: BEGUN, status: 'noop', covers: [], ...UNCHANGED };
  const row = { ...NOTHING, id, branch: branch.name, scope: scopeOn(state.heads, state), parent };
  await rows.addRecord(conversation.key, { ...row, state: 'started', body: JSON.stringify(body) });
  return snapshotOf(state);
}

const UNCHANGED = { replaces: [], edits: [] } as const;

/** Ends what was begun and came to nothing. */
export async function abandon(
  rows: Rows,
  conversation: string,
  { id, reason }: { readonly id: string; readonly reason: string | undefined },
): Promise<void> {
  const { key } = await findConversation(rows, conversation, 'records');
  const [row] = await rows.recordRows(key, [id]);
  if (row === undefined) throw unknown('record', id);
  if (row.state !== 'started') return;
  const details: RecordDetails = reason === undefined ? {} : { error: reason };
  await rows.addRecord(key, { ...row, state: 'failed', details: JSON.stringify(details) });
}

/** A record on its way in; the scope is the branch's where none is given. */
export type Writing = { readonly record: LogRecord; readonly details: object; readonly scope?: RecordScope };

/** The row of a record. */
export async function rowOf(
  rows: Rows,
  state: BranchState,
  { record, details, scope }: Writing,
): Promise<NewRecordRow> {
  const common = { ...NOTHING, id: record.id, branch: state.branch.name, details: JSON.stringify(details) };
  if (record.kind === 'undo') return { ...common, ...undoRow(state, record) };
  return { ...common, scope: scope ?? scopeOn(state.heads, state), ...(await compactionRow(rows, state, record)) };
}

/** It stands where what it takes back stands, and concerns nobody but its branch. */
function undoRow({ heads }: BranchState, record: UndoRecord): Partial<NewRecordRow> {
  const { kind, undoes, edits = [] } = record;
  const parent = heads.find(({ id }) => id === undoes)?.parent ?? null;
  return { kind, scope: 'branch', undoes, parent, hasEdits: edits.length > 0, body: JSON.stringify(record) };
}

async function compactionRow(
  rows: Rows,
  { conversation, path }: BranchState,
  record: CompactionRecord,
): Promise<Partial<NewRecordRow>> {
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

const NOTHING: NewRecordRow = {
  id: '',
  kind: 'compaction',
  state: 'completed',
  branch: '',
  scope: 'tree',
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
  return heads.some((head) => head.id === id && isSettled(head));
}
