import { isObject, type JsonObject } from '../model/json.ts';
import type { Session } from '../model/session.ts';
import { opencode } from '../readers/opencode.ts';
import { StoredSession } from './build.ts';

/** A record of opencode's own storage: its name there, and its JSON text. */
export type OpencodeRecord = { readonly id: string; readonly text: string };

/** A message of opencode's own storage with its parts, in order. */
export type OpencodeMessage = OpencodeRecord & { readonly parts: readonly OpencodeRecord[] };

type Messages = AsyncIterable<OpencodeMessage> | Iterable<OpencodeMessage>;

/** A session of opencode's own storage, in which every message and part is a record of its own. */
export async function readOpencode(info: JsonObject, messages: Messages): Promise<Session | undefined> {
  const { revert, ...told } = info;
  const session = new StoredSession(opencode);
  for (const [key, value] of Object.entries(told)) session.push({ path: ['info', key], value });
  for await (const { id, text, parts } of messages) {
    const message = session.parse(text, `message ${id}`);
    const blocks = parts.map((part) => session.parse(part.text, `part ${part.id}`)).filter(isObject);
    if (isObject(message)) session.push({ path: ['messages'], value: { info: { ...message, id }, parts: blocks } });
  }
  // What was taken back is still there: it becomes a branch, once all of it is known.
  session.push({ path: ['info', 'revert'], value: revert });
  return session.finish();
}
