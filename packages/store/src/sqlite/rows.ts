import { BEFORE_ALL } from '../log/path.ts';
import type { ConversationRow } from '../model/rows.ts';
import { indexedTokens } from '../text/tokens.ts';
import { branchRows } from './branches.ts';
import { indexedUpTo, indexNoFurther } from './indexing.ts';
import { messageRows } from './messages.ts';
import { recordRows } from './records.ts';
import type { RowsAtOnce } from './rows-at-once.ts';
import { removeWords, searchRows } from './search.ts';
import type { Prepare } from './statements.ts';
import { statsOf } from './stats.ts';

const CONVERSATION = 'key, id, format, settings, created_at as createdAt';

/** The rows of one tenant in a SQLite database. */
export function sqliteRows(prepare: Prepare, tenant: string): RowsAtOnce {
  const messages = messageRows(prepare, tenant);
  return {
    ...conversationRows(prepare, tenant),
    ...branchRows(prepare, tenant),
    ...messages,
    ...recordRows(prepare, tenant),
    ...searchRows(prepare, tenant),
    forget: (conversation) => forget(prepare, { tenant, conversation }, messages),
    stats: () => statsOf(prepare, tenant),
  };
}

function conversationRows(
  prepare: Prepare,
  tenant: string,
): Pick<RowsAtOnce, 'conversation' | 'conversations' | 'addConversation' | 'setSettings'> {
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

const PAGE = 200;
type Forgotten = { readonly tenant: string; readonly conversation: ConversationRow };

function forget(prepare: Prepare, { tenant, conversation }: Forgotten, messages: Pick<RowsAtOnce, 'scan'>): void {
  const { key, format } = conversation;
  const indexed = indexedUpTo(prepare);
  for (let after = BEFORE_ALL; ; ) {
    const page = messages.scan(key, after, PAGE);
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
