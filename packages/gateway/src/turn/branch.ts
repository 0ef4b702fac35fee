import {
  type BranchRef,
  isStoreError,
  type Log,
  type RecordEntry,
  type Snapshot,
  type StoredViewEntry,
} from '@epitome/store';
import type { Elsewhere, PartEdit, Policy } from 'epitome';
import { activeRecords, undosInForce } from 'epitome/record';
import { attemptsIn } from './attempts.ts';
import { type Chain, commonLength } from './chain.ts';
import type { Preparation } from './work.ts';

/**
 * One entry of a view: a message of the client's own by its place in the history, whole or less what records took out of it, or a
 * text of ours. The text of an edited one is what was made of it as it was first sent: by it the view is measured. What goes out
 * is made of what the client sends now.
 */
export type Shown =
  | { readonly kind: 'original'; readonly source: number }
  | { readonly kind: 'edited'; readonly source: number; readonly edits: readonly PartEdit[]; readonly text: string }
  | { readonly kind: 'ours'; readonly text: string; readonly source?: undefined };

/** A branch as it is remembered between requests. */
export type Branch = {
  readonly conversation: string;
  readonly name: string;
  /** Ids of all messages of the history. */
  ids: string[];
  shown: Shown[];
  /** Native values of what is shown, which is what the meter counts. */
  natives: unknown[];
  /** Characters of the natives, as what remembering them costs. */
  characters: number;
  /** The state the view was read in; messages may have come since. */
  snapshot: Snapshot;
  /** The newest compaction in force. */
  recordId: string | undefined;
  /** What the log says of earlier attempts on the view, as far as it was read. */
  attempts: Elsewhere | undefined;
  queue: Promise<unknown>;
  preparation: Preparation | undefined;
  /** Requests whose answers may be bound to this view and are out; when the last answer left a turn under way, by the process's clock. */
  out: Set<object>;
  steppedAt: number | undefined;
  /** The message that the last answer was to, where that ended its turn and has reached the client. */
  endedBehind: string | undefined;
};

/** Where a branch is read from. */
export type Source = {
  readonly log: Log;
  readonly chain: Chain;
  readonly reuse: Policy['reuse'];
  /** A branch whose history begins alike: what both hold is read once, and counted once. */
  readonly near?: Branch | undefined;
};

/** A branch as the store shows it, for a client whose history is `chain`. */
export async function readBranch(ref: Required<BranchRef>, source: Source): Promise<Branch> {
  const { chain } = source;
  const branch: Branch = {
    conversation: ref.conversation,
    name: ref.branch,
    ids: [...chain.ids],
    shown: [],
    natives: [],
    characters: 0,
    snapshot: { branch: ref.branch, version: 0 },
    recordId: undefined,
    attempts: undefined,
    queue: Promise.resolve(),
    preparation: undefined,
    out: new Set(),
    steppedAt: undefined,
    endedBehind: undefined,
  };
  await readView(branch, source);
  return branch;
}

/** Reads the view of a branch again. Without a record it is the history. All of it changes at once: others may look on. */
export async function readView(branch: Branch, source: Source): Promise<void> {
  const { log, chain, reuse } = source;
  const ref = { conversation: branch.conversation, branch: branch.name };
  const now = await log.snapshot(ref, { reuse });
  const { entries, snapshot } = now.version === 0 ? { snapshot: now } : await log.viewOf(ref, { reuse });
  const whole = chain.texts.map((_, at): Shown => ({ kind: 'original', source: at }));
  const shown = entries === undefined ? whole : shownOf(entries, chain);
  // A compaction into a very small window leaves out and inserts nothing: what is missing counts too.
  const isWhole = shown.length === whole.length && shown.every(({ kind }) => kind === 'original');
  const records = now.version === 0 ? [] : await log.records(ref, { reuse });
  const recordId = isWhole ? undefined : inForceOf(records, { chain, reuse });
  const attempts = attemptsIn(records, { shown, ids: chain.ids });
  // Somebody with a longer history may wait for this view: they add what is theirs when it is their turn.
  const ids = [...chain.ids];
  Object.assign(branch, viewFor(shown, { branch, ...source }), { recordId, attempts, snapshot, ids });
}

/** Reads the view again where it is no longer what the store shows, whoever changed it. */
export async function refresh(branch: Branch, source: Source): Promise<void> {
  if ((await stampIn(branch, source)) !== stampOf(branch.snapshot)) await readView(branch, source);
}

