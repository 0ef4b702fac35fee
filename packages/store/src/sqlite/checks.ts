import { isChainedId } from '../log/chain.ts';
import { RECORD_COLUMNS } from '../model/record-columns.ts';
import { decodeText } from '../text/bytes.ts';
import { isJson } from '../text/json.ts';
import { payloadHash } from '../text/payloads.ts';
import type { Database, Value } from './driver.ts';
import { sqliteRows } from './rows.ts';
import type { RowsAtOnce } from './rows-at-once.ts';
import { statementsOf } from './statements.ts';
import { sumOf, sumOfRecord } from './sums.ts';

// The schema that first had sums.
const WITH_SUMS = 3;

/** Something wrong with what is stored. `changed`: it can be read, and is not what was written. */
export type Problem = { readonly kind: 'changed' | 'missing' | 'unreadable'; readonly sentence: string };

/** Payloads that are not what their hash says. */
export function damagedPayloads(database: Database): readonly Problem[] {
  const keys = database.prepare('select key from payloads').all() as { key: number }[];
  const one = database.prepare('select hash, wide, body from payloads where key = ?');
  return keys.flatMap(({ key }) => {
    const { hash, wide, body } = one.get(key) as { hash: string; wide: number; body: Uint8Array };
    const isSame = payloadHash(decodeText(body, wide === 1)) === hash;
    return isSame ? [] : [{ kind: 'changed', sentence: `Payload ${key} is not what was stored.` }];
  });
}

type Segment = {
  readonly tenant: string;
  readonly conversation: number;
  readonly segment: number;
  readonly parent: number | null;
  readonly base: number;
  readonly id: string;
};

/** Messages that are not what was appended: no JSON, or not what their id or their sum says. */
export function changedMessages(database: Database, version: number): readonly Problem[] {
  const segments = database
    .prepare(
      `select s.tenant, s.conversation, s.segment, s.parent, s.base, c.id from segments s
       join conversations c on c.tenant = s.tenant and c.key = s.conversation`,
    )
    .all() as Segment[];
  const prepare = statementsOf(database);
  const broken: Problem[] = [];
  for (const each of segments) {
    try {
      const changed = changedIn(sqliteRows(prepare, each.tenant), each, sumsOf(database, each, version));
      for (const problem of changed) broken.push(problem);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      broken.push({ kind: 'unreadable', sentence: `Conversation ${each.id} cannot be read through: ${why}.` });
    }
  }
  return broken;
}

function changedIn(rows: RowsAtOnce, segment: Segment, sums: Sums): readonly Problem[] {
  const { conversation, base, parent } = segment;
  const range = { segment: segment.segment, from: base, to: Number.MAX_SAFE_INTEGER };
  const messages = rows.messagesIn(conversation, [range]);
  const [before] = base < 0 ? [] : rows.headsIn(conversation, [{ segment: parent ?? 0, from: base, to: base }]);
  return chainOf(messages, { ...segment, previous: base < 0 ? '' : before?.id, sums });
}

function sumsOf(database: Database, { tenant, conversation, segment }: Segment, version: number): Sums {
  if (version < WITH_SUMS) return new Map();
  const sql =
    'select depth, sum from messages where tenant = ? and conversation = ? and segment = ? and sum is not null';
  const rows = database.prepare(sql).all(tenant, conversation, segment) as { depth: number; sum: string }[];
  return new Map(rows.map(({ depth, sum }) => [depth, sum]));
}

type Sums = ReadonlyMap<number, string>;
type Kept = { readonly id: string; readonly depth: number; readonly native: string };
type Chain = Segment & { readonly previous: string | undefined; readonly sums: Sums };

function chainOf(messages: readonly Kept[], chain: Chain): readonly Problem[] {
  const broken: Problem[] = [];
  const changed: Problem[] = [];
  let { previous } = chain;
  for (const [index, { id, depth, native }] of messages.entries()) {
    const where = `Message ${depth + 1} of conversation ${chain.id}`;
    if (depth !== (messages[index - 1]?.depth ?? chain.base) + 1)
      broken.push({ kind: 'missing', sentence: `${where} stands behind a gap.` });
    const sum = chain.sums.get(depth);
    const isAsAppended = sum === undefined ? isChained(previous, { id, native }) : sumOf(native) === sum;
    if (!isJson(native)) broken.push({ kind: 'unreadable', sentence: `${where} is no JSON any more.` });
    else if (!isAsAppended) {
      const problem = { kind: 'changed', sentence: `${where} is not what was appended.` } as const;
      (sum === undefined ? changed : broken).push(problem);
    }
    previous = id;
  }
  const unsummed = messages.length - chain.sums.size;
  // Before there were sums: where most ids are not of the chain they are the caller's own and say nothing about content.
  return changed.length > unsummed / 2 && unsummed > 2 ? broken : [...broken, ...changed];
}

function isChained(previous: string | undefined, { id, native }: Pick<Kept, 'id' | 'native'>): boolean {
  return previous === undefined || isChainedId(id, previous, native);
}

/** Records whose columns are not what was written. */
export function changedRecords(database: Database, version: number): readonly Problem[] {
  if (version < WITH_SUMS) return [];
  const names = RECORD_COLUMNS.split(',').map((name) => name.trim());
  const rows = database
    .prepare(
      `select ${names.map((name) => `r.${name}`).join(', ')}, r.sum, c.id as conversation from records r
       join conversations c on c.tenant = r.tenant and c.key = r.conversation`,
    )
    .all() as Record<string, Value>[];
  return rows.flatMap((row) => {
    const isSame = row['sum'] === null || sumOfRecord(names.map((name) => row[name] ?? null)) === row['sum'];
    const sentence = `Record ${row['id']} of conversation ${row['conversation']} is not what was written.`;
    return isSame ? [] : [{ kind: 'changed', sentence }];
  });
}

/** Branches that end with a message that is not there. */
export function lostTips(database: Database, version: number): readonly Problem[] {
  const isPinned = version < WITH_SUMS ? '' : 'and b.follows = 0';
  const rows = database
    .prepare(
      `select b.name, c.id from branches b join conversations c on c.tenant = b.tenant and c.key = b.conversation
       where b.tip is not null ${isPinned} and not exists (select 1 from messages m where m.tenant = b.tenant
         and m.conversation = b.conversation and m.segment = b.segment and m.depth = b.depth and m.id = b.tip)`,
    )
    .all() as { name: string; id: string }[];
  return rows.map(({ name, id }) => {
    const sentence = `Branch ${name} of conversation ${id} ends with a message that is not there.`;
    return { kind: 'missing', sentence };
  });
}
