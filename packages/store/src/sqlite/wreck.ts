import type { Line } from '../log/export.ts';
import { cutOut, pathOf, ROOT } from '../log/path.ts';
import { MAIN } from '../log/reading.ts';
import { isStoreError } from '../model/errors.ts';
import type { StoredBranch } from '../model/record-columns.ts';
import type { ConversationRow, Inherited, MessageRow, Place, RecordRow } from '../model/rows.ts';
import { isJson } from '../text/json.ts';
import type { Database, Statement, Value } from './driver.ts';
import { type Owned, ownerName, ownerOf } from './owned.ts';
import { sqliteRows } from './rows.ts';
import type { RowsAtOnce } from './rows-at-once.ts';
import { type Prepare, statementsOf } from './statements.ts';

/** Tenants of a damaged file, as far as its tables tell them. */
export function tenantsIn(wreck: Database, lost: string[]): readonly string[] {
  const prepare = gentle(wreck, lost);
  const found = ['conversations', 'messages'].flatMap((table) =>
    prepare(`select distinct tenant from ${table}`).all(),
  ) as { tenant: string }[];
  return [...new Set(found.map(({ tenant }) => tenant))];
}

/** A damaged file, and one of its tenants. */
export type Wrecked = { readonly wreck: Database; readonly tenant: string; readonly owned: Owned };

/** What is readable of a tenant, as lines of an export. A message whose parent is lost stands behind the last one before. */
export function* linesOfTenant({ wreck, tenant, owned }: Wrecked, lost: string[]): Generator<string> {
  const prepare = gentle(wreck, lost);
  const rows = sqliteRows(prepare, tenant);
  for (const conversation of conversationsOf(prepare, { tenant, owned })) {
    const { id, format, settings, createdAt } = conversation;
    const kept = settings === null ? {} : { settings };
    yield line({ kind: 'conversation', epitome: 1, id, format, createdAt, ...kept });
    const seqs = owned.get(ownerName({ tenant, conversation: conversation.key })) ?? [];
    const last = new Map<number, string>();
    const ids = new Map<string, string>();
    yield* messageLines(prepare, { tenant, conversation, rows, seqs, last, ids }, lost);
    yield* branchLines(prepare, { tenant, conversation, last, ids });
    yield* recordLines({ conversation, rows }, lost);
  }
}

/**
 * Conversations, those whose row is lost included: an index knows their ids, messages that there were some. What is lost of
 * them is read as the most common format.
 */
function conversationsOf(
  prepare: Prepare,
  { tenant, owned }: Pick<Wrecked, 'tenant' | 'owned'>,
): readonly ConversationRow[] {
  const whole = prepare(
    'select key, id, format, settings, created_at as createdAt from conversations not indexed where tenant = ? order by key',
  ).all(tenant) as ConversationRow[];
  const known = new Set(whole.map(({ key }) => key));
  const named = prepare(
    'select key, id from conversations indexed by sqlite_autoindex_conversations_1 where tenant = ?',
  ).all(tenant) as Pick<ConversationRow, 'key' | 'id'>[];
  const ids = new Map(named.map(({ key, id }) => [key, id]));
  const owners = [...owned.keys()].map(ownerOf).filter((owner) => owner.tenant === tenant);
  const lost = owners.filter(({ conversation }) => !known.has(conversation));
  const mended = lost.map(({ conversation: key }) => {
    const id = ids.get(key) ?? `recovered-${key}`;
    return { key, id, format: 'openai-chat' as const, settings: null, createdAt: 0 };
  });
  return [...whole, ...mended];
}

function line(value: Line): string {
  return JSON.stringify(value);
}

/** Statements that go on without what they cannot read, and say of which table it is, once. Messages are told of one by one. */
function gentle(wreck: Database, lost: string[]): Prepare {
  const prepare = statementsOf(wreck);
  return (sql) => {
    const tryTo = <T>(work: () => T, otherwise: T): T => {
      try {
        return work();
      } catch {
        const table = /from (\w+)/.exec(sql)?.[1] ?? 'the file';
        const sentence = `A part of ${table} cannot be read.`;
        if (!BY_MESSAGE.has(table) && !lost.includes(sentence)) lost.push(sentence);
        return otherwise;
      }
    };
    const statement = tryTo<Statement | undefined>(() => prepare(sql), undefined);
    return {
      run: () => ({ changes: 0, lastInsertRowid: 0 }),
      get: (...values: readonly Value[]) => tryTo(() => statement?.get(...values), undefined),
      all: (...values: readonly Value[]) => tryTo(() => statement?.all(...values) ?? [], []),
    };
  };
}

const BY_MESSAGE: ReadonlySet<string> = new Set(['messages', 'holes', 'payloads']);

type Source = {
  readonly tenant: string;
  readonly conversation: ConversationRow;
  readonly rows: RowsAtOnce;
  /** Where its messages are. */
  readonly seqs: readonly number[];
  /** The newest readable message of each segment. */
  readonly last: Map<number, string>;
  /** Readable messages by their place. */
  readonly ids: Map<string, string>;
};

