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
  /** Status of a file before its newest call, which may turn out to have failed. */
  readonly was?: string;
};

/** All facts of a conversation so far, by key, and how far it reaches. Plain data. */
export type Ledger = LedgerScope & { readonly entries: Readonly<Record<string, Entry>> };

/** What a ledger stands for. */
export type LedgerScope = {
  /** Index of the newest message. */
  readonly newest: number;
  /** Characters of the messages it was taken from, where somebody counted them. */
  readonly chars?: number;
  /** Facts of each kind that a record had no room for: `recall` finds them. One that is left out in two rounds counts twice. */
  readonly left?: Readonly<Partial<Record<FactKind, number>>>;
};

/** A ledger as a record keeps it: no word twice that can be told by its place. */
export type PackedLedger = LedgerScope & {
  /** Ids of the messages that facts name. */
  readonly ids: readonly string[];
  readonly facts: Readonly<Partial<Record<FactKind, readonly PackedEntry[]>>>;
};

/**
 * An entry without names: its value, its context (empty where it is the value), its figures, its status and its call (empty
 * for none). The figures: places of `firstId` and `lastId` among the ids (-1: unknown), `first`, `last`, `lastOwn`,
 * `messages`, `own`, counts in prompts, answers, calls and results, `among`.
 */
export type PackedEntry = readonly [
  value: string,
  context: string,
  figures: readonly number[],
  status?: string,
  call?: string,
];
