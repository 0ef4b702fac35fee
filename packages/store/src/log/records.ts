import type { LogRecord } from 'epitome';
import { undoneIds } from 'epitome/record';
import type { BranchRef, RecordEntry, StoredMessage, ViewOptions } from '../model/port.ts';
import type { MessageRow, Place, RecordHead, RecordRow, Rows } from '../model/rows.ts';
import { applicableHeads, BEGUN, inForce, lineageOf, logOn } from './lineage.ts';
import { cutOut, joinSpans, pathTo, START } from './path.ts';
import { findConversation, readBranch, unknown } from './reading.ts';
import { logRecordOf } from './view.ts';

/** All records that stand on a branch or are taken from another one, in order. */
export async function recordsOn(
  rows: Rows,
  ref: BranchRef,
  { reuse = 'strict' }: ViewOptions,
): Promise<readonly RecordEntry[]> {
  const state = await readBranch(rows, ref);
  const heads = applicableHeads(state.heads, state, reuse);
  return entriesOf(rows, state.conversation.key, { heads, undone: undoneIds(logOn(state.heads, state, reuse)) });
}

/** The records that tell of earlier attempts and what became of them: those that came to their end and were not superseded. */
export function attemptsOf(entries: readonly RecordEntry[]): readonly LogRecord[] {
  return entries.flatMap(({ record, state }) => {
    const isOpen = state === 'started' || state === 'superseded';
    return isOpen || (record.kind === 'compaction' && record.reason === BEGUN) ? [] : [record];
  });
}

/** The summary in force on a branch with the deepest cutoff. */
export async function summaryOn(
  rows: Rows,
  ref: BranchRef,
  { reuse = 'strict' }: ViewOptions,
): Promise<RecordEntry | undefined> {
  const state = await readBranch(rows, ref);
  const deepest = inForce(state.heads, state, reuse)
    .map(({ head }) => head)
    .reduce<RecordHead | undefined>((best, head) => (depth(head) > depth(best) ? head : best), undefined);
  if (deepest === undefined) return undefined;
  return (await entriesOf(rows, state.conversation.key, { heads: [deepest], undone: new Set() }))[0];
}

/** A record and all that went into it, oldest first, as its own branch sees them. */
export async function historyOf(rows: Rows, conversationId: string, recordId: string): Promise<readonly RecordEntry[]> {
  const { key } = await findConversation(rows, conversationId);
  const own = (await rows.recordHeads(key)).find(({ id }) => id === recordId);
  if (own === undefined) throw unknown('record', recordId);
  const state = await readBranch(rows, { conversation: conversationId, branch: own.branch });
  return entriesOf(rows, key, {
    heads: lineageOf(recordId, state.heads),
    undone: undoneIds(logOn(state.heads, state)),
  });
}

/** The originals a record stands for, or one message. */
export async function expand(rows: Rows, conversationId: string, id: string): Promise<readonly StoredMessage[]> {
  const { key } = await findConversation(rows, conversationId);
  const heads = await rows.recordHeads(key);
  const own = heads.find((head) => head.id === id);
  if (own !== undefined) {
    const path = await pathTo(rows, key, deepestPlace(own));
    const covers = joinSpans(lineageOf(id, heads).flatMap((head) => head.covers));
    return withParents(await rows.messagesIn(key, cutOut(path, covers)));
  }
  const [head] = await rows.heads(key, [id]);
  if (head === undefined) throw unknown('message', id);
  const path = await pathTo(rows, key, head);
  const near = await rows.messagesIn(key, cutOut(path, [[head.depth - 1, head.depth]]));
  return withParents(near).slice(-1);
}

/** Rows of one path, by depth, as messages with their parents; the first one's parent is known only at the start. */
export function withParents(rows: readonly MessageRow[]): readonly StoredMessage[] {
  return rows.map(({ id, role, native, seq, depth }, index) => {
    const before = rows[index - 1];
    const isNext = before !== undefined && before.depth === depth - 1;
    return { id, role, native, seq, ...(isNext ? { parentId: before.id } : {}) };
  });
}

/** Rows of records as entries, with their covers and whether they were undone. */
export async function entriesOf(
  rows: Rows,
  key: number,
  { heads, undone }: { readonly heads: readonly RecordHead[]; readonly undone: ReadonlySet<string> },
): Promise<readonly RecordEntry[]> {
  const stored =
    heads.length === 0
      ? []
      : await rows.recordRows(
          key,
          heads.map(({ id }) => id),
        );
  const entries: RecordEntry[] = [];
  for (const row of [...stored].sort((a, b) => a.seq - b.seq)) {
    entries.push(await entryOf(rows, key, { row, isUndone: row.state === 'completed' && undone.has(row.id) }));
  }
  return entries;
}

type Stored = { readonly row: RecordRow; readonly isUndone: boolean };

async function entryOf(rows: Rows, key: number, { row, isUndone }: Stored): Promise<RecordEntry> {
  const parentMessageId = row.parent === null ? undefined : await idAt(rows, key, row.parent);
  return {
    record: await recordOf(rows, key, row),
    state: isUndone ? 'undone' : row.state,
    branch: row.branch,
    scope: row.scope,
    seq: row.seq,
    ...(parentMessageId === undefined ? {} : { parentMessageId }),
    details: JSON.parse(row.details) as RecordEntry['details'],
  };
}

async function recordOf(rows: Rows, key: number, row: RecordRow): Promise<LogRecord> {
  const record = logRecordOf(row);
  if (record.kind === 'undo' || row.cutoff === null || row.covers.length === 0) return record;
  const path = await pathTo(rows, key, row.cutoff);
  const covered = await rows.headsIn(key, cutOut(path, row.covers));
  return { ...record, covers: covered.map(({ id }) => id) };
}

async function idAt(rows: Rows, key: number, { segment, depth: at }: Place): Promise<string | undefined> {
  return (await rows.headsIn(key, [{ segment, from: at, to: at }]))[0]?.id;
}

function depth(head: RecordHead | undefined): number {
  return head?.cutoff?.depth ?? -1;
}

function deepestPlace({ parent, cutoff }: RecordHead): Place {
  const places = [parent, cutoff].filter((place) => place !== null);
  return places.reduce((best, place) => (place.depth > best.depth ? place : best), START);
}
