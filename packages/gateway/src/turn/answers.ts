import { inOrder } from './cache.ts';
import { changeNotes, fingerprint } from './notes.ts';
import type { Sending } from './sending.ts';

/**
 * Notes who made an answer and behind which view, before the next request of the conversation is looked at: its client sends it
 * back as if it were anybody's, behind whatever view there is then.
 */
export function noteAnswer(sending: Sending, seals: readonly string[], stamp: string): void {
  const { tree, log, ask, branch, plane } = sending;
  if (seals.length === 0 || ask.model === '') return;
  tree.isSealed = true;
  const { model } = ask;
  const noting = inOrder(tree, () =>
    changeNotes(log, branch.conversation, (notes) => {
      const own = seals.map((seal) => ({ seal: fingerprint(seal), model, stamp }));
      const known = new Set(own.map(({ seal }) => seal));
      return { ...notes, answers: [...notes.answers.filter(({ seal }) => !known.has(seal)), ...own] };
    }),
  );
  noting.catch((cause: unknown) => plane.observer.fault('answer', cause));
}
