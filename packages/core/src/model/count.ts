/** Where a figure comes from: a provider's usage report, or our own estimate. */
export type Basis = 'reported' | 'estimated';

/** A token count that remembers its origin, so that unlike ones do not compare. */
export type Count<B extends Basis = Basis> = { readonly basis: B; readonly tokens: number };

/** True when `after` is smaller. Both sides must have the same basis: mixing them is a compile error. */
export function shrank<B extends Basis>(before: Count<B>, after: Count<NoInfer<B>>): boolean {
  return after.tokens < before.tokens;
}

/**
 * A figure as it is told: whole tokens, rounded up. Fractions added up in another order differ in their last digits, and
 * must not make a token more.
 */
export function wholeTokens(tokens: number): number {
  return Math.max(Math.ceil(tokens - 1e-6), 0);
}

/** Counts the tokens of a text. A counter that throws or returns no finite number gives `failed-token-count`. */
export type Counter = (text: string) => number;

/** The sizes of one request, all by the same meter. */
export type Sizes = {
  readonly basis: Basis;
  /** System prompt, tool schemas and system messages of the list: they go out with every request. */
  readonly fixed: number;
  /** Tokens of each message, in order. */
  readonly messages: readonly number[];
  /** All of `messages` but system messages. */
  readonly history: number;
  /** `fixed + history`. */
  readonly request: number;
};
