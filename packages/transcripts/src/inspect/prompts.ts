import { decodeAll } from '../convert/convert.ts';
import { defined } from '../model/json.ts';
import type { Branch, Session } from '../model/session.ts';
import { entriesOf } from '../tree/messages.ts';
import { promptWords } from './heavy.ts';

/** The turns of a branch, and how the first and the last prompt begin. */
export type Turns = {
  readonly turns: number;
  readonly prompts: { readonly first?: string; readonly last?: string };
};

/** Counts the prompts among entries: what a person wrote, not what the program sends in their name. */
export function turnsOf({ entries, format }: Session, path: readonly number[]): Turns {
  const prompts = path.filter((index) => entries[index]?.isPrompt);
  const wordsOf = (index: number | undefined): string | undefined =>
    index === undefined ? undefined : promptWords(decodeAll(entries[index]?.natives ?? [], format)[0]) || undefined;
  const last = prompts.length > 1 ? prompts.at(-1) : undefined;
  return { turns: prompts.length, prompts: defined({ first: wordsOf(prompts[0]), last: wordsOf(last) }) };
}

/** How the first prompt of a branch begins; `undefined` where it has none. */
export function firstPrompt(session: Session, branch: Branch | undefined = session.branches[0]): string | undefined {
  return turnsOf(session, entriesOf(session, branch?.leaf ?? -1)).prompts.first;
}
