import type { Policy } from 'epitome';
import type { Prices } from 'epitome/economics';
import type { Caller } from './call.ts';
import type { Dialect } from './dialect.ts';

/** What a policy is resolved from. */
export type PolicyQuestion = {
  readonly dialect: Dialect;
  readonly model: string;
  readonly upstream: string;
  /** The path at the upstream, and where that is another, the one that was asked for: with the upstream's name in front. */
  readonly path: string;
  readonly asked?: string;
  readonly caller: Caller;
  /** The `x-epitome-*` headers of the request, names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** What is to be done with one request. */
export type Resolved = {
  /** `off`: the request goes through and nothing is kept. `dry-run`: what would be done is told, and nothing is changed. */
  readonly mode: 'on' | 'off' | 'dry-run';
  readonly policy: Policy;
  /** Where the window is not known and had to be assumed. */
  readonly isWindowAssumed: boolean;
  /** What the model charges, where that is known; dollars per million tokens. */
  readonly prices?: Prices;
  readonly goal?: string;
  /** Compact now, whatever the size. */
  readonly force: boolean;
  /** Refuse a history that would make a branch. */
  readonly linear?: boolean;
  /** A name the client gives its conversation. */
  readonly conversation?: string;
};
