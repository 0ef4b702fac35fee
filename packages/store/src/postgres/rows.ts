import type { StoreStats } from '../model/port.ts';
import { branchOf, type StoredBranch } from '../model/record-columns.ts';
import type { ConversationRow, Hold, Rows, SegmentRow } from '../model/rows.ts';
import { messageRows } from './messages.ts';
import { canBeThere } from './names.ts';
import { recordRows } from './records.ts';
import type { Query } from './transaction.ts';
import { queryOf, scopeOf } from './words.ts';

const CONVERSATION = 'key, id, format, settings, created_at as "createdAt"';

/** The rows of one tenant in a PostgreSQL database. */
export function postgresRows(query: Query, tenant: string): Rows {
  return {
    ...conversationRows(query, tenant),
    ...branchRows(query, tenant),
    ...segmentRows(query, tenant),
    ...messageRows(query, tenant),
    ...recordRows(query, tenant),
    forget: (conversation) => forget(query, tenant, conversation),
    stats: () => statsOf(query, tenant),
  };
}

function conversationRows(
  query: Query,
  tenant: string,
): Pick<Rows, 'conversation' | 'conversations' | 'addConversation' | 'setSettings'> {
  return {
    conversation: async (id, hold) => {
      if (!canBeThere(id)) return undefined;
      const lock = hold === undefined ? '' : LOCKS[hold];
      const sql = `select ${CONVERSATION} from epitome.conversations where tenant = $1 and id = $2${lock}`;
      return (await query<ConversationRow>(sql, [tenant, id]))[0];
    },
    conversations: (limit, before = Number.MAX_SAFE_INTEGER) => {
      const sql = `select ${CONVERSATION} from epitome.conversations where tenant = $1 and key < $2
        order by key desc limit $3`;
      return query<ConversationRow>(sql, [tenant, before, limit]);
    },
    addConversation: async ({ id, format, settings, createdAt }) => {
      const sql = `insert into epitome.conversations (tenant, id, format, settings, created_at)
        values ($1, $2, $3, $4, $5) on conflict do nothing returning ${CONVERSATION}`;
      return (await query<ConversationRow>(sql, [tenant, id, format, settings, createdAt]))[0];
    },
    setSettings: async (key, settings) => {
      await query('update epitome.conversations set settings = $1 where tenant = $2 and key = $3', [
        settings,
        tenant,
        key,
      ]);
    },
  };
}

// The first two do not wait for each other: messages are appended while a record is written.
const LOCKS: Readonly<Record<Hold, string>> = {
  forgetting: ' for key share',
  records: ' for no key update',
  everything: ' for update',
};

function branchRows(query: Query, tenant: string): Pick<Rows, 'branch' | 'branches' | 'addBranch' | 'putBranch'> {
  const select =
    'select name, segment, depth, tip, lineage from epitome.branches where tenant = $1 and conversation = $2';
  return {
    branch: async (key, name, lock) => {
      if (!canBeThere(name)) return undefined;
      const sql = `${select} and name = $3${lock === 'lock' ? ' for update' : ''}`;
      return (await query<StoredBranch>(sql, [tenant, key, name])).map(branchOf)[0];
    },
    branches: async (key) =>
      (await query<StoredBranch>(`${select} order by name collate "C"`, [tenant, key])).map(branchOf),
    addBranch: async (key, { name, segment, depth, tip, lineage }) => {
      const sql = `insert into epitome.branches (tenant, conversation, name, segment, depth, tip, lineage)
        values ($1, $2, $3, $4, $5, $6, $7)`;
      await query(sql, [tenant, key, name, segment, depth, tip, JSON.stringify(lineage)]);
    },
    putBranch: async (key, { name, segment, depth, tip, lineage }) => {
      const sql = `update epitome.branches set segment = $4, depth = $5, tip = $6, lineage = $7
        where tenant = $1 and conversation = $2 and name = $3`;
      await query(sql, [tenant, key, name, segment, depth, tip, JSON.stringify(lineage)]);
    },
  };
}

