import type { Dialect } from '../model/dialect.ts';
import { inOrder, type Trees } from './cache.ts';
import { changeNotes, fingerprint, type IncompleteNote } from './notes.ts';
import type { TurnEnd } from './plane.ts';
import type { Sending } from './sending.ts';

// Of the others' thinking none is bound to what stands in front of it.
const BINDING: ReadonlySet<Dialect> = new Set(['anthropic', 'openai-chat']);

/** Notes that a request goes out whose answer may be bound to the view it is made behind. */
export function asked(sending: Sending): void {
  const { branch, tree, ask } = sending;
  const { fields } = ask.reading;
  // Who asks for an answer again has not taken the last one.
  branch.endedBehind = undefined;
  const mayThink = tree.isSealed || fields.has('thinking') || fields.has('reasoning_effort');
  if (mayThink && BINDING.has(ask.dialect)) branch.out.add(sending);
}

/**
 * Notes who made an answer and behind which view, before the next request of the conversation is looked at: its client sends it
 * back as if it were anybody's, behind whatever view there is then.
 */
export function answered(sending: Sending, end: TurnEnd, stamp: string): void {
  const { tree, log, ask, branch, plane } = sending;
  const { seals, turn, partial } = end;
  const isBound = branch.out.delete(sending) && seals.length > 0;
  branch.steppedAt = isBound && turn === 'calls-tools' ? performance.now() : undefined;
  branch.endedBehind = turn === 'over' ? ask.chain.ids.at(-1) : undefined;
  const isSealed = seals.length > 0 && ask.model !== '';
  if (!isSealed && partial === undefined) return;
  tree.isSealed ||= isSealed;
  const noting = inOrder(tree, () =>
    changeNotes(log, branch.conversation, (notes) => {
      const own = isSealed ? seals.map((seal) => ({ seal: fingerprint(seal), model: ask.model, stamp })) : [];
      const known = new Set(own.map(({ seal }) => seal));
      const answers = [...notes.answers.filter(({ seal }) => !known.has(seal)), ...own];
      return { ...notes, answers, incomplete: [...notes.incomplete, ...noteOf(sending, partial)] };
    }),
  );
  noting.catch((cause: unknown) => plane.observer.fault('answer', cause));
}

/** What came is kept beside the log: what was really said is what the client's next request holds. */
function noteOf({ branch, ask: { chain } }: Sending, partial: TurnEnd['partial']): readonly IncompleteNote[] {
  const after = chain.ids.at(-1);
  if (partial === undefined || after === undefined) return [];
  const { end, bytes, words } = partial;
  return [{ after, branch: branch.name, at: Date.now(), end, bytes, text: words }];
}

/** A branch of a tenant's conversation. */
export type Whose = { readonly tenant: string; readonly conversation: string; readonly branch: string };

/** What this process knows of the last turn of a branch. */
export type LastTurn =
  /** Its thinking may be needed, and holds only behind the view as it is. */
  | { readonly kind: 'under-way' }
  /** It is over, though the log holds the answer to this message only with the next request. */
  | { readonly kind: 'ended'; readonly behind: string }
  | { readonly kind: 'unknown' };

/** Looks up whether a turn of a branch is under way here. */
export function lastTurn(trees: Trees, { tenant, conversation, branch: name }: Whose): LastTurn {
  const since = performance.now() - LONGEST_STEP_MS;
  let behind: string | undefined;
  for (const tree of trees.all()) {
    if (tree.tenant !== tenant || tree.conversation !== conversation) continue;
    const branch = tree.branches.find((each) => each.name === name);
    if (branch === undefined) continue;
    if (branch.out.size > 0 || (branch.steppedAt ?? since) > since) return { kind: 'under-way' };
    behind ??= branch.endedBehind;
  }
  return behind === undefined ? { kind: 'unknown' } : { kind: 'ended', behind };
}

// A client that went away in the middle of a turn must not keep its conversation from being changed for ever.
const LONGEST_STEP_MS = 10 * 60_000;