/** The same behind a compaction, which may have left a record that changes no view. */
export async function refreshAll(branch: Branch, source: Source): Promise<void> {
  const before = branch.snapshot;
  await refresh(branch, source);
  if (branch.snapshot !== before) return;
  const { conversation, name } = branch;
  const { log, reuse } = source;
  branch.attempts = attemptsIn(await log.records({ conversation, branch: name }, { reuse }), branch);
}

/** Whether the view is still what the store shows. */
export async function isCurrent(branch: Branch, source: Omit<Source, 'chain'>): Promise<boolean> {
  try {
    return (await stampIn(branch, source)) === stampOf(branch.snapshot);
  } catch (error) {
    if (!isForgotten(error)) throw error;
    return false;
  }
}

/** Whether what an error is about was deleted by its owner. */
export function isForgotten(error: unknown): boolean {
  return isStoreError(error) && (error.code === 'unknown-conversation' || error.code === 'unknown-branch');
}

/** The stamp of a branch as the store has it. */
export async function stampIn({ conversation, name }: Branch, { log, reuse }: Omit<Source, 'chain'>): Promise<string> {
  return stampOf(await log.snapshot({ conversation, branch: name }, { reuse }));
}

/** One value for one state of a branch's view: how many records stand on it, and what it was read with. */
export function stampOf({ version, reuse = 'strict' }: { version: number; reuse?: Policy['reuse'] }): string {
  return `${version} ${reuse}`;
}

function shownOf(entries: readonly StoredViewEntry[], chain: Chain): readonly Shown[] {
  const places = new Map(chain.ids.map((id, at) => [id, at]));
  return entries.flatMap(({ native: text, messageId, edits }): readonly Shown[] => {
    const source = messageId === undefined ? undefined : places.get(messageId);
    // Somebody else's longer history of the same branch: not what this client sent.
    if (messageId !== undefined && source === undefined) return [];
    if (source === undefined) return [{ kind: 'ours', text }];
    return [edits === undefined ? { kind: 'original', source } : { kind: 'edited', source, edits, text }];
  });
}

type View = Pick<Branch, 'shown' | 'natives' | 'characters'>;

function viewFor(
  shown: readonly Shown[],
  { chain, branch, near = branch }: Source & { readonly branch: Branch },
): View {
  const { texts } = chain;
  const read = nativesOf(near, commonLength(near.ids, chain.ids));
  const written = shown.map((entry) => (entry.kind === 'original' ? (texts[entry.source] ?? 'null') : entry.text));
  const natives = shown.map((entry, at): unknown => {
    const known = entry.kind === 'original' ? read.get(entry.source) : undefined;
    return known ?? JSON.parse(written[at] ?? 'null');
  });
  return { shown: [...shown], natives, characters: written.reduce((sum, text) => sum + text.length, 0) };
}

/** Native values of a branch's first messages, by their place. */
function nativesOf({ shown, natives }: Branch, length: number): ReadonlyMap<number, unknown> {
  const read = new Map<number, unknown>();
  for (const [at, entry] of shown.entries()) {
    if (entry.kind === 'original' && entry.source < length) read.set(entry.source, natives[at]);
  }
  return read;
}

/** The newest that stands on a branch by the rule its view is made by. */
function inForceOf(
  entries: readonly RecordEntry[],
  { chain, reuse }: Pick<Source, 'chain' | 'reuse'>,
): string | undefined {
  const records = entries.flatMap(({ record, state }) => (state === 'completed' || state === 'undone' ? record : []));
  const active = activeRecords(chain.ids, records, reuse).map(({ record }) => record);
  const edits = undosInForce(records).filter((record) => record.edits !== undefined);
  const shown = new Set([...active, ...edits].map(({ id }) => id));
  return records.findLast(({ id }) => shown.has(id))?.id;
}

/** Takes over what a client's history has more than the branch. */
export function extend(branch: Branch, { texts, ids }: Chain): void {
  for (let at = branch.ids.length; at < ids.length; at += 1) {
    const [id, text] = [ids[at], texts[at]];
    if (id === undefined || text === undefined) continue;
    branch.natives.push(JSON.parse(text));
    branch.ids.push(id);
    branch.shown.push({ kind: 'original', source: at });
    branch.characters += text.length;
  }
}