function segmentRows(query: Query, tenant: string): Pick<Rows, 'addSegment' | 'endOf' | 'segments' | 'path'> {
  return {
    addSegment: async (key, behind) => {
      const sql = `insert into epitome.segments (tenant, conversation, segment, parent, base)
        select $1, $2, coalesce(max(segment) + 1, 0), $3, $4 from epitome.segments
        where tenant = $1 and conversation = $2 returning segment`;
      const parent = behind.depth < 0 ? null : behind.segment;
      return (await query<{ segment: number }>(sql, [tenant, key, parent, behind.depth]))[0]?.segment ?? 0;
    },
    endOf: async (key, segment) => {
      const own = 'tenant = $1 and conversation = $2 and segment = $3';
      const sql = `select coalesce((select max(depth) from epitome.messages where ${own}),
        (select base from epitome.segments where ${own}), -1) as depth`;
      return (await query<{ depth: number }>(sql, [tenant, key, segment]))[0]?.depth ?? -1;
    },
    segments: (key) =>
      query<SegmentRow>(
        'select segment, parent, base from epitome.segments where tenant = $1 and conversation = $2 order by segment',
        [tenant, key],
      ),
    path: (key, segment) =>
      query<SegmentRow>(
        `with recursive path as (
           select segment, parent, base from epitome.segments
           where tenant = $1 and conversation = $2 and segment = $3
           union all
           select s.segment, s.parent, s.base from path join epitome.segments s
           on s.tenant = $1 and s.conversation = $2 and s.segment = path.parent
         ) select segment, parent, base from path order by base desc`,
        [tenant, key, segment],
      ),
  };
}

async function forget(query: Query, tenant: string, { id, key }: ConversationRow): Promise<void> {
  const own = 'select seq from epitome.messages where tenant = $1 and conversation = $2';
  const values = [tenant, key];
  await Promise.all([
    // What was asked for may quote the conversation, on branches that have another name by now too.
    query('select epitome.forget_jobs($1)', [id]),
    // Ahead of the other tables: whoever appends or indexes just now ends before, or finds nothing to append to.
    ...['branches', 'unindexed'].map((table) =>
      query(`delete from epitome.${table} where tenant = $1 and conversation = $2`, values),
    ),
    // Whoever refers to one of them just now ends first, and is seen by the next statement.
    query(
      `select 1 from epitome.payloads p where tenant = $1
       and hash in (select hash from epitome.holes where tenant = $1 and seq in (${own})) order by hash collate "C" for update`,
      values,
    ),
    query(
      `delete from epitome.payloads p where tenant = $1
       and hash in (select hash from epitome.holes where tenant = $1 and seq in (${own}))
       and not exists (select 1 from epitome.holes h where h.tenant = $1 and h.hash = p.hash and h.seq not in (${own}))`,
      values,
    ),
    // Rows of the index are seen only through a search: this one finds the conversation's.
    query(`select set_config('epitome.search', $1, true)`, [queryOf([], 'all', scopeOf(tenant, key))]),
    query('delete from epitome.search where tenant = $1', [tenant]),
    query(`delete from epitome.holes where tenant = $1 and seq in (${own})`, values),
    ...['messages', 'segments', 'records'].map((table) =>
      query(`delete from epitome.${table} where tenant = $1 and conversation = $2`, values),
    ),
    query('delete from epitome.conversations where tenant = $1 and key = $2', values),
  ]);
}

async function statsOf(query: Query, tenant: string): Promise<StoreStats> {
  const count = (table: string, what = 'count(*)'): string =>
    `(select ${what} from epitome.${table} where tenant = $1)::float8`;
  const [row] = await query<StoreStats>(
    `select ${count('conversations')} as conversations, ${count('branches')} as branches,
     ${count('messages')} as messages, ${count('records')} as records, ${count('payloads')} as payloads,
     ${count('payloads', 'coalesce(sum(length(body)), 0)')} as "payloadBytes",
     ${count('messages', 'coalesce(sum(length(native)), 0)')} as "messageBytes"`,
    [tenant],
  );
  return (
    row ?? { conversations: 0, branches: 0, messages: 0, records: 0, payloads: 0, payloadBytes: 0, messageBytes: 0 }
  );
}
