import type { Calibration } from '../count/calibration.ts';
import { CountFailure, createMeter, type Meter, tryCounting } from '../count/meter.ts';
import { decide } from '../decide/decide.ts';
import { formatNamed } from '../formats/index.ts';
import type { Decision } from '../model/decision.ts';
import type { Fixed } from '../model/format.ts';
import type { Part } from '../model/message.ts';
import type { Cause, Policy } from '../model/policy.ts';
import type { LogRecord, UndoRecord } from '../model/record.ts';
import { redo, undo } from '../record/undo.ts';
import { checkInput, checkTurn } from './check.ts';
import { compactRequest } from './compact.ts';
import { UNCOUNTED, untouched } from './conclude.ts';
import { createLiveView, type LiveView } from './live-view.ts';
import { createOriginals, type Originals } from './originals.ts';
import type { Outcome } from './outcome.ts';
import { type Ports, type World, worldOf } from './ports.ts';
import { type Conversation, type PolicyInput, policyOf, type Request } from './request.ts';

/** What a session is made with: a conversation's constants and its policy. */
export type CompactorInput = Omit<Conversation, 'messages'> & PolicyInput;

/** What one turn brings beside its messages. */
export type TurnInput = {
  /** @default 'automatic', for a forced compaction 'manual' */
  readonly cause?: Cause;
  readonly goal?: string;
  readonly focus?: string;
};

/** What the provider said about the request that was sent. */
export type ReportedUsage = {
  /** Real prompt tokens, cached ones included. Missing or zero is ignored. */
  readonly promptTokens?: number;
  /** True for a stream's intermediate figures, which are ignored. */
  readonly partial?: boolean;
};

/** One conversation over its whole life. Lists given to it are append-only: to edit history, pass a new list. */
export type Compactor = {
  /** Whether the policy would compact now. Costs what is new since the last call. */
  readonly decide: (messages: readonly unknown[], cause?: Cause) => Decision;
  /** Before each model call: compacts if due; send `outcome.messages`. */
  readonly beforeModel: (messages: readonly unknown[], turn?: TurnInput, signal?: AbortSignal) => Promise<Outcome>;
  /** After each model call: the real prompt tokens correct later estimates. */
  readonly afterModel: (usage?: ReportedUsage) => void;
  /** Compacts whatever the trigger says; `focus` steers this one compaction and stays out of the context. */
  readonly compact: (messages: readonly unknown[], turn?: TurnInput, signal?: AbortSignal) => Promise<Outcome>;
  /** What the model is shown of these messages. */
  readonly view: (messages: readonly unknown[]) => readonly unknown[];
  /** Takes the newest compaction back, or the one named. */
  readonly undo: (recordId?: string) => UndoRecord;
  /** Takes the newest undo back. */
  readonly redo: () => UndoRecord;
  /** Another system prompt or other tools from now on; reported usage of the old ones no longer counts. */
  readonly setFixed: (fixed: Fixed) => void;
  /** The log, oldest first. */
  readonly records: () => readonly LogRecord[];
};

/** A session: decisions cost what is new, one compaction runs at a time, failures are remembered. */
export function createCompactor(input: CompactorInput, ports: Ports = {}): Compactor {
  const session = startSession(input, worldOf(ports));
  const run = (messages: readonly unknown[], turn: TurnInput, signal?: AbortSignal): Promise<Outcome> =>
    runTurn(session, { ...turn, messages }, signal ?? new AbortController().signal);
  const append = (record: UndoRecord): UndoRecord => {
    remember(session, [record]);
    return record;
  };
  return {
    decide: (messages, cause = 'automatic') => decideNow(session, messages, cause),
    beforeModel: (messages, turn = {}, signal) => run(messages, turn, signal),
    compact: (messages, turn = {}, signal) => run(messages, { cause: 'manual', ...turn }, signal),
    afterModel: (usage) => {
      const { promptTokens, partial = false } = usage ?? {};
      if (partial || !isCount(promptTokens) || session.sent === undefined) return;
      session.calibration = { real: promptTokens, heuristic: session.sent };
    },
    view: (messages) => {
      checkTurn({ messages });
      session.live.follow(session.originals.take(messages));
      return session.live.natives(messages);
    },
    undo: (recordId) => append(undo(session.records, session.world, recordId)),
    redo: () => append(redo(session.records, session.world)),
    setFixed: (fixed) => {
      session.fixed = session.format.decodeFixed(fixed);
      session.fixedSize = undefined;
      session.calibration = undefined;
    },
    records: () => session.records,
  };
}

