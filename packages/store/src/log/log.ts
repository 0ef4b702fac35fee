import type { Log, Store } from '../model/port.ts';
import type { Engine, Rows } from '../model/rows.ts';
import { append } from './append.ts';
import { closable } from './closing.ts';
import {
  branchesOf,
  checkedLimit,
  checkedName,
  checkedSettings,
  createConversation,
  forkBranch,
} from './conversations.ts';
import { createCursors } from './cursors.ts';
import { exportLines, infoOf } from './export.ts';
import { findHistory } from './find.ts';
import { importLines } from './import.ts';
import { promote } from './promote.ts';
import { abandon, begin, publish } from './publish.ts';
import { findConversation, readBranch, snapshotOf } from './reading.ts';
import { recall } from './recall.ts';
import { expand, historyOf, recordsOn, summaryOn, withParents } from './records.ts';
import { restoreOn } from './restore.ts';
import { readTree } from './tree.ts';
import { type RecordWorld, redoOn, undoOn } from './undo.ts';
import { readView } from './view.ts';
import { readWork } from './work.ts';

/** A store over a database. */
export function createStore(database: Engine, world: RecordWorld = WORLD): Store {
  const engine = closable(database);
  const logs = new Map<string, Log>();
  return {
    kind: engine.kind,
    forTenant: (tenant) => {
      const log = logs.get(tenant) ?? createLog(engine, checkedName('tenant', tenant), world);
      // Thousands of tenants may pass through one gateway: what is kept is only a cache.
      if (logs.size >= MOST_LOGS) logs.clear();
      logs.set(tenant, log);
      return log;
    },
    close: () => engine.close(),
  };
}

const MOST_LOGS = 1000;

const WORLD: RecordWorld = { newId: () => crypto.randomUUID(), now: () => Date.now() };

function createLog(engine: Engine, tenant: string, world: RecordWorld): Log {
  const cursors = createCursors();
  const read = <T>(work: (rows: Rows) => Promise<T>): Promise<T> => engine.transact({ tenant, mode: 'read' }, work);
  const write = <T>(work: (rows: Rows) => Promise<T>): Promise<T> => engine.transact({ tenant, mode: 'write' }, work);
  return {
    tenant,
    ...conversationCalls({ read, write, world }),
    append: (target, messages) => append({ engine, tenant, cursors }, target, messages),
    promote: async (ref) => {
      const main = await write((rows) => promote(rows, ref));
      cursors.drop(ref.conversation);
      return main;
    },
    messages: (ref) =>
      read(async (rows) => {
        const { conversation, path } = await readBranch(rows, ref);
        return withParents(await rows.messagesIn(conversation.key, path));
      }),
    snapshot: (ref, { reuse } = {}) => read(async (rows) => snapshotOf(await readBranch(rows, ref), reuse)),
    viewOf: (ref, options = {}) => read(async (rows) => readView(rows, await readBranch(rows, ref), options)),
    workOf: (ref, options = {}) => read(async (rows) => readWork(rows, await readBranch(rows, ref), options)),
    ...recordCalls({ read, write, world }),
    recall: async (query, options = {}) => {
      await engine.settle(tenant);
      return read((rows) => recall(rows, { query, ...options }));
    },
    expand: (conversation, id) => read((rows) => expand(rows, conversation, id)),
    forget: async (id) => {
      const isGone = await write(async (rows) => forgetConversation(rows, id));
      cursors.drop(id);
      if (isGone) await engine.scrub();
      return isGone;
    },
    export: (conversation) => exportLines(engine, tenant, conversation),
    import: (lines, onProgress = () => {}) => importLines({ engine, tenant }, lines, onProgress),
    stats: () => read(async (rows) => rows.stats()),
  };
}

type Runner = <T>(work: (rows: Rows) => Promise<T>) => Promise<T>;
type Calls = { readonly read: Runner; readonly write: Runner; readonly world: RecordWorld };

function conversationCalls({ read, write, world }: Calls) {
  return {
    create: ({ format, id, settings }) =>
      write(async (rows) => {
        const input = {
          id: id ?? newConversationId(),
          format,
          settings: settings === undefined ? null : checkedSettings(settings),
          createdAt: world.now(),
        };
        return infoOf(await createConversation(rows, input));
      }),
    conversation: (id) =>
      read(async (rows) => {
        const found = await rows.conversation(id);
        return found === undefined ? undefined : infoOf(found);
      }),
    conversations: ({ limit = MOST_CONVERSATIONS, before } = {}) =>
      read(async (rows) => {
        const key = before === undefined ? undefined : (await findConversation(rows, before)).key;
        return (await rows.conversations(checkedLimit(limit), key)).map(infoOf);
      }),
    find: (history) => read((rows) => findHistory(rows, history)),
    setSettings: (id, settings) =>
      write(async (rows) => {
        const { key, settings: before } = await findConversation(rows, id, 'records');
        const next = typeof settings === 'function' ? settings(before ?? undefined) : settings;
        await rows.setSettings(key, checkedSettings(next));
      }),
    fork: (ref, input) => write((rows) => forkBranch(rows, ref, input)),
    branches: (id) => read((rows) => branchesOf(rows, id)),
    tree: (conversation, { after, limit = MOST_IN_TREE } = {}) =>
      read((rows) => readTree(rows, { conversation, after, limit: checkedLimit(limit) })),
  } satisfies Partial<Log>;
}

function recordCalls({ read, write, world }: Calls) {
  return {
    findSummaryForBranch: (ref, options = {}) => read((rows) => summaryOn(rows, ref, options)),
    records: (ref, options = {}) => read((rows) => recordsOn(rows, ref, options)),
    history: (conversation, recordId) => read((rows) => historyOf(rows, conversation, recordId)),
    begin: (ref, id) => write((rows) => begin(rows, ref, { id: checkedName('record id', id), at: world.now() })),
    abandon: (conversation, id, reason) => write((rows) => abandon(rows, conversation, { id, reason })),
    publish: (ref, input) => write((rows) => publish(rows, ref, input)),
    undo: (ref, recordId) => write((rows) => undoOn(rows, { ...ref, recordId }, world)),
    redo: (ref) => write((rows) => redoOn(rows, ref, world)),
    restore: (ref, messageIds) => write((rows) => restoreOn(rows, { ...ref, messageIds }, world)),
  } satisfies Partial<Log>;
}

// A list of all of them is asked for without a limit; more than this would not be looked at.
const MOST_CONVERSATIONS = 1_000_000;
const MOST_IN_TREE = 10_000;

/** 128 random bits: an id nobody can guess. */
function newConversationId(): string {
  return crypto.randomUUID();
}

async function forgetConversation(rows: Rows, id: string): Promise<boolean> {
  const found = await rows.conversation(id, 'everything');
  if (found !== undefined) await rows.forget(found);
  return found !== undefined;
}
