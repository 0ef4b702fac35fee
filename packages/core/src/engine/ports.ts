import type { Summarizer } from '../model/brief.ts';
import type { CostModel } from '../model/cost.ts';
import type { Counter } from '../model/count.ts';
import type { Redactor } from '../secrets/redaction.ts';
import { checkPorts } from './check.ts';
import type { CompactionEvent } from './events.ts';
import type { StateProviders } from './session-state.ts';

/** What the engine takes from the world; all of it is optional. */
export type Ports = {
  /** Writes summaries. Without one the mechanical summary serves. */
  readonly summarizer?: Summarizer | undefined;
  /**
   * Context window of the summarizer, in tokens.
   * @default the policy's window, at least 8192
   */
  readonly summarizerWindow?: number | undefined;
  /**
   * Most model calls of one compaction; 1 forbids chunking, and what does not fit is left out and said so.
   * @default 32
   */
  readonly maxCalls?: number | undefined;
  /**
   * Milliseconds one model call may take.
   * @default 60000
   */
  readonly timeoutMs?: number | undefined;
  /** Counts tokens in place of the built-in estimate. */
  readonly counter?: Counter | undefined;
  /** Takes secrets out of what a summarizer reads and of what is kept, in place of the built-in rules. */
  readonly redactor?: Redactor | undefined;
  /** State that is not conversation, shown anew behind each summary and never summarized. */
  readonly state?: StateProviders | undefined;
  /** Knows prices: automatic compactions wait until they pay, and outcomes say what they cost. See `epitome/economics`. */
  readonly costs?: CostModel | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** Ids of records. */
  readonly newId?: (() => string) | undefined;
  /** Told when a compaction really starts, and when it ends. */
  readonly onEvent?: ((event: CompactionEvent) => void) | undefined;
};

// A longer timer would go off at once.
const LONGEST_TIMER = 2 ** 31 - 1;

/** Ports with every default filled in. */
export type World = { readonly [Port in Defaulted]: NonNullable<Ports[Port]> } & Omit<Ports, Defaulted>;
type Defaulted = 'maxCalls' | 'timeoutMs' | 'now' | 'newId' | 'onEvent';

/** Fills in the defaults; a port that is `undefined` counts as not given. A listener's own error never stops a compaction. */
export function worldOf(ports: Ports): World {
  checkPorts(ports);
  const {
    onEvent,
    now = () => Date.now(),
    newId = () => crypto.randomUUID(),
    maxCalls = 32,
    timeoutMs = 60_000,
    ...rest
  } = ports;
  return {
    ...rest,
    maxCalls,
    timeoutMs: Math.min(timeoutMs, LONGEST_TIMER),
    // A record that JSON cannot hold would spoil the whole log.
    now: () => finite(now()),
    newId,
    onEvent: (event) => {
      // The compaction was paid for: what a listener does with the news must not lose it.
      void (async () => onEvent?.(event))().catch(() => {});
    },
  };
}

function finite(time: number): number {
  return Number.isFinite(time) ? time : 0;
}
