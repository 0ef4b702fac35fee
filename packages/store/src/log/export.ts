import { StoreError } from '../model/errors.ts';
import type { ConversationInfo, RecordEntry } from '../model/port.ts';
import type { ConversationRow, Engine, Inherited, MessageRow, Place, Rows } from '../model/rows.ts';
import { BEFORE_ALL } from './path.ts';
import { findConversation } from './reading.ts';
import { entriesOf } from './records.ts';

/** One line of an export. Parents stand in front of their children. */
export type Line =
  | ({ readonly kind: 'conversation'; readonly epitome: 1 } & ConversationInfo)
  | {
      readonly kind: 'message';
      readonly conversation: string;
      readonly id: string;
      readonly parent: string | null;
      readonly native: string;
    }
  | ({ readonly kind: 'record'; readonly conversation: string } & Omit<RecordEntry, 'seq'>)
  | {
      readonly kind: 'branch';
      readonly conversation: string;
      readonly name: string;
      readonly tip: string | null;
      readonly lineage?: readonly Inherited[];
    };

const PAGE = 500;
const MOST_CONVERSATIONS = 1_000_000_000;

/** A tenant's log as lines of JSON, of one conversation or of all. Each page is read in its own transaction. */
export async function* exportLines(
  engine: Engine,
  tenant: string,
  conversation: string | undefined,
): AsyncGenerator<string> {
  const read = <T>(work: (rows: Rows) => Promise<T>): Promise<T> => engine.transact({ tenant, mode: 'read' }, work);
  const chosen = await read(async (rows) =>
    conversation === undefined
      ? [...(await rows.conversations(MOST_CONVERSATIONS))].reverse()
      : [await findConversation(rows, conversation)],
  );
  for (const each of chosen) {
    yield text({ kind: 'conversation', epitome: 1, ...infoOf(each) });
    // Branches and records first, messages after: what is added meanwhile is at most messages too many.
    const rest = await read((rows) => tailLines(rows, each));
    const parents: Parents = new Map();
    for (let after = BEFORE_ALL; ; ) {
      const page = await read(async (rows) => messageLines(rows, { ...each, after }, parents));
      yield* page.lines;
      if (page.last === undefined) break;
      after = page.last;
    }
    yield* rest;
  }
}

/** What callers see of a conversation. */
export function infoOf({ id, format, settings, createdAt }: ConversationRow): ConversationInfo {
  return { id, format, createdAt, ...(settings === null ? {} : { settings }) };
}

function text(line: Line): string {
  return JSON.stringify(line);
}

/** Newest messages of segments, to name a child's parent without asking. */
type Parents = Map<number, { readonly id: string; readonly depth: number }>;

async function messageLines(
  rows: Rows,
  { key, id, after }: ConversationRow & { readonly after: Place },
  parents: Parents,
): Promise<{ readonly lines: readonly string[]; readonly last: Place | undefined }> {
  const page = await rows.scan(key, after, PAGE);
  const lines: string[] = [];
  for (const row of page) {
    const parent = await parentOf(rows, { key, row }, parents);
    lines.push(text({ kind: 'message', conversation: id, id: row.id, parent, native: row.native }));
    parents.set(row.segment, { id: row.id, depth: row.depth });
  }
  return { lines, last: page.at(-1) };
}

type Child = { readonly key: number; readonly row: MessageRow };

async function parentOf(rows: Rows, { key, row }: Child, parents: Parents): Promise<string | null> {
  if (row.depth === 0) return null;
  const before = parents.get(row.segment);
  if (before?.depth === row.depth - 1) return before.id;
  const [own] = await rows.path(key, row.segment);
  const at = row.depth - 1;
  const [head] = await rows.headsIn(key, [{ segment: own?.parent ?? row.segment, from: at, to: at }]);
  if (head === undefined) {
    throw new StoreError('corrupt', `Message ${JSON.stringify(row.id)} has lost its parent; restore it from a backup.`);
  }
  return head.id;
}

async function tailLines(rows: Rows, { key, id }: ConversationRow): Promise<readonly string[]> {
  const heads = await rows.recordHeads(key);
  const entries = await entriesOf(rows, key, { heads, undone: new Set() });
  const records = entries.map(({ seq: _seq, ...entry }) => text({ kind: 'record', conversation: id, ...entry }));
  const branches = (await rows.branches(key)).map(({ name, tip, lineage }) =>
    text({ kind: 'branch', conversation: id, name, tip, ...(lineage.length === 0 ? {} : { lineage }) }),
  );
  return [...branches, ...records];
}
