import { TranscriptError } from '../model/errors.ts';
import type { SourceName } from '../model/item.ts';
import { defined, isObject, type JsonObject, objectsOf, stringOf, timeOf } from '../model/json.ts';
import type { Session } from '../model/session.ts';
import { forge } from '../readers/forge.ts';
import { StoredSession } from './build.ts';
import { type OpencodeMessage, readOpencode } from './opencode.ts';

/** Asks a database; gives rows as objects. */
export type Query = (sql: string, ...values: readonly string[]) => readonly unknown[];

/** A session in an agent's own database, without its messages. */
export type StoredEntry = {
  readonly source: SourceName;
  readonly id: string;
  readonly title?: string;
  readonly cwd?: string;
  readonly startedAt?: number;
};

/** The sessions in an agent's own SQLite database, oldest first. Throws `TranscriptError` where it is none of those known. */
export function listDatabase(query: Query): readonly StoredEntry[] {
  const source = sourceOf(query);
  const rows = objectsOf(query(LISTS[source]));
  return rows.map(({ id, title, directory, created }) => ({
    source,
    id: stringOf(id),
    ...defined({
      title: stringOf(title) || undefined,
      cwd: stringOf(directory) || undefined,
      startedAt: createdAt(created),
    }),
  }));
}

/** Reads one session of a database, with its messages in memory. */
export async function readStored(query: Query, { source, id }: StoredEntry): Promise<Session | undefined> {
  return source === 'forge' ? readForge(query, id) : readOpencode(infoOf(query, id), messagesOf(query, id));
}

type Kind = 'opencode' | 'forge';

// Titles and folders came with later versions; the oldest has neither.
const LISTS: Readonly<Record<Kind, string>> = {
  opencode: 'select id, title, directory, time_created as created from session order by time_created, id',
  forge:
    'select conversation_id as id, title, null as directory, created_at as created from conversations where context is not null order by created_at, conversation_id',
};

function sourceOf(query: Query): Kind {
  const tables = new Set(
    objectsOf(query("select name from sqlite_master where type = 'table'")).map(({ name }) => name),
  );
  if (['session', 'message', 'part'].every((name) => tables.has(name))) return 'opencode';
  const columns = tables.has('conversations')
    ? objectsOf(query("select name from pragma_table_info('conversations')"))
    : [];
  const names = new Set(columns.map(({ name }) => name));
  if (names.has('conversation_id') && names.has('context')) return 'forge';
  const found = [...tables].slice(0, 6).join(', ') || 'no tables';
  throw new TranscriptError('unknown-format', `it is a database of no agent that is known here (it has ${found})`);
}

/** SQLite keeps times without a zone, in UTC. */
function createdAt(value: unknown): number | undefined {
  return timeOf(typeof value === 'string' ? `${value.replace(' ', 'T')}Z` : value);
}

function infoOf(query: Query, id: string): JsonObject {
  const [row] = objectsOf(query('select * from session where id = ?', id));
  const { title, directory, time_created, revert } = row ?? {};
  return { id, title, directory, time: { created: time_created }, revert: parsed(revert) };
}

function parsed(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return undefined;
  }
}

/** Message by message: their parts may be large, and only those of one are held. */
function* messagesOf(query: Query, id: string): Generator<OpencodeMessage> {
  const messages = objectsOf(query('select id from message where session_id = ? order by time_created, id', id));
  for (const message of messages) {
    const own = stringOf(message['id']);
    const [row] = objectsOf(query('select data from message where id = ?', own));
    const parts = objectsOf(query('select id, data from part where message_id = ? order by id', own));
    yield {
      id: own,
      text: stringOf(row?.['data']),
      parts: parts.map((part) => ({ id: stringOf(part['id']), text: stringOf(part['data']) })),
    };
  }
}

function readForge(query: Query, id: string): Session | undefined {
  const [row] = objectsOf(query('select * from conversations where conversation_id = ?', id));
  const session = new StoredSession(forge);
  session.push({ path: ['id'], value: id });
  session.push({ path: ['title'], value: row?.['title'] ?? '' });
  session.push({ path: ['created_at'], value: createdAt(row?.['created_at']) });
  const context = session.parse(stringOf(row?.['context']), `conversation ${id}`);
  if (isObject(context)) session.push({ path: ['context'], value: context });
  return session.finish();
}
