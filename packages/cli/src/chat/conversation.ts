import { type BranchRef, isStoreError, type Log } from '@epitome/store';
import { UsageError } from '../errors.ts';
import { isObject, type JsonObject } from '../input/json.ts';
import { NOTHING_SPENT, type Spending } from './meter.ts';

/** What the store keeps beside a chat. */
export type ChatSettings = {
  readonly app: 'epitome chat';
  readonly folder: string;
  readonly title: string;
  readonly branch: string;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
  readonly spent: Spending;
};

/** The conversation of a chat in the store: made with its first message, so that nothing empty is left behind. */
export type ChatConversation = {
  readonly id: string;
  readonly isStored: () => boolean;
  readonly ref: () => Required<BranchRef>;
  readonly settings: () => ChatSettings;
  /**
   * Appends messages of the AI SDK; they are durable when it resolves. Where the store is full they stay in memory, and are saved
   * together with the next ones.
   */
  readonly append: (messages: readonly object[]) => Promise<void>;
  /** Whether all of it is in the store. */
  readonly isSaved: () => boolean;
  /** What the model is shown. */
  readonly view: () => Promise<readonly unknown[]>;
  readonly note: (changes: Partial<Omit<ChatSettings, 'app'>>) => Promise<void>;
};

/** A new conversation. */
export function newConversation(log: Log, begin: Pick<ChatSettings, 'folder' | 'model'>): ChatConversation {
  const settings = {
    app: 'epitome chat',
    title: '',
    branch: 'main',
    usedAt: 0,
    spent: NOTHING_SPENT,
    ...begin,
  } as const;
  return conversationOf(log, { id: crypto.randomUUID(), settings, isStored: false });
}

/** A conversation that already holds messages. */
export async function conversationIn(
  log: Log,
  begin: Pick<ChatSettings, 'folder' | 'model' | 'title'>,
  messages: readonly object[],
): Promise<ChatConversation> {
  const conversation = newConversation(log, begin);
  await conversation.append(messages);
  return conversation;
}

/** Which chat to go on with. */
export type Wanted =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'newest'; readonly folder: string };

/** A conversation there is: by its id or the start of one, or the one last used in a folder. */
export async function resumeConversation(log: Log, wanted: Wanted): Promise<ChatConversation> {
  const chats = await listChats(log);
  if (wanted.kind === 'newest') {
    const [last] = chats.filter(({ settings }) => settings.folder === wanted.folder);
    if (last !== undefined) return conversationOf(log, { ...last, isStored: true });
    throw new UsageError(
      'There is no chat in this folder yet; epitome chat begins one, --resume lists those elsewhere.',
    );
  }
  const found = chats.filter(({ id }) => id.startsWith(wanted.id));
  const [one] = found;
  if (one !== undefined && found.length === 1) return conversationOf(log, { ...one, isStored: true });
  const what = found.length === 0 ? 'There is no chat' : `There are ${found.length} chats`;
  throw new UsageError(`${what} whose id begins with ${JSON.stringify(wanted.id)}; epitome chat --resume lists them.`);
}

/** A chat of the store. */
export type StoredChat = { readonly id: string; readonly settings: ChatSettings };

/** All chats, the last used first. */
export async function listChats(log: Log): Promise<readonly StoredChat[]> {
  const all = await log.conversations({ limit: 10_000 });
  return all
    .flatMap(({ id, settings }) => {
      const read = readSettings(settings);
      return read === undefined ? [] : [{ id, settings: read }];
    })
    .sort((one, other) => other.settings.usedAt - one.settings.usedAt);
}

/** The settings of a chat; undefined for those of other programs, whatever they hold. */
function readSettings(text: string | undefined): ChatSettings | undefined {
  const found = objectIn(text);
  const { app, usedAt, spent } = found;
  if (app !== 'epitome chat') return undefined;
  const word = (name: 'folder' | 'title' | 'branch' | 'model', otherwise = ''): string => {
    const { [name]: value } = found;
    return typeof value === 'string' ? value : otherwise;
  };
  return {
    app,
    folder: word('folder'),
    title: word('title'),
    branch: word('branch', 'main'),
    model: word('model'),
    usedAt: typeof usedAt === 'number' ? usedAt : 0,
    spent: isObject(spent) ? { ...NOTHING_SPENT, ...spent } : NOTHING_SPENT,
  };
}

function objectIn(text: string | undefined): JsonObject {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Does something that needs room on the disk; false where there is none. */
async function unlessFull(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (cause) {
    if (isStoreError(cause) && cause.code === 'full') return false;
    throw cause;
  }
}

type Opened = { readonly id: string; readonly settings: ChatSettings; readonly isStored: boolean };

function conversationOf(log: Log, opened: Opened): ChatConversation {
  const { id } = opened;
  let { settings, isStored } = opened;
  let unsaved: readonly string[] = [];
  const ref = (): Required<BranchRef> => ({ conversation: id, branch: settings.branch });
  return {
    id,
    isStored: () => isStored,
    ref,
    settings: () => settings,
    isSaved: () => unsaved.length === 0,
    append: async (messages) => {
      const all = [...unsaved, ...messages.map((message) => JSON.stringify(message))];
      const isDone = await unlessFull(async () => {
        if (!isStored) await log.create({ format: 'ai-sdk', id, settings: JSON.stringify(settings) });
        isStored = true;
        await log.append(ref(), all);
      });
      unsaved = isDone ? [] : all;
    },
    view: async () => {
      const entries = isStored ? (await log.viewOf(ref())).entries : [];
      return [...entries.map(({ native }) => native), ...unsaved].map((native): unknown => JSON.parse(native));
    },
    note: async (changes) => {
      settings = { ...settings, ...changes };
      if (isStored) await unlessFull(() => log.setSettings(id, JSON.stringify(settings)));
    },
  };
}
