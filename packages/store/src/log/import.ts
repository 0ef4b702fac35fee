import type { LogRecord } from 'epitome';
import { isStoreError, StoreError } from '../model/errors.ts';
import type { ImportProgress } from '../model/port.ts';
import type { ConversationRow, Engine, NewMessageRow, Place, Rows } from '../model/rows.ts';
import { searchText, tokensOf } from '../text/tokens.ts';
import { isChainedId } from './chain.ts';
import { createConversation } from './conversations.ts';
import { type Decoder, decoderOf, parseNative } from './decoding.ts';
import type { Line } from './export.ts';
import { lineOf } from './lines.ts';
import { holds, pathTo, placeOf, START } from './path.ts';
import { rowOf } from './publish.ts';
import { type BranchState, readBranch } from './reading.ts';

type MessageLine = Extract<Line, { kind: 'message' }>;
type Lines = AsyncIterable<string> | Iterable<string>;

const BATCH = 500;

/** Takes lines of an export in. What is there already is left alone, so an import that broke off can be run again. */
export async function importLines(
  { engine, tenant }: { readonly engine: Engine; readonly tenant: string },
  lines: Lines,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportProgress> {
  const write = <T>(work: (rows: Rows) => Promise<T>): Promise<T> => engine.transact({ tenant, mode: 'write' }, work);
  const grafts = new Map<string, Graft>();
  let pending: MessageLine[] = [];
  let progress: ImportProgress = { lines: 0, messages: 0 };
  const flush = async (): Promise<void> => {
    const batch = pending;
    pending = [];
    if (batch.length > 0) await write((rows) => addBatch(rows, batch, grafts));
    onProgress(progress);
  };
  for await (const text of lines) {
    progress = { ...progress, lines: progress.lines + 1 };
    if (text.trim() === '') continue;
    const line = lineOf(text, progress.lines);
    if (line.kind === 'message') {
      pending.push(line);
      progress = { ...progress, messages: progress.messages + 1 };
      if (pending.length >= BATCH) await flush();
      continue;
    }
    await flush();
    await write((rows) => addOther(rows, line));
  }
  await flush();
  return progress;
}

/** Where the newest imported messages of a conversation stand. */
type Graft = {
  readonly conversation: ConversationRow;
  readonly places: Map<string, Place>;
  readonly ends: Map<number, number>;
  readonly decoders: Map<number, Decoder>;
};

async function addBatch(rows: Rows, batch: readonly MessageLine[], grafts: Map<string, Graft>): Promise<void> {
  const byConversation = new Map<string, MessageLine[]>();
  for (const line of batch) {
    const lines = byConversation.get(line.conversation);
    if (lines === undefined) byConversation.set(line.conversation, [line]);
    else lines.push(line);
  }
  for (const [id, lines] of byConversation) {
    const graft = await graftOf(rows, id, grafts.get(id));
    // Only a batch that was kept may be built on; others may have appended since.
    const next = { ...graft, places: new Map<string, Place>(graft.places), ends: new Map<number, number>() };
    await addMessages(rows, next, lines);
    grafts.set(id, next);
  }
}

/** What is known of a conversation from earlier batches, if it still is the same one. */
async function graftOf(rows: Rows, id: string, known: Graft | undefined): Promise<Graft> {
  const conversation = await rows.conversation(id, 'forgetting');
  if (conversation === undefined) {
    const why = known === undefined ? 'stands in front of it' : 'came, but it was forgotten meanwhile';
    throw new StoreError('bad-import', `A message of conversation ${JSON.stringify(id)} ${why}.`);
  }
  if (known?.conversation.key === conversation.key) return known;
  return { conversation, places: new Map(), ends: new Map(), decoders: new Map() };
}

async function addMessages(rows: Rows, graft: Graft, lines: readonly MessageLine[]): Promise<void> {
  const { key } = graft.conversation;
  const asked = lines.flatMap(({ id, parent }) => (parent === null || graft.places.has(parent) ? [id] : [id, parent]));
  const known = new Map((await rows.heads(key, asked)).map((head) => [head.id, head]));
  const places = new Map(graft.places);
  for (const { id, segment, depth } of known.values()) places.set(id, { segment, depth });
  const fresh: NewMessageRow[] = [];
  for (const line of lines) {
    if (known.has(line.id)) continue;
    const behind = line.parent === null ? START : places.get(line.parent);
    if (behind === undefined) throw new StoreError('bad-import', `Message ${line.id} stands in front of its parent.`);
    const place = await placeBehind(rows, graft, behind);
    places.set(line.id, place);
    fresh.push(rowFor(line, place, graft));
  }
  await rows.addMessages(key, fresh);
  graft.places.clear();
  for (const { id } of lines) graft.places.set(id, places.get(id) ?? START);
}

async function placeBehind(rows: Rows, { conversation, ends }: Graft, behind: Place): Promise<Place> {
  const end = ends.get(behind.segment) ?? (await rows.endOf(conversation.key, behind.segment));
  const isEnd = end === behind.depth;
  const segment = isEnd ? behind.segment : await rows.addSegment(conversation.key, behind);
  if (!isEnd) ends.set(behind.segment, end);
  ends.set(segment, behind.depth + 1);
  return { segment, depth: behind.depth + 1 };
}

function rowFor({ id, parent, native }: MessageLine, place: Place, { conversation, decoders }: Graft): NewMessageRow {
  const decoder = decoders.get(place.segment) ?? decoderOf(conversation.format);
  decoders.set(place.segment, decoder);
  const message = decoder.at(parseNative(native, `Message ${id}`), place.depth);
  const isChained = isChainedId(id, parent ?? '', native);
  return { ...place, id, role: message.role, native, isChained, tokens: () => tokensOf(searchText(message)) };
}

async function addOther(rows: Rows, line: Exclude<Line, MessageLine>): Promise<void> {
  if (line.kind === 'conversation') {
    const known = (await rows.conversation(line.id)) ?? (await created(rows, line));
    if (known.format !== line.format) {
      throw new StoreError('bad-import', `Conversation ${line.id} is there already, in format ${known.format}.`);
    }
    return;
  }
  if (line.kind === 'branch') await addBranch(rows, line);
  else await addRecord(rows, line);
}

/** Where another import was a moment faster, the conversation is its. */
async function created(rows: Rows, line: Extract<Line, { kind: 'conversation' }>): Promise<ConversationRow> {
  try {
    return await createConversation(rows, { ...line, settings: line.settings ?? null });
  } catch (error) {
    if (isStoreError(error) && error.code === 'taken') return readConversation(rows, line.id);
    throw error;
  }
}

async function addBranch(rows: Rows, line: Extract<Line, { kind: 'branch' }>): Promise<void> {
  const { key } = await readConversation(rows, line.conversation);
  const known = await rows.branch(key, line.name, 'lock');
  if (line.tip === null || line.tip === known?.tip) return;
  const [head] = await rows.heads(key, [line.tip]);
  if (head === undefined)
    throw new StoreError('bad-import', `Branch ${line.name} ends with a message that is missing.`);
  // A branch that has grown goes on; one that went another way here stays as it is.
  const isGrown = known === undefined || holds(await pathTo(rows, key, head), placeOf(known));
  if (!isGrown && known.tip !== null) return;
  const { segment, depth } = head;
  const row = { segment, depth, name: line.name, tip: line.tip, lineage: line.lineage ?? known?.lineage ?? [] };
  await (known === undefined ? rows.addBranch(key, row) : rows.putBranch(key, row));
}

async function addRecord(rows: Rows, line: Extract<Line, { kind: 'record' }>): Promise<void> {
  const { record, state, details, conversation } = line;
  const known = await rows.recordRows((await readConversation(rows, conversation)).key, [record.id]);
  if (known.length > 0) return;
  const at = await standingOf(rows, line);
  const scope = line.scope ?? 'tree';
  const row = await rowOf(rows, at, { record: record as LogRecord, details, scope });
  const [parent] =
    line.parentMessageId === undefined ? [] : await rows.heads(at.conversation.key, [line.parentMessageId]);
  const place = parent === undefined ? null : { segment: parent.segment, depth: parent.depth };
  const kept = state === 'undone' ? 'completed' : state;
  await rows.addRecord(at.conversation.key, { ...row, scope, state: kept, parent: place });
}

/** Where a record stands: on its branch, or on the way to its own messages where the branch went another way here. */
async function standingOf(rows: Rows, line: Extract<Line, { kind: 'record' }>): Promise<BranchState> {
  const { conversation, branch, record } = line;
  const at = await readBranch(rows, { conversation, branch }, 'records');
  const ids = record.kind === 'compaction' ? [record.parentId, record.lastSummarizedId, record.anchorId] : [];
  const heads = await rows.heads(
    at.conversation.key,
    ids.filter((id) => id !== undefined),
  );
  if (heads.every((head) => holds(at.path, head))) return at;
  const deepest = heads.reduce((best, head) => (head.depth > best.depth ? head : best));
  return { ...at, path: await pathTo(rows, at.conversation.key, deepest) };
}

async function readConversation(rows: Rows, id: string): Promise<ConversationRow> {
  const found = await rows.conversation(id);
  if (found === undefined) throw new StoreError('bad-import', `Conversation ${JSON.stringify(id)} is missing.`);
  return found;
}
