/** What a fact is, in the order reports list them. */
export const FACT_KINDS = [
  'demand',
  'decision',
  'todo',
  'file',
  'command',
  'error',
  'path',
  'url',
  'id',
  'symbol',
  'constant',
  'flag',
  'version',
  'number',
  'date',
  'name',
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** Where in a message a fact stands: a prompt, the assistant's words, a call's arguments or a result. */
export type FactOrigin = 'prompt' | 'answer' | 'call' | 'result';

/** One fact over all messages that have it. */
export type Entry = {
  readonly kind: FactKind;
  readonly value: string;
  readonly context: string;
  readonly status?: string;
  /** First and last message that has it, and the last in which the assistant used it itself (-1: never). */
  readonly first: number;
  readonly last: number;
  readonly lastOwn: number;
  /** Ids of the first and last message that has it, where they are known: `recall` finds it there. */
  readonly firstId?: string;
  readonly lastId?: string;
  /** Messages that have it, and those in which the assistant used it. */
  readonly messages: number;
  readonly own: number;
  readonly counts: Readonly<Record<FactOrigin, number>>;
  /** Fewest identifiers it shared a text with. */
  readonly among: number;
  readonly call?: string;
};

/** All facts of a conversation so far, by key, and how far it reaches. Plain data. */
export type Ledger = { readonly entries: Readonly<Record<string, Entry>>; readonly newest: number };
