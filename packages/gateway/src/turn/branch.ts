import type { BranchRef, Log, StoredViewEntry } from '@epitome/store';
import { type Compactor, type CostModel, createCompactor, type Fixed, type FormatName, type Policy } from 'epitome';
import { reprint } from '../json/reprint.ts';
import type { Chain } from './chain.ts';
import type { Preparation } from './work.ts';

/** One entry of a view: a message of the client's own, by its place in the history, or a text of ours. */
export type Shown =
  | { readonly kind: 'original'; readonly source: number }
  | { readonly kind: 'ours'; readonly text: string; readonly source?: number };

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
  /** The branch's version and what it was read with when the view was read. */
  stamp: string;
  /** The newest compaction in force, and tokens that all of them save. */
  recordId: string | undefined;
  saved: number;
  meter: Metered | undefined;
  /** Counts turns, so that reported usage is held against the request it is about. */
  turn: number;
  queue: Promise<unknown>;
  preparation: Preparation | undefined;
};

/** A meter with what it was made for. */
type Metered = {
  readonly compactor: Compactor;
  readonly policy: Policy;
  readonly written: string;
  readonly fixed: string;
};

/** What decides how a branch is measured. */
export type Measuring = {
  readonly format: FormatName;
  readonly policy: Policy;
  readonly fixed: Fixed;
  /** System prompt and tools as the client wrote them, to see whether they changed. */
  readonly fixedText: string;
  readonly costs?: CostModel | undefined;
};

/**
 * The meter of a branch: it counts what is new and remembers the rest. It is given the view as if it were the whole history,
 * which it is for the provider.
 */
export function meterOf(branch: Branch, { format, policy, fixed, fixedText, costs }: Measuring): Compactor {
  const known = branch.meter;
  const written = known?.policy === policy ? known.written : writtenPolicy(policy);
  if (known?.written === written && known.fixed === fixedText) return known.compactor;
  const isSame = known?.written === written;
  const ports = costs === undefined ? {} : { costs };
  const compactor = isSame ? known.compactor : createCompactor({ format, policy, ...fixed }, ports);
  if (isSame) compactor.setFixed(fixed);
  branch.meter = { compactor, policy, written, fixed: fixedText };
  return compactor;
}

function writtenPolicy(policy: Policy): string {
  return JSON.stringify(policy, (_, value: unknown) => (typeof value === 'function' ? String(value) : value));
}

/** Where a branch is read from. */
export type Source = { readonly log: Log; readonly chain: Chain; readonly reuse: Policy['reuse'] };

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
    stamp: '',
    recordId: undefined,
    saved: 0,
    meter: undefined,
    turn: 0,
    queue: Promise.resolve(),
    preparation: undefined,
  };
  await readView(branch, source);
  return branch;
}

/** Reads the view of a branch again. Without a record it is the history. */
export async function readView(branch: Branch, source: Source): Promise<void> {
  const { log, chain, reuse } = source;
  branch.stamp = await stampOf(branch, source);
  // Somebody with a longer history may wait for this view: they add what is theirs when it is their turn.
  branch.ids = [...chain.ids];
  branch.meter = undefined;
  branch.recordId = undefined;
  branch.saved = 0;
  const ref = { conversation: branch.conversation, branch: branch.name };
  const entries = branch.stamp.startsWith('0 ') ? undefined : (await log.viewOf(ref, { reuse })).entries;
  const isWhole = entries === undefined || entries.every(({ recordId }) => recordId === undefined);
  show(
    branch,
    isWhole ? chain.texts.map((_, source) => ({ kind: 'original', source })) : shownOf(entries, chain),
    chain,
  );
  if (!isWhole) await readRecords(branch, log);
}

/** One value for one state of a branch's view. */
export async function stampOf({ conversation, name }: Branch, { log, reuse }: Omit<Source, 'chain'>): Promise<string> {
  const { version } = await log.snapshot({ conversation, branch: name }, { reuse });
  return `${version} ${reuse}`;
}

function shownOf(entries: readonly StoredViewEntry[], chain: Chain): readonly Shown[] {
  const places = new Map(chain.ids.map((id, at) => [id, at]));
  return entries.flatMap(({ native, messageId, recordId }): readonly Shown[] => {
    const source = messageId === undefined ? undefined : places.get(messageId);
    // Somebody else's longer history of the same branch: not what this client sent.
    if (messageId !== undefined && source === undefined) return [];
    if (source !== undefined && recordId === undefined) return [{ kind: 'original', source }];
    if (source === undefined) return [{ kind: 'ours', text: native }];
    return [{ kind: 'ours', text: reprint(JSON.parse(native), chain.texts[source] ?? native), source }];
  });
}

function show(branch: Branch, shown: readonly Shown[], { texts }: Chain): void {
  branch.shown = [...shown];
  const written = shown.map((entry) => (entry.kind === 'original' ? (texts[entry.source] ?? 'null') : entry.text));
  branch.natives = written.map((text): unknown => JSON.parse(text));
  branch.characters = written.reduce((sum, text) => sum + text.length, 0);
}

async function readRecords(branch: Branch, log: Log): Promise<void> {
  const entries = await log.records({ conversation: branch.conversation, branch: branch.name });
  for (const { record, state } of entries) {
    if (state !== 'completed' || record.kind !== 'compaction' || record.inserts.length + record.edits.length === 0)
      continue;
    branch.recordId = record.id;
    branch.saved += record.tokens.before - record.tokens.after;
  }
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
