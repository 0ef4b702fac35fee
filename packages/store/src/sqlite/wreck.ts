import type { Line } from '../log/export.ts';
import { cutOut, pathOf } from '../log/path.ts';
import { isStoreError } from '../model/errors.ts';
import type { StoredBranch } from '../model/record-columns.ts';
import type {
  ConversationRow,
  Inherited,
  MessageHead,
  MessageRow,
  Place,
  RecordRow,
  Rows,
  SegmentRow,
} from '../model/rows.ts';
import type { Database, Statement, Value } from './driver.ts';
import { type Owned, ownerName, ownerOf } from './owned.ts';
import { sqliteRows } from './rows.ts';
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
    yield* messageLines(prepare, { tenant, conversation, rows, seqs, last }, lost);
    yield* branchLines(prepare, { tenant, conversation, last });
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

/** Statements that say what they cannot read and go on without it. */
function gentle(wreck: Database, lost: string[]): Prepare {
  const prepare = statementsOf(wreck);
  const tryTo = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      lost.push(error instanceof Error ? error.message : String(error));
      return otherwise;
    }
  };
  return (sql) => {
    const statement = tryTo<Statement | undefined>(() => prepare(sql), undefined);
    return {
      run: () => ({ changes: 0, lastInsertRowid: 0 }),
      get: (...values: readonly Value[]) => tryTo(() => statement?.get(...values), undefined),
      all: (...values: readonly Value[]) => tryTo(() => statement?.all(...values) ?? [], []),
    };
  };
}

type Source = {
  readonly tenant: string;
  readonly conversation: ConversationRow;
  readonly rows: Rows;
  /** Where its messages are. */
  readonly seqs: readonly number[];
  /** The newest readable message of each segment. */
  readonly last: Map<number, string>;
};

function* messageLines(
  prepare: Prepare,
  { tenant, conversation, rows, seqs, last }: Source,
  lost: string[],
): Generator<string> {
  const ids = new Map<string, string>();
  for (const seq of seqs) {
    // One by one: a damaged page takes no neighbour with it.
    const row = messageAt(rows, seq);
    if (row === undefined) {
      lost.push(`message ${seq} of conversation ${conversation.id}`);
      continue;
    }
    const parent = last.get(row.segment) ?? forkPoint(prepare, { tenant, conversation, row, ids });
    last.set(row.segment, row.id);
    ids.set(`${row.segment}:${row.depth}`, row.id);
    if (!isJson(row.native)) {
      lost.push(`message ${seq} of conversation ${conversation.id} is no JSON any more`);
      last.delete(row.segment);
      if (parent !== null) last.set(row.segment, parent);
      continue;
    }
    yield line({ kind: 'message', conversation: conversation.id, id: row.id, parent, native: row.native });
  }
}

function messageAt(rows: Rows, seq: number): MessageRow | undefined {
  try {
    return (rows.found([seq]) as readonly MessageRow[])[0];
  } catch (error) {
    if (isStoreError(error)) return undefined;
    throw error;
  }
}

type Child = Pick<Source, 'tenant' | 'conversation'> & {
  readonly row: MessageHead;
  readonly ids: ReadonlyMap<string, string>;
};

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
  { tenant, conversation, last }: Pick<Source, 'tenant' | 'conversation' | 'last'>,
): Generator<string> {
  const branches = prepare(
    'select name, segment, tip, follows, lineage from branches where tenant = ? and conversation = ?',
  );
  const rows = branches.all(tenant, conversation.key) as (StoredBranch & { readonly follows: number })[];
  for (const { name, segment, tip, follows, lineage } of rows) {
    const end = follows === 1 ? (last.get(segment) ?? tip) : tip;
    const kept = isJson(lineage) ? { lineage: JSON.parse(lineage) as readonly Inherited[] } : {};
    yield line({ kind: 'branch', conversation: conversation.id, name, tip: end, ...kept });
  }
}

function* recordLines(
  { conversation, rows }: Pick<Source, 'conversation' | 'rows'>,
  lost: string[],
): Generator<string> {
  const heads = rows.recordHeads(conversation.key) as readonly RecordRow[];
  for (const { id } of heads) {
    const [row] = rows.recordRows(conversation.key, [id]) as readonly RecordRow[];
    if (row === undefined || !isJson(row.body) || !isJson(row.details)) {
      lost.push(`record ${id} of conversation ${conversation.id}`);
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

function coveredIds(rows: Rows, key: number, { row, cutoff }: { row: RecordRow; cutoff: Place }): readonly string[] {
  const path = pathOf(rows.path(key, cutoff.segment) as readonly SegmentRow[], cutoff);
  return (rows.headsIn(key, cutOut(path, row.covers)) as readonly MessageHead[]).map(({ id }) => id);
}

function idAt(rows: Rows, key: number, { segment, depth }: Place): string | undefined {
  return (rows.headsIn(key, [{ segment, from: depth, to: depth }]) as readonly MessageHead[])[0]?.id;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
