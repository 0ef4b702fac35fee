import { hash } from 'node:crypto';
import { chainedId } from '@epitome/store';
import type { Reading } from '../dialects/reading.ts';
import { fieldsOf } from '../json/values.ts';
import type { Dialect } from '../model/dialect.ts';

/** A history as a client sent it: each message's text and its id, which stands for all messages up to it. */
export type Chain = {
  readonly texts: readonly string[];
  readonly ids: readonly string[];
};

/** The one pass over a history that a turn costs, or over what follows the messages whose ids are known. */
export function chainOf({ messages: texts = [] }: Reading, known: readonly string[] = []): Chain {
  let previous = known.at(-1) ?? '';
  const fresh = texts.slice(known.length).map((text) => {
    previous = chainedId(previous, text);
    return previous;
  });
  return { texts, ids: known.concat(fresh) };
}

/** What a conversation's name is made from where the client gives none. */
export type Beginning = {
  readonly tenant: string;
  readonly dialect: Dialect;
  readonly reading: Reading;
  readonly chain: Chain;
};

/**
 * The same for every request that begins alike: with the same messages up to the first prompt, in the same session of a
 * client where it names one. Whatever differs behind that is a branch.
 */
export function conversationOf({ tenant, dialect, reading, chain }: Beginning): string {
  const root = chain.ids[firstPrompt(reading, dialect)] ?? '';
  const beginning = JSON.stringify([tenant, dialect, reading.session, root]);
  return `c-${hash('sha256', beginning, 'base64url').slice(0, 22)}`;
}

/** The place of the first prompt of a history. */
export function firstPrompt({ messages = [] }: Reading, dialect: Dialect): number {
  const found = messages.findIndex((text) => isPromptLike(JSON.parse(text), dialect));
  return Math.max(found, 0);
}

function isPromptLike(message: unknown, dialect: Dialect): boolean {
  const { role } = fieldsOf(message);
  return role === 'user' || (dialect === 'gemini' && role === undefined);
}

/** How many messages two chains have in common at their start. Ids stand for all in front of them, so halving finds it. */
export function commonLength(one: readonly string[], other: readonly string[]): number {
  let low = 0;
  let high = Math.min(one.length, other.length);
  if (high === 0 || one[high - 1] === other[high - 1]) return high;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (one[middle - 1] === other[middle - 1]) low = middle;
    else high = middle - 1;
  }
  return low;
}
