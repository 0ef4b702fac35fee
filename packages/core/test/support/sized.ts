import type { Counter, Ports } from '../../src/index.ts';
import { builders } from '../../src/testing/index.ts';

const { user, assistant } = builders['openai-chat'];

// What a meter adds to each message for role and delimiters.
const OVERHEAD = 4;

/** Counts a text by the number it begins with, so that a test says how large a message is. */
const labelled: Counter = (text) => Number(/^#(\d+)/.exec(text)?.[1] ?? 0);

/** A user message of exactly that many tokens. */
export function asks(tokens: number): unknown {
  return user(`#${tokens - OVERHEAD}`);
}

/** An answer of exactly that many tokens. */
export function answers(tokens: number): unknown {
  return assistant(`#${tokens - OVERHEAD}`);
}

/** A history of that many tokens in prompts and answers of equal size; the last takes the rest. */
export function exchange(tokens: number, messages: number): readonly unknown[] {
  const each = Math.floor(tokens / messages);
  return Array.from({ length: messages }, (_, at) => {
    const size = at === messages - 1 ? tokens - each * (messages - 1) : each;
    return at % 2 === 0 ? asks(size) : answers(size);
  });
}

/** Ports of the tables: labelled sizes, a clock that stands still, ids that count. */
export function tablePorts(more: Ports = {}): Ports {
  let ids = 0;
  const newId = (): string => {
    ids += 1;
    return `r${ids}`;
  };
  return { counter: labelled, now: () => NOW, newId, ...more };
}

/** The time of all tables. */
export const NOW = 1_750_000_000_000;
