import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Call, Caller, Refusal, Reply } from './call.ts';
import type { PolicyQuestion, Resolved } from './policy.ts';
import type { CompactionNews, Exchange, Spending, Usage } from './report.ts';

/** What stands in front of the router: who may come in, and with what. */
export type Guard = {
  /** Whether a connection may stay, before it says anything; all may where this is absent. */
  readonly connects?: (socket: Socket) => boolean;
  /** Checks that need no body: Host, Origin, the shape of the headers, connections of one address. */
  readonly admit: (request: IncomingMessage) => Refusal | undefined;
  /** Who calls, or why they may not; the same answer in the same time whatever is wrong with a key. */
  readonly authenticate: (request: IncomingMessage) => Caller | Refusal;
  /** The body, decompressed, within size, depth, time and ratio, valid UTF-8. */
  readonly bodyOf: (request: IncomingMessage, signal: AbortSignal, join?: Join) => Promise<Buffer | Refusal>;
  /** Whether a caller has budget left; told of what was used afterwards. */
  readonly budget: {
    readonly check: (caller: Caller) => Refusal | undefined;
    /** Sets aside what a request may take, so that others at the same time do not count on it; nothing where this is absent. */
    readonly hold?: (holding: Holding) => Hold | Refusal;
    readonly spend: (spending: Spending) => void;
  };
};

/** A request that asks a model, and what it may take at most as far as is known. */
export type Holding = { readonly caller: Caller; readonly model: string; readonly estimate: () => Usage };

/** What is set aside for a request under way. */
export type Hold = {
  /** It is known better what it may take. */
  readonly adjust: (estimate: Usage) => void;
  /** What is set aside; absent where the caller has no budget. */
  readonly held?: () => Usage;
  /** It has ended: what it took is counted by itself. */
  readonly release: () => void;
};

/** Makes one piece of those that a body came in, which are gone then. */
type Join = (pieces: readonly Buffer[]) => Joined;

/** A body, and how many bytes at its start were found to be as they should before, up to the end of a message in its list. */
export type Joined = { readonly bytes: Buffer; readonly checked: number };

/** What policy a request has, or why its headers cannot be read. */
export type Policies = { readonly resolve: (question: PolicyQuestion) => Resolved | Refusal };

/** Paths of the gateway's own: conversations, health, metrics. `undefined`: not one of them. */
export type Api = { readonly handle: (call: Call, body: Buffer) => Promise<Reply | undefined> };

/** Who is told what happens. Nothing it does may hold a request up, or throw. */
export type Observer = {
  /** Somebody was not let in. */
  readonly refused?: (refusal: Refusal) => void;
  readonly exchangeStarted: (call: Call) => ExchangeSpan;
  readonly exchangeEnded: (ended: Exchange, span: ExchangeSpan) => void;
  readonly compactionEnded: (news: CompactionNews, span?: ExchangeSpan) => void;
  /** The summarizer failed so often that it is left alone for a while, or works again. */
  readonly summarizer?: (state: 'resting' | 'working') => void;
  /** A fault of ours that the client was spared: what failed, and where; never content. */
  readonly fault: (where: string, cause: unknown) => void;
};

/** A handle that an observer gave out; nobody else looks into it. */
export type ExchangeSpan = { readonly id: string };
