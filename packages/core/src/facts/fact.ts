import type { FactKind, FactOrigin } from '../model/facts.ts';

/** One exact thing taken from one message. */
export type Fact = {
  readonly kind: FactKind;
  readonly value: string;
  /** Index of the message it came from, and its id where that is known. */
  readonly source: number;
  readonly id?: string;
  readonly origin: FactOrigin;
  /** The words around it, as they stand in the message. */
  readonly context: string;
  /** Times it occurs there. */
  readonly count: number;
  /** Identifiers that stand beside it in the same text: one of a thousand in a listing matters less than one of three. */
  readonly among: number;
  /** State of a todo, exit code of a command, what was done to a file. */
  readonly status?: string;
  /** Id of the tool call that the fact is about. */
  readonly call?: string;
};

/** What a later message tells of a command or a task that an earlier one named: how it ended, or its number in a list. */
export type News = {
  readonly kind: 'news';
  readonly about: 'command' | 'todo' | 'file';
  readonly source: number;
  /** Id of the call that named it, or its number such as `task 3`. */
  readonly call: string;
  readonly status?: string;
  readonly task?: string;
  /** Only the output itself tells it: of what prints a log it may be the log's. */
  readonly isSaid?: true;
};

/** What a message gives: facts, and news of those that others gave. */
export type Extracted = Fact | News;

/** Under what two spellings may be one fact: a path goes by its last two segments, a number without its unit. */
export function factKey({ kind, value }: Pick<Fact, 'kind' | 'value'>): string {
  if (kind === 'number') return isPlain(value) ? value : (NUMERIC.exec(value)?.[0] ?? value);
  if (kind !== 'path' && kind !== 'file') return value;
  const end = isSlash(value.charCodeAt(value.length - 1)) ? value.length - 1 : value.length;
  const key = value.slice(keyStart(value), end);
  return key.includes('\\') ? key.replace('\\', '/') : key;
}

const NUMERIC = /\d[\d.,]*(?<=\d)/;

function isPlain(value: string): boolean {
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

/** Where the last two segments of a path begin, without dots that only lead there. */
function keyStart(text: string): number {
  let at = isSlash(text.charCodeAt(text.length - 1)) ? text.length - 2 : text.length - 1;
  for (let slashes = 0; at >= 0; at -= 1) {
    if (!isSlash(text.charCodeAt(at))) continue;
    slashes += 1;
    if (slashes === 2) break;
  }
  const from = at + 1;
  if (text.charCodeAt(from) !== 46) return from;
  if (text.startsWith('./', from)) return from + 2;
  return text.startsWith('../', from) ? from + 3 : from;
}

function isSlash(code: number): boolean {
  return code === 47 || code === 92;
}
