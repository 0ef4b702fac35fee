import type { Brief, Draft, Outcome } from 'epitome';
import type { Caller } from './call.ts';
import type { Dialect } from './dialect.ts';

/**
 * What was done with a request. `passed`: it is no conversation, or compaction is off. `kept`: nothing was due, the bytes are
 * the client's. `reused`: an earlier compaction is in force. `compacted`: one was made now. `planned`: a dry run says one is
 * due. `failed`: something of ours failed, and the client's own request went out. `refused`: the gateway did not take it.
 */
export type TurnStatus = 'passed' | 'kept' | 'reused' | 'compacted' | 'planned' | 'failed' | 'refused';

/** What a provider reported of one call, in tokens. */
export type Usage = {
  /** All prompt tokens, cached ones included. */
  readonly input: number;
  /** Tokens of the request itself, where the provider asked its model more than that. */
  readonly prompt?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
};

/** What a request says of itself. */
export type AskedFacts = {
  readonly maxTokens?: number;
  readonly reasoning?: string;
  readonly previousResponse?: string;
};

/** What an answer says of itself. */
export type AnswerFacts = {
  readonly id?: string;
  /** The model that answered, by the name it gives itself. */
  readonly model?: string;
  /** Why each of its candidates ended, in the provider's words. */
  readonly finishReasons?: readonly string[];
  /** What became of it, where the protocol says so: `completed`, `incomplete`, … */
  readonly status?: string;
};

/** What a gateway did with one request, for the answer's headers, logs, metrics and spans. Holds no content. */
export type TurnReport = {
  readonly status: TurnStatus;
  /** Why, as a short name: `below-threshold`, `off`, `store-unavailable`, … */
  readonly reason: string;
  /** Estimated tokens of the request as the client sent it, and as it went out. */
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  readonly conversation?: string;
  readonly branch?: string;
  /** The newest compaction in force. */
  readonly recordId?: string;
  /** What the compaction costs over the calls left, in the prices' currency; below 0 it saves. */
  readonly netCost?: number;
  /** True where reasoning was left out that the model asked could not read, or not behind what is sent. */
  readonly isReasoningLeftOut?: boolean;
  /** True where reasoning of another model went out, because the turn under way needs it. */
  readonly isReasoningKept?: boolean;
  /** Why the request went out whole though a compaction was due, in words for whoever sent it. */
  readonly notice?: string;
  /** True where the provider's context-length error made us compact and send again. */
  readonly retried?: boolean;
};

/** One call through the gateway, once it has ended. */
export type Exchange = {
  readonly dialect: Dialect | 'none';
  readonly upstream: string;
  readonly method: string;
  readonly path: string;
  readonly caller: Caller;
  readonly model?: string;
  readonly isStream: boolean;
  /** What was asked of a model; `undefined` where nothing was. */
  readonly operation?: 'chat' | 'count_tokens';
  /** What the client saw. */
  readonly status: number;
  readonly report: TurnReport;
  readonly usage?: Usage;
  readonly answer?: AnswerFacts;
  /** What the request says of itself, as far as spans tell it. */
  readonly asked?: AskedFacts;
  /** Where it was sent. */
  readonly server?: { readonly address: string; readonly port: number };
  /** `complete`: to the end. `incomplete`: the upstream broke off. `gone`: the client went. */
  readonly end: 'complete' | 'incomplete' | 'gone';
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Milliseconds: in all, and until the first byte of the answer. */
  readonly durationMs: number;
  readonly firstByteMs?: number;
};

/** What somebody spent on a model. */
export type Spending = Pick<Exchange, 'caller' | 'model' | 'usage'>;

/** One call of a summarizer, without a word of what was said. */
export type SummarizerCall = Pick<Brief, 'purpose' | 'maxTokens' | 'model'> &
  Pick<Draft, 'usage' | 'finish'> & {
    readonly startedAt: number;
    readonly durationMs: number;
    /** What kind of error it ended with. */
    readonly error?: string;
  };

/** Who writes summaries: `openai`, `anthropic`, …, and the model by its own name. */
export type SummarizerName = { readonly provider: string; readonly model: string };

/** A compaction that a request caused, once it has ended. */
export type CompactionNews = {
  readonly caller: Caller;
  /** Absent where a request was compacted by itself. */
  readonly conversation?: string;
  readonly branch?: string;
  readonly trigger: 'threshold' | 'overflow' | 'manual' | 'prepared';
  readonly outcome: Outcome;
  readonly published: 'published' | 'superseded' | 'nothing';
  readonly startedAt: number;
  readonly durationMs: number;
  /** Calls of the summarizer in the order they ended, and who that is. */
  readonly calls?: readonly SummarizerCall[];
  readonly summarizer?: SummarizerName;
  /** Bytes of the messages before and after, and of those at the start that stayed as they were. */
  readonly bytes?: { readonly before: number; readonly after: number; readonly prefixKept: number };
};
