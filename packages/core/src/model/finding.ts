/** Something noticed on the way, as data; sentences are made at the edge. */
export type Finding = {
  readonly code: FindingCode;
  readonly detail: string;
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
  | 'wrong-language'
  | 'secrets-redacted'
  | 'state-failed'
  | 'inflated'
  | 'chunked'
  | 'left-out'
  | 'unshrinkable'
  | 'invalid-output'
  | 'reasoning-dropped'
  | 'orphan-dropped'
  | 'deprecated-option';
