import {
  asidesOf,
  type Branch,
  isTranscriptError,
  messagesOf,
  readSessions,
  repairMessages,
  type Session,
  sniff,
} from '@epitome/transcripts';
import { holdsServerState } from 'epitome/server-state';
import { UsageError } from '../errors.ts';
import { sessionNotes } from '../output/session-notes.ts';
import { type Conversation, type Picked, parseConversation, type SessionConversation } from './conversation.ts';
import { type Input, openInput } from './read.ts';
import { withStorage } from './stored.ts';

/** What the command line says about which conversation of a file is meant. */
export type PickOptions = {
  readonly format?: string;
  readonly session?: string;
  readonly branch?: string;
  readonly live?: true;
};

/** Reads a conversation of any kind: API messages in one JSON text, or a session of an agent. */
export async function readConversation(
  file: string | undefined,
  options: PickOptions,
  signal: AbortSignal,
): Promise<Conversation> {
  return conversationIn(await openInput(file, signal), options);
}

/** The conversation of an input that is open. */
export async function conversationIn(input: Input, options: PickOptions): Promise<Conversation> {
  const stored = await pickStored(input, options.session);
  if (stored !== undefined) return conversationOf(stored, options);
  if (await isDocument(input, options)) return parseConversation(await input.source(), options.format);
  const picked = await pickSession(input, options.session);
  return conversationOf(picked, options);
}

/** The session of an agent's own storage that is meant; `undefined` where the file is none. */
async function pickStored({ path, name }: Input, wanted: string | undefined): Promise<Picked | undefined> {
  if (path === undefined) return undefined;
  return withStorage(path, async ({ entries, read }) => {
    const at =
      wanted === undefined ? entries.length - 1 : entries.findIndex(({ id }, index) => isMeant(wanted, index, id));
    const entry = entries[at];
    const session = entry === undefined ? undefined : await read(entry);
    if (session === undefined) throw noSession(name, wanted, entries.length);
    return { session, number: at + 1, count: entries.length };
  });
}

function isMeant(wanted: string, index: number, id: string | undefined): boolean {
  return wanted === String(index + 1) || wanted === id;
}

function noSession(name: string, wanted: string | undefined, count: number): UsageError {
  if (count === 0) return new UsageError(`${name} holds no session.`);
  return new UsageError(`${name} has no session ${JSON.stringify(wanted)}; it holds ${count}, numbered from 1.`);
}

/** Reads the session that is meant: by number or id, else the last one. */
export async function pickSession(input: Input, wanted: string | undefined): Promise<Picked> {
  const stored = await pickStored(input, wanted);
  if (stored !== undefined) return stored;
  let picked: Session | undefined;
  let number = 0;
  let count = 0;
  try {
    for await (const session of readSessions(input.bytes())) {
      count += 1;
      if (wanted !== undefined && !isMeant(wanted, count - 1, session.id)) continue;
      picked = session;
      number = count;
    }
  } catch (cause) {
    throw refusalOf(input.name, cause);
  }
  if (picked === undefined) throw noSession(input.name, wanted, count);
  return { session: picked, number, count };
}

/** All sessions of an input, one after the other. */
export async function* sessionsIn(input: Input): AsyncGenerator<Session, void, void> {
  const stored = input.path === undefined ? undefined : await withStorage(input.path, async ({ entries }) => entries);
  if (stored === undefined || input.path === undefined) {
    yield* readSessions(input.bytes());
    return;
  }
  for (const entry of stored) {
    const session = await withStorage(input.path, ({ read }) => read(entry));
    if (session !== undefined) yield session;
  }
}

/** The branch of a session that is meant; its main one unless named. */
export function pickBranch(session: Session, wanted: string | undefined): Branch | undefined {
  if (wanted === undefined) return session.branches[0];
  const branch = session.branches.find(({ name }) => name === wanted);
  if (branch !== undefined) return branch;
  const names = session.branches.map(({ name }) => name).join(', ');
  throw new UsageError(`There is no branch ${JSON.stringify(wanted)}; there are ${names}.`);
}

/** What a file that is no transcript is refused with. */
function refusalOf(name: string, cause: unknown): unknown {
  return isTranscriptError(cause) ? new UsageError(`${name} cannot be read: ${cause.message}.`, { cause }) : cause;
}

/** One JSON text of API messages stays as it is written, to the byte; everything else is read as sessions. */
async function isDocument(input: Input, { format, session, branch, live }: PickOptions): Promise<boolean> {
  if (session !== undefined || branch !== undefined || live) return false;
  if (format !== undefined) return true;
  try {
    const found = await sniff(input.bytes());
    return found === undefined ? !(await isLines(input)) : found.source === 'api' && found.layout === 'document';
  } catch (cause) {
    if (isTranscriptError(cause)) return true;
    throw cause;
  }
}

/** Records a line that nobody knows are better refused as such than as bad JSON. */
async function isLines(input: Input): Promise<boolean> {
  const lines = (await input.source()).text.split('\n', 3).filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => line.startsWith('{') && isJson(line));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function conversationOf(picked: Picked, { branch: wanted, live }: PickOptions): SessionConversation {
  const { session } = picked;
  const branch = pickBranch(session, wanted);
  const selection = { ...(branch === undefined ? {} : { branch }), scope: live ? 'live' : 'all' } as const;
  const all = messagesOf(session, selection);
  const { messages, losses } = repairMessages(all, session.format);
  const { format, system, tools, model } = session;
  return {
    kind: 'session',
    session,
    format,
    formatBasis: 'detected',
    messages,
    asides: asidesOf(session, selection),
    notes: sessionNotes(picked, losses),
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
    ...(model === undefined ? {} : { model }),
    ...(session.isKeptByServer || holdsServerState({ format, body: {}, messages }) ? { isKeptByServer: true } : {}),
  };
}
