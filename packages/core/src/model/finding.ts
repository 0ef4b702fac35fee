/** Something noticed on the way, as data; sentences are made at the edge. */
export type Finding = {
  readonly code: FindingCode;
  readonly detail: string;
  /** What it rests on, where that can be pointed at. */
  readonly evidence?: Evidence;
};

/** Where something was noticed. */
export type Evidence = {
  /** The line of the summary, as the model wrote it. */
  readonly line?: string;
  /** What kind of thing the value is, such as `path`. */
  readonly kind?: string;
  /** The very thing: an identifier, a command, what a user said. */
  readonly value?: string;
  /** The message that bears it out, or contradicts it. */
  readonly messageId?: string;
  /** A size that was measured, and the most it may be. */
  readonly tokens?: number;
  readonly limit?: number;
};

export type FindingCode =
  | 'counter-failed'
  | 'summary-empty'
  | 'summary-refused'
  | 'summary-error'
  | 'summary-echo'
  | 'summary-cut-off'
  | 'summary-huge'
  | 'summarizer-failed'
  | 'summarizer-timeout'
  | 'claim-unsupported'
  | 'claim-unconfirmed'
  | 'claim-undone'
  | 'instruction-quoted'
  | 'wrong-language'
  | 'secrets-redacted'
  | 'state-failed'
  | 'redactor-failed'
  | 'inflated'
  | 'chunked'
  | 'left-out'
  | 'unshrinkable'
  | 'invalid-output'
  | 'reasoning-dropped'
  | 'orphan-dropped'
  | 'deprecated-option';
