/** A text without its secrets, and what was taken out. */
export type Redaction = {
  readonly text: string;
  /** How many secrets of each kind; never the secrets. */
  readonly found: readonly SecretCount[];
};

/** How often one kind of secret was found. */
export type SecretCount = { readonly kind: string; readonly count: number };

/**
 * Takes secrets out of a text; `redactSecrets` is one. It may be asynchronous. Wrap another one in `safely`: a redactor
 * that throws, hangs or returns nonsense must never stop a compaction. Only an asynchronous one can be given up on.
 */
export type Redactor = (text: string, signal: AbortSignal) => Redaction | PromiseLike<Redaction>;

/** What stands in the place of a secret. */
export function placeholder(kind: string): string {
  return `[redacted:${kind}]`;
}
