import type { Appended, AppendTarget, NewMessage } from '../model/port.ts';
import type { BranchRow, ConversationRow, Engine, Place, Rows } from '../model/rows.ts';
import { branchPaths } from './conversations.ts';
import type { Cursor, Cursors } from './cursors.ts';
import { type Decoder, decodeRows, decoderOf, lookBackOf } from './decoding.ts';
import { type Incoming, identify, rowsBehind } from './incoming.ts';
import { type Known, knownPrefix } from './known.ts';
import { lineageFrom } from './lineage.ts';
import { cutOut, holds, type Point, pathTo, placeOf, START } from './path.ts';
import { findBranch, findConversation, MAIN, unknown } from './reading.ts';

/** What appending needs. */
export type Writer = { readonly engine: Engine; readonly tenant: string; readonly cursors: Cursors };

/** Appends messages; work is proportional to them, whatever the length of the branch. */
export async function append(writer: Writer, target: AppendTarget, messages: readonly NewMessage[]): Promise<Appended> {
  const { engine, tenant, cursors } = writer;
  const branch = target.branch ?? MAIN;
  const cursor = cursors.get(target.conversation, branch);
  cursors.drop(target.conversation, branch);
  if (cursor !== undefined && messages.length > 0 && (target.after === undefined || target.after === cursor.tip)) {
    const done = await appendBehind(writer, { cursor, branch }, messages);
    if (done !== undefined) {
      cursors.set(target.conversation, branch, done.cursor);
      return done.appended;
    }
  }
  const done = await engine.transact({ tenant, mode: 'write' }, (rows) => appendChecked(rows, target, messages));
  if (done.cursor !== undefined) cursors.set(target.conversation, done.appended.branch, done.cursor);
  return done.appended;
}

type Done = { readonly appended: Appended; readonly cursor: Cursor };

/** The common case in one step: the tip is where this process left it. */
async function appendBehind(
  { engine, tenant }: Writer,
  { cursor, branch }: { readonly cursor: Cursor; readonly branch: string },
  messages: readonly NewMessage[],
): Promise<Done | undefined> {
  const { key, place, tip, decoder } = cursor;
  const rows = rowsBehind(identify(messages, tip), place, decoder);
  const advanced = await engine.advance(tenant, { conversation: key, branch, from: place, messages: rows });
  const last = rows.at(-1);
  if (advanced === undefined || last === undefined) return undefined;
  const ids = rows.map(({ id }) => id);
  return {
    appended: { branch, ids, added: ids.length, tip: last.id, ...advanced },
    cursor: { ...cursor, place: { segment: last.segment, depth: last.depth }, tip: last.id },
  };
}

async function appendChecked(
  rows: Rows,
  target: AppendTarget,
  messages: readonly NewMessage[],
): Promise<{ readonly appended: Appended; readonly cursor?: Cursor }> {
  const conversation = await findConversation(rows, target.conversation, 'forgetting');
  const { key, format } = conversation;
  const branch = await findBranch(rows, conversation, { name: target.branch ?? MAIN, lock: 'lock' });
  const start = await startOf(rows, { conversation, branch }, target.after);
  const incoming = identify(messages, start.id);
  const known = await knownPrefix(rows, { key, start, isResent: target.after !== undefined }, incoming);
  const goal = await branchFor(rows, { conversation, branch, isResent: target.after !== undefined }, known);
  const fresh = known.fresh;
  const decoder = await primedDecoder(rows, conversation, known.end);
  const end = fresh.length === 0 ? known.end : await insert(rows, { key, behind: known.end.place, decoder }, fresh);
  if (end.id !== '') {
    const row = { ...goal.row, ...end.place, tip: end.id };
    await (goal.isNew ? rows.addBranch(key, row) : rows.putBranch(key, row));
  }
  const ids = known.ids;
  const appended = { branch: goal.row.name, ids, added: fresh.length, ...(end.id === '' ? {} : { tip: end.id }) };
  return end.id === '' ? { appended } : { appended, cursor: { key, format, place: end.place, tip: end.id, decoder } };
}

type At = { readonly conversation: ConversationRow; readonly branch: BranchRow };

async function startOf(rows: Rows, { conversation, branch }: At, after: string | null | undefined): Promise<Point> {
  if (after === undefined || after === branch.tip) return { place: placeOf(branch), id: branch.tip ?? '' };
  if (after === null) return { place: START, id: '' };
  const [head] = await rows.heads(conversation.key, [after]);
  if (head === undefined) throw unknown('message', after);
  return { place: { segment: head.segment, depth: head.depth }, id: head.id };
}

async function primedDecoder(rows: Rows, { key, format }: ConversationRow, { place }: Point): Promise<Decoder> {
  const decoder = decoderOf(format);
  const lookBack = lookBackOf(format);
  if (lookBack === 0 || place.depth < 0) return decoder;
  const path = await pathTo(rows, key, place);
  const recent = await rows.messagesIn(key, cutOut(path, [[place.depth - lookBack + 1, place.depth]]));
  decodeRows(recent, decoder);
  return decoder;
}

type Goal = { readonly row: BranchRow; readonly isNew: boolean };

/** The branch that will end with the messages: the one asked for if it leads there, else one that ends there, or a new one. */
async function branchFor(rows: Rows, at: At & { readonly isResent: boolean }, known: Known): Promise<Goal> {
  const { conversation, branch, isResent } = at;
  const { place, id } = known.end;
  if (branch.tip === null || branch.tip === id) return { row: branch, isNew: false };
  const path = await pathTo(rows, conversation.key, place);
  if (!isResent && holds(path, placeOf(branch))) return { row: branch, isNew: false };
  const others = await rows.branches(conversation.key);
  const ending = others.find(({ tip }) => tip === id);
  const locked = ending === undefined ? undefined : await rows.branch(conversation.key, ending.name, 'lock');
  // Another process may have moved it before it was locked.
  if (locked?.tip === id) return { row: locked, isNew: false };
  const names = new Set(others.map(({ name }) => name));
  let number = others.length + 1;
  while (names.has(`b${number}`)) number += 1;
  const lineage = await lineageAt(rows, at, place);
  return { row: { ...place, name: `b${number}`, tip: id, lineage }, isNew: true };
}

/** A new branch takes along the records of the one it leaves: the one asked for, or else the first that holds the place. */
async function lineageAt(
  rows: Rows,
  { conversation: { key }, branch }: At,
  place: Place,
): Promise<BranchRow['lineage']> {
  const heads = await rows.recordHeads(key);
  if (heads.every(({ scope }) => scope === 'tree') || place.depth < 0) return [];
  const holding = (await branchPaths(rows, key)).filter(({ path }) => holds(path, place));
  const left = holding.find((each) => each.branch.name === branch.name) ?? holding[0];
  return left === undefined ? [] : lineageFrom(heads, left);
}

type Insertion = { readonly key: number; readonly behind: Place; readonly decoder: Decoder };

async function insert(rows: Rows, { key, behind, decoder }: Insertion, incoming: readonly Incoming[]): Promise<Point> {
  // Read before anything is written: one that is no JSON leaves all as it was.
  const read = rowsBehind(incoming, behind, decoder);
  const isEnd = (await rows.endOf(key, behind.segment)) === behind.depth;
  const segment = isEnd ? behind.segment : await rows.addSegment(key, behind);
  const messages = isEnd ? read : read.map((row) => ({ ...row, segment }));
  await rows.addMessages(key, messages);
  const last = messages.at(-1);
  return { place: { segment, depth: last?.depth ?? behind.depth }, id: last?.id ?? '' };
}
