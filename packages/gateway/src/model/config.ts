import type { Prices } from 'epitome/economics';
import type { Scope } from './call.ts';
import type { Dialect, Upstream } from './dialect.ts';

/** What a rule of policy is for, and what it says; what it does not say is left to the rules before it. */
export type PolicyRule = {
  readonly when?: {
    /** A model's name, `*` for any run of characters. */
    readonly model?: string;
    readonly dialect?: Dialect;
    readonly upstream?: string;
    readonly path?: string;
    readonly key?: string;
  };
  readonly mode?: 'on' | 'off';
  readonly preset?: string;
  /** Tokens of the model's window. */
  readonly window?: number;
  readonly target?: number;
  readonly goal?: string;
  /** Further options of the preset, by name. */
  readonly options?: Readonly<Record<string, unknown>>;
};

/** A client key as it is kept: never the key itself. */
export type ClientKey = {
  readonly id: string;
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  readonly budget?: Budget;
};

/** What a key may spend; each figure fills up again evenly over its period. */
export type Budget = {
  readonly tokensPerDay?: number;
  /** By the prices known of the models used. */
  readonly dollarsPerDay?: number;
  readonly requestsPerMinute?: number;
};

/** What is known of the models a pattern matches, better than in the table of prices. */
export type ModelFacts = { readonly match: string; readonly window?: number; readonly prices?: Prices };

/** What a request may be at most. */
export type Limits = {
  readonly bodyBytes: number;
  readonly depth: number;
  /** Decompressed to compressed. */
  readonly ratio: number;
  readonly connectionsPerAddress: number;
  /** Bytes of conversations that are remembered between requests. */
  readonly memory?: number;
};

/** Milliseconds. */
export type Timeouts = {
  readonly header: number;
  readonly body: number;
  readonly idle: number;
  /** How long an upstream may take for its first byte, and between two. */
  readonly upstream: number;
  /** How long a stop waits for streams. */
  readonly shutdown: number;
};

/** Everything a gateway is told at its start, checked. */
export type Config = {
  readonly listen: { readonly host: string; readonly port: number };
  readonly upstreams: readonly Upstream[];
  /** Windows and prices that are known here; the first match holds. */
  readonly models?: readonly ModelFacts[];
  /** Later rules add to earlier ones. */
  readonly policies: readonly PolicyRule[];
  /** Without keys callers bring their own, which go through to the upstream. */
  readonly keys: readonly ClientKey[];
  /** Without client keys: the tenant all callers share, in place of one for each provider's key. */
  readonly sharedTenant?: string;
  /** Names a Host header may have beside localhost and its addresses. */
  readonly hosts: readonly string[];
  readonly limits: Limits;
  readonly timeouts: Timeouts;
  /** `mechanical`, or PROVIDER/MODEL. */
  readonly summarizer: string;
  /** Where the store is; the user's own file where it is absent. */
  readonly store?: string;
  readonly log: 'silent' | 'error' | 'warn' | 'info' | 'debug';
};
