import { branchOf, type StoredBranch } from '../model/record-columns.ts';
import type { ConversationRow, Place, Rows, SegmentRow } from '../model/rows.ts';
import { indexedTokens } from '../text/tokens.ts';
import { indexedUpTo, indexNoFurther } from './indexing.ts';
import { messageRows } from './messages.ts';
import { recordRows } from './records.ts';
import { removeWords, searchRows } from './search.ts';
import type { Prepare } from './statements.ts';
import { statsOf } from './stats.ts';

const CONVERSATION = 'key, id, format, settings, created_at as createdAt';

/** The rows of one tenant in a SQLite database. */
export function sqliteRows(prepare: Prepare, tenant: string): Rows {
  const messages = messageRows(prepare, tenant);
  return {
    ...conversationRows(prepare, tenant),
    ...branchRows(prepare, tenant),
    ...messages,
    ...recordRows(prepare, tenant),
    ...searchRows(prepare, tenant),
    forget: async (conversation) => forget(prepare, { tenant, conversation }, messages),
    stats: () => statsOf(prepare, tenant),
  };
}

function conversationRows(
  prepare: Prepare,
  tenant: string,
): Pick<Rows, 'conversation' | 'conversations' | 'addConversation' | 'setSettings'> {
  const byId = `select ${CONVERSATION} from conversations where tenant = ? and id = ?`;
  return {
    conversation: (id) => prepare(byId).get(tenant, id) as ConversationRow | undefined,
    conversations: (limit, before = Number.MAX_SAFE_INTEGER) =>
      prepare(`select ${CONVERSATION} from conversations where tenant = ? and key < ? order by key desc limit ?`).all(
        ...[tenant, before, limit],
      ) as ConversationRow[],
    addConversation: ({ id, format, settings, createdAt }) => {
      const added = prepare(
        `insert into conversations (tenant, id, format, settings, created_at) values (?, ?, ?, ?, ?) on conflict do nothing`,
      ).run(tenant, id, format, settings, createdAt);
      return Number(added.changes) === 0 ? undefined : (prepare(byId).get(tenant, id) as ConversationRow);
    },
    setSettings: (key, settings) => {
      prepare('update conversations set settings = ? where tenant = ? and key = ?').run(settings, tenant, key);
    },
  };
}

function branchRows(
  prepare: Prepare,
  tenant: string,
): Pick<Rows, 'branch' | 'branches' | 'addBranch' | 'putBranch' | 'addSegment' | 'endOf' | 'segments' | 'path'> {
  const select = 'select name, segment, depth, tip, lineage from branches where tenant = ? and conversation = ?';
  return {
    branch: (key, name) => {
      const row = prepare(`${select} and name = ?`).get(tenant, key, name);
      return row === undefined ? undefined : branchOf(row as StoredBranch);
    },
    branches: (key) => (prepare(`${select} order by name`).all(tenant, key) as StoredBranch[]).map(branchOf),
    addBranch: (key, { name, segment, depth, tip, lineage }) => {
      prepare(
        'insert into branches (tenant, conversation, name, segment, depth, tip, lineage) values (?, ?, ?, ?, ?, ?, ?)',
      ).run(tenant, key, name, segment, depth, tip, JSON.stringify(lineage));
    },
    putBranch: (key, { name, segment, depth, tip, lineage }) => {
      prepare(
        `update branches set segment = ?, depth = ?, tip = ?, lineage = ?
         where tenant = ? and conversation = ? and name = ?`,
      ).run(segment, depth, tip, JSON.stringify(lineage), tenant, key, name);
    },
    segments: (key) =>
      prepare('select segment, parent, base from segments where tenant = ? and conversation = ? order by segment').all(
        tenant,
        key,
      ) as SegmentRow[],
    addSegment: (key, behind) => addSegment(prepare, { tenant, key }, behind),
    endOf: (key, segment) => endOf(prepare, { tenant, key }, segment),
    path: (key, segment) =>
      prepare(
        `with recursive path (segment, parent, base) as (
           select segment, parent, base from segments where tenant = ?1 and conversation = ?2 and segment = ?3
           union all
           select s.segment, s.parent, s.base from path join segments s
           on s.tenant = ?1 and s.conversation = ?2 and s.segment = path.parent
         ) select segment, parent, base from path`,
      ).all(tenant, key, segment) as SegmentRow[],
  };
}

type Owner = { readonly tenant: string; readonly key: number };

function addSegment(prepare: Prepare, { tenant, key }: Owner, behind: Place): number {
  const row = prepare(
    `insert into segments (tenant, conversation, segment, parent, base)
     select ?1, ?2, coalesce(max(segment) + 1, 0), ?3, ?4 from segments where tenant = ?1 and conversation = ?2
     returning segment`,
  ).get(tenant, key, behind.depth < 0 ? null : behind.segment, behind.depth) as { segment: number };
  return row.segment;
}

function endOf(prepare: Prepare, { tenant, key }: Owner, segment: number): number {
  const row = prepare(
    `select coalesce(
       (select max(depth) from messages where tenant = ?1 and conversation = ?2 and segment = ?3),
       (select base from segments where tenant = ?1 and conversation = ?2 and segment = ?3), -1) as depth`,
  ).get(tenant, key, segment) as { depth: number };
  return row.depth;
}

const PAGE = 200;
type Forgotten = { readonly tenant: string; readonly conversation: ConversationRow };

async function forget(
  prepare: Prepare,
  { tenant, conversation }: Forgotten,
  messages: Pick<Rows, 'scan'>,
): Promise<void> {
  const { key, format } = conversation;
  const indexed = indexedUpTo(prepare);
  for (let after: Place = { segment: -1, depth: -1 }; ; ) {
    const page = await messages.scan(key, after, PAGE);
    for (const { seq, native } of page.filter((message) => message.seq <= indexed)) {
      removeWords(prepare, { tenant, key }, { seq, tokens: indexedTokens(native, format) });
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last;
  }
  const own = 'select seq from messages where tenant = ?1 and conversation = ?2';
  prepare(
    `delete from payloads where tenant = ?1
     and key in (select payload from holes where tenant = ?1 and seq in (${own}))
     and not exists (select 1 from holes where payload = payloads.key and seq not in (${own}))`,
  ).run(tenant, key);
  prepare(`delete from holes where tenant = ?1 and seq in (${own})`).run(tenant, key);
  for (const table of ['messages', 'segments', 'branches', 'records']) {
    prepare(`delete from ${table} where tenant = ? and conversation = ?`).run(tenant, key);
  }
  prepare('delete from jobs where tenant = ? and conversation = ?').run(tenant, conversation.id);
  prepare('delete from conversations where tenant = ? and key = ?').run(tenant, key);
  indexNoFurther(prepare);
}
