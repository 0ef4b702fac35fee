import type { Store } from '@epitome/store';
import type { Ports } from 'epitome';
import type { Bodies } from '../dialects/bodies.ts';
import type { Reading } from '../dialects/reading.ts';
import type { Caller } from '../model/call.ts';
import type { Dialect } from '../model/dialect.ts';
import type { ExchangeSpan, Guard, Observer } from '../model/parts.ts';
import type { Resolved } from '../model/policy.ts';
import type { SummarizerName, TurnReport, Usage } from '../model/report.ts';
import type { Trees } from './cache.ts';
import type { Chain } from './chain.ts';

/** What all turns of a gateway share. */
export type Plane = {
  readonly store: Store;
  /** Summarizer, counter and the like, as they are to be used now. */
  readonly engine: () => Ports;
  /** Milliseconds until the summarizer may be asked again that said it has too much to do; 0 where it did not. */
  readonly waitMs: () => number;
  readonly trees: Trees;
  readonly bodies: Bodies;
  /** Windows that turned out smaller than the policy's, as providers said or as was found out; see `limits.ts`. */
  readonly limits: Map<string, number>;
  readonly observer: Pick<Observer, 'compactionEnded' | 'fault'>;
  /** The model that writes summaries, and who is told what it took. */
  readonly summarizer: SummarizerName;
  readonly spend: Guard['budget']['spend'];
};

/** One request that may be compacted. */
export type TurnAsk = {
  /** `count`: only what is in force is applied; nothing is kept, nothing compacted. */
  readonly kind: 'turn' | 'count';
  readonly caller: Caller;
  readonly dialect: Dialect;
  /** The upstream it goes to. */
  readonly upstream: string;
  /** The request it is part of, for whoever traces it. */
  readonly span: ExchangeSpan;
  readonly model: string;
  readonly reading: Reading;
  readonly chain: Chain;
  readonly resolved: Resolved;
};

/** A turn with what it needs. */
export type Taking = { readonly plane: Plane; readonly ask: TurnAsk };

/** A request ready to be sent. */
export type Turn = {
  /** The body; `undefined`: the client's own bytes. */
  readonly body?: string;
  readonly report: TurnReport;
  /** Told what the provider reported of it. */
  readonly onUsage: (usage: Usage) => void;
  /** Told when the answer has ended, whichever way. */
  readonly onEnd: (end: TurnEnd) => void;
  /** A smaller request after the provider said that this one is too long; `undefined` where there is none. */
  readonly onOverflow: (told: Overflow, signal: AbortSignal) => Promise<Turn | undefined>;
};

/** How an answer ended. */
export type TurnEnd = {
  /** What it holds that only its model can read. */
  readonly seals: readonly string[];
  /** What becomes of the turn it belongs to: it calls tools, it says that it is over and the client has it whole, or nobody knows. */
  readonly turn: 'calls-tools' | 'over' | 'open';
  /** What came of an answer that did not come to its end. */
  readonly partial?: PartialAnswer;
};

/** Part of an answer: `incomplete`, the upstream broke off; `gone`, the client went. */
export type PartialAnswer = { readonly end: 'incomplete' | 'gone'; readonly bytes: number; readonly words: string };

/** What a provider said when a request was too long for it, in tokens. */
export type Overflow = { readonly limit?: number; readonly requested?: number };

/** A turn that leaves the request as it is. */
export function untouched(report: TurnReport): Turn {
  return { report, onUsage: () => {}, onEnd: () => {}, onOverflow: async () => undefined };
}