function* messageLines(
  prepare: Prepare,
  { tenant, conversation, rows, seqs, last, ids }: Source,
  lost: string[],
): Generator<string> {
  let unread = 0;
  let changed = 0;
  for (const seq of seqs) {
    // One by one: a damaged page takes no neighbour with it.
    const row = messageAt(rows, seq);
    if (row === undefined) {
      unread += 1;
      continue;
    }
    const parent = last.get(row.segment) ?? forkPoint(prepare, { tenant, conversation, row, ids });
    if (!isJson(row.native)) {
      changed += 1;
      continue;
    }
    last.set(row.segment, row.id);
    ids.set(`${row.segment}:${row.depth}`, row.id);
    yield line({ kind: 'message', conversation: conversation.id, id: row.id, parent, native: row.native });
  }
  const all = `of ${seqs.length} messages of conversation ${conversation.id}`;
  if (unread > 0) lost.push(`${unread} ${all} cannot be read.`);
  if (changed > 0) lost.push(`${changed} ${all} ${changed === 1 ? 'is' : 'are'} no JSON any more.`);
}

function messageAt(rows: RowsAtOnce, seq: number): MessageRow | undefined {
  try {
    return rows.found([seq])[0];
  } catch (error) {
    if (isStoreError(error)) return undefined;
    throw error;
  }
}

type Child = Pick<Source, 'tenant' | 'conversation' | 'ids'> & { readonly row: Place };

/** The message a segment stands behind, or the nearest readable one in front of that. */
function forkPoint(prepare: Prepare, { tenant, conversation, row, ids }: Child): string | null {
  const segmentOf = prepare('select parent, base from segments where tenant = ? and conversation = ? and segment = ?');
  const at = (segment: number): { parent: number | null; base: number } | undefined =>
    segmentOf.get(tenant, conversation.key, segment) as { parent: number | null; base: number } | undefined;
  for (let own = at(row.segment); own !== undefined && own.parent !== null; own = at(own.parent)) {
    for (let depth = own.base; depth >= 0; depth -= 1) {
      const id = ids.get(`${own.parent}:${depth}`);
      if (id !== undefined) return id;
    }
  }
  return null;
}

function* branchLines(
  prepare: Prepare,
  source: Pick<Source, 'tenant' | 'conversation' | 'last' | 'ids'>,
): Generator<string> {
  const { tenant, conversation } = source;
  const branches = prepare(
    'select name, segment, depth, tip, follows, lineage from branches where tenant = ? and conversation = ?',
  );
  const rows = branches.all(tenant, conversation.key) as Ending[];
  for (const row of rows) {
    const { name, lineage } = row;
    const kept = isJson(lineage) ? { lineage: JSON.parse(lineage) as readonly Inherited[] } : {};
    yield line({ kind: 'branch', conversation: conversation.id, name, tip: endOf(prepare, source, row), ...kept });
  }
  // Where no branch is known any more, one leads to what was said last on the way from the start.
  const end = source.last.get(ROOT) ?? [...source.last.values()].at(-1);
  if (rows.length === 0 && end !== undefined) {
    yield line({ kind: 'branch', conversation: conversation.id, name: MAIN, tip: end });
  }
}

type Ending = StoredBranch & { readonly follows: number };

/** The message a branch ends with, or the nearest readable one in front of it. */
function endOf(
  prepare: Prepare,
  { tenant, conversation, last, ids }: Pick<Source, 'tenant' | 'conversation' | 'last' | 'ids'>,
  { segment, depth, tip, follows }: Ending,
): string | null {
  if (tip === null && follows === 0) return null;
  if (follows === 1 && last.has(segment)) return last.get(segment) ?? null;
  for (let at = depth; at >= 0; at -= 1) {
    const id = ids.get(`${segment}:${at}`);
    if (id !== undefined) return id;
  }
  return forkPoint(prepare, { tenant, conversation, row: { segment, depth }, ids });
}

function* recordLines(
  { conversation, rows }: Pick<Source, 'conversation' | 'rows'>,
  lost: string[],
): Generator<string> {
  for (const { id } of rows.recordHeads(conversation.key)) {
    const [row] = rows.recordRows(conversation.key, [id]);
    if (row === undefined || !isJson(row.body) || !isJson(row.details)) {
      lost.push(`Record ${id} of conversation ${conversation.id} cannot be read.`);
      continue;
    }
    const covered = row.cutoff === null ? [] : coveredIds(rows, conversation.key, { row, cutoff: row.cutoff });
    const parent = row.parent === null ? undefined : idAt(rows, conversation.key, row.parent);
    const { state, branch, scope } = row;
    const record = row.kind === 'undo' ? JSON.parse(row.body) : { ...JSON.parse(row.body), covers: covered };
    yield line({
      kind: 'record',
      conversation: conversation.id,
      record,
      state,
      branch,
      scope,
      details: JSON.parse(row.details),
      ...(parent === undefined ? {} : { parentMessageId: parent }),
    });
  }
}

type Covering = { readonly row: RecordRow; readonly cutoff: Place };

function coveredIds(rows: RowsAtOnce, key: number, { row, cutoff }: Covering): readonly string[] {
  const path = pathOf(rows.path(key, cutoff.segment), cutoff);
  return rows.headsIn(key, cutOut(path, row.covers)).map(({ id }) => id);
}

function idAt(rows: RowsAtOnce, key: number, { segment, depth }: Place): string | undefined {
  return rows.headsIn(key, [{ segment, from: depth, to: depth }])[0]?.id;
}