type Session = {
  readonly format: ReturnType<typeof formatNamed>;
  readonly policy: Policy;
  readonly world: World;
  readonly meter: Meter;
  readonly originals: Originals;
  readonly live: LiveView;
  fixed: readonly Part[];
  /** Uncorrected tokens of `fixed`, once counted. */
  fixedSize: number | undefined;
  /** Corrected tokens of everything fixed at the last decision. */
  fixedShare: number;
  records: readonly LogRecord[];
  calibration: Calibration | undefined;
  /** Our uncorrected estimate of the request last sent. */
  sent: number | undefined;
  isRunning: boolean;
};

function startSession(input: CompactorInput, world: World): Session {
  checkInput(input);
  const { format: name, policy: given, system, tools, records = [], ...options } = input;
  const format = formatNamed(name);
  const policy = policyOf(given, options);
  const meter = createMeter(policy.meter, name, world.counter);
  const originals = createOriginals(format);
  const live = createLiveView({ originals, format, meter, reuse: policy.reuse });
  live.restart(records);
  return {
    format,
    policy,
    world,
    meter,
    originals,
    live,
    fixed: format.decodeFixed({ system, tools }),
    fixedSize: undefined,
    fixedShare: 0,
    records,
    calibration: undefined,
    sent: undefined,
    isRunning: false,
  };
}

function isCount(figure: unknown): figure is number {
  return typeof figure === 'number' && Number.isFinite(figure) && figure > 0;
}

function remember(session: Session, records: readonly LogRecord[]): void {
  if (records.length === 0) return;
  session.records = [...session.records, ...records];
  session.live.restart(session.records);
}

function decideNow(session: Session, messages: readonly unknown[], cause: Cause): Decision {
  checkTurn({ messages, cause });
  session.live.follow(session.originals.take(messages));
  const { isRunning, calibration, world, live } = session;
  const situation = tryCounting(() =>
    live.situation({ fixed: fixedTokens(session), now: world.now(), calibration, isRunning }),
  );
  if (situation instanceof CountFailure) return UNCOUNTED;
  session.fixedShare = situation.tokens.fixed;
  return decide(situation, session.policy, cause);
}

async function runTurn(session: Session, turn: Turn, signal: AbortSignal): Promise<Outcome> {
  checkTurn(turn);
  signal.throwIfAborted();
  const decision = decideNow(session, turn.messages, turn.cause ?? 'automatic');
  if (!decision.compact && decision.reason !== 'counter-failed') {
    noteSent(session);
    return waiting(decision, session.live.natives(turn.messages), session);
  }
  // Messages that arrive meanwhile go to the originals and stand behind the summary; only this snapshot is compacted.
  const request = requestOf(session, turn);
  session.isRunning = true;
  try {
    const outcome = await compactRequest(request, session.world, signal);
    remember(session, outcome.records);
    // A factor learnt on the old request would look huge on the small one and compact again at once.
    if (outcome.status === 'compressed' || outcome.status === 'truncated') session.calibration = undefined;
    if (outcome.status !== 'failed-token-count') noteSent(session);
    return outcome;
  } finally {
    session.isRunning = false;
  }
}

/** Remembers the estimate of the request about to be sent, for the real count to be compared with. */
function noteSent(session: Session): void {
  session.sent = session.live.rawTokens() + fixedTokens(session);
}

/** Tool schemas can be long: they are counted once. */
function fixedTokens(session: Session): number {
  session.fixedSize ??= session.meter.sizeOfParts(session.fixed);
  return session.fixedSize;
}

type Turn = TurnInput & { readonly messages: readonly unknown[] };

function requestOf(session: Session, { messages, cause = 'automatic', goal = '', focus = '' }: Turn): Request {
  const { format, policy, meter, fixed, records, calibration, originals } = session;
  return {
    format,
    natives: messages,
    messages: [...originals.messages],
    ids: [...originals.ids()],
    fixed,
    policy,
    cause,
    goal,
    focus,
    records,
    ...(calibration === undefined ? {} : { calibration }),
    meter,
    counted: [...originals.counted],
  };
}

function waiting(decision: Decision, messages: readonly unknown[], session: Session): Outcome {
  const before = Math.ceil(decision.tokens);
  return {
    ...untouched(messages),
    status: 'noop',
    reason: decision.reason,
    tokens: { before, after: before, fixed: Math.ceil(session.fixedShare), basis: 'estimated' },
    records: [],
    findings: [],
    decision,
  };
}
