import type { Calibration } from '../count/calibration.ts';
import type { Decision } from '../model/decision.ts';
import type { Fixed } from '../model/format.ts';
import type { Cause } from '../model/policy.ts';
import type { LogRecord, UndoRecord } from '../model/record.ts';
import { redo, undo } from '../record/undo.ts';
import { checkedSignal } from './check.ts';
import type { Elsewhere } from './live-view.ts';
import type { Outcome } from './outcome.ts';
import { type Ports, worldOf } from './ports.ts';
import {
  type CompactorInput,
  decideNow,
  follow,
  isCount,
  noteSending,
  startSession,
  type TurnInput,
  takeBack,
} from './session.ts';
import { dropPrepared, runTurn } from './turn.ts';

/** What the provider said about the request that was sent. */
export type ReportedUsage = {
  /** Real prompt tokens, cached ones included. Missing or zero is ignored. */
  readonly promptTokens?: number | undefined;
  /** True for a stream's intermediate figures, which are ignored. */
  readonly partial?: boolean | undefined;
};

/** One conversation over its whole life. Lists given to it are append-only: to edit history, pass a new list. */
export type Compactor = {
  /** Whether the policy would compact now. Costs what is new since the last call. `elsewhere`: where no log is kept here. */
  readonly decide: (messages: readonly unknown[], cause?: Cause, elsewhere?: Elsewhere) => Decision;
  /** Before each model call: compacts if due; send `outcome.messages`. */
  readonly beforeModel: (messages: readonly unknown[], turn?: TurnInput, signal?: AbortSignal) => Promise<Outcome>;
  /** Instead of `beforeModel` where the messages go out as they are, whatever would be decided: notes our estimate of them. */
  readonly sending: (messages: readonly unknown[]) => void;
  /** After each model call: the real prompt tokens correct later estimates. */
  readonly afterModel: (usage?: ReportedUsage) => void;
  /** What was learnt from reported usage, for a compaction made elsewhere. */
  readonly calibration: () => Calibration | undefined;
  /** Compacts whatever the trigger says; `focus` steers this one compaction and stays out of the context. */
  readonly compact: (messages: readonly unknown[], turn?: TurnInput, signal?: AbortSignal) => Promise<Outcome>;
  /** What the model is shown of these messages. */
  readonly view: (messages: readonly unknown[]) => readonly unknown[];
  /**
   * Takes the newest compaction back, or the one named. Thinking written behind it is left out; while a turn that holds some
   * is under way, this throws `bound-reasoning`. `messages` are those there are now, where they are not the list given last.
   */
  readonly undo: (recordId?: string, messages?: readonly unknown[]) => UndoRecord;
  /** Takes the newest undo back, as undo does a compaction; where something was compacted since, it throws `unknown-record`. */
  readonly redo: (messages?: readonly unknown[]) => UndoRecord;
  /** Another system prompt or other tools from now on; reported usage of the old ones no longer counts. */
  readonly setFixed: (fixed: Fixed) => void;
  /** The log, oldest first. */
  readonly records: () => readonly LogRecord[];
  /** Waits for a summary that is prepared in the background, if one is. */
  readonly settled: () => Promise<void>;
  /** Stops what runs in the background. */
  readonly stop: () => void;
};

/** A session: decisions cost what is new, one compaction runs at a time, failures are remembered. */
export function createCompactor(input: CompactorInput, ports: Ports = {}): Compactor {
  const session = startSession(input, worldOf(ports));
  const run = async (messages: readonly unknown[], turn: TurnInput, signal?: AbortSignal): Promise<Outcome> =>
    runTurn(session, { ...turn, messages }, checkedSignal(signal));
  return {
    decide: (messages, cause = 'automatic', elsewhere) => {
      const past = elsewhere === undefined ? {} : { elsewhere };
      return decideNow(session, { messages, cause, isRunning: session.isRunning, ...past });
    },
    beforeModel: (messages, turn = {}, signal) => run(messages, turn, signal),
    compact: (messages, turn = {}, signal) => run(messages, { ...turn, cause: turn.cause ?? 'manual' }, signal),
    sending: (messages) => noteSending(session, messages),
    afterModel: (usage) => {
      const { promptTokens, partial = false } = usage ?? {};
      if (partial || !isCount(promptTokens) || session.sent === undefined) return;
      session.calibration = { real: promptTokens, heuristic: session.sent };
    },
    calibration: () => session.calibration,
    view: (messages) => {
      follow(session, { messages });
      return session.live.natives(messages);
    },
    undo: (recordId, messages) => takeBack(session, undo(session.records, session.world, recordId), messages),
    redo: (messages) => takeBack(session, redo(session.records, session.world), messages),
    setFixed: (fixed) => {
      session.fixed = session.format.decodeFixed(fixed);
      session.fixedSize = undefined;
      session.calibration = undefined;
    },
    records: () => session.records,
    settled: async () => {
      await session.preparation?.outcome;
    },
    stop: () => dropPrepared(session),
  };
}
