import type { Calibration } from '../count/calibration.ts';
import { CountFailure, createMeter, type Meter, tryCounting } from '../count/meter.ts';
import { decide } from '../decide/decide.ts';
import { formatNamed } from '../formats/index.ts';
import type { Decision } from '../model/decision.ts';
import type { Part } from '../model/message.ts';
import type { Cause, Policy } from '../model/policy.ts';
import type { LogRecord, UndoRecord } from '../model/record.ts';
import { leavingBound } from '../record/bound.ts';
import { type CheckedTurn, checkInput, checkTurn } from './check.ts';
import { UNCOUNTED } from './conclude.ts';
import { priced } from './costs.ts';
import { createLiveView, type Elsewhere, type LiveView } from './live-view.ts';
import { createOriginals, type Originals } from './originals.ts';
import type { Outcome } from './outcome.ts';
import type { World } from './ports.ts';
import type { Preparation } from './preparation.ts';
import { type Conversation, type PolicyInput, policyOf, type Request } from './request.ts';

/** What a session is made with: a conversation's constants and its policy. */
export type CompactorInput = Omit<Conversation, 'messages'> & PolicyInput;

/** What one turn brings beside its messages. */
export type TurnInput = {
  /** @default 'automatic', for a forced compaction 'manual' */
  readonly cause?: Cause | undefined;
  readonly goal?: string | undefined;
  readonly focus?: string | undefined;
};

/** What a session knows, and changes as it goes on. */
export type Session = {
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
  preparation: Preparation | undefined;
};

/** Checks an input and opens a session on it. */
export function startSession(input: CompactorInput, world: World): Session {
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
    preparation: undefined,
  };
}

/** Whether a figure is a number of tokens. */
export function isCount(figure: unknown): figure is number {
  return typeof figure === 'number' && Number.isFinite(figure) && figure > 0;
}

/** Appends records to the log; the view starts over with them. */
function remember(session: Session, records: readonly LogRecord[]): void {
  if (records.length === 0) return;
  session.records = [...session.records, ...records];
  session.live.restart(session.records);
}

/** Takes over what a compaction came to. */
export function install(session: Session, { status, records }: Outcome): void {
  remember(session, records);
  // A factor learnt on the old request would look huge on the small one and compact again at once.
  if (status === 'compressed' || status === 'truncated') session.calibration = undefined;
  if (status !== 'failed-token-count') noteSent(session);
}

/** Takes over what the messages are now. */
export function follow({ live, originals }: Session, turn: CheckedTurn): void {
  checkTurn(turn);
  live.follow(originals.take(turn.messages));
}

/** Appends an undo as it may be behind these messages. */
export function takeBack(
  session: Session,
  taken: UndoRecord,
  messages: readonly unknown[] = session.originals.list(),
): UndoRecord {
  const { originals, format, records, policy } = session;
  follow(session, { messages });
  const branch = { format, messages: originals.messages, ids: originals.ids() };
  const [placed = taken] = leavingBound([taken], { branch, records, reuse: policy.reuse });
  remember(session, [placed]);
  return placed;
}

/** What is asked of a session. */
type Asked = {
  readonly messages: readonly unknown[];
  readonly cause: Cause;
  readonly isRunning: boolean;
  readonly elsewhere?: Elsewhere;
};

/** Whether the session would compact now; a turn that is itself what runs says that nothing else does. */
export function decideNow(session: Session, { messages, cause, isRunning, elsewhere }: Asked): Decision {
  follow(session, { messages, cause });
  const { calibration, world, live } = session;
  const situation = tryCounting(() =>
    live.situation({ fixed: fixedTokens(session), now: world.now(), calibration, isRunning, elsewhere }),
  );
  if (situation instanceof CountFailure) return UNCOUNTED;
  session.fixedShare = situation.tokens.fixed;
  return decide(priced(situation, session.policy, world), session.policy, cause);
}

/** Remembers the estimate of the request about to be sent, for the real count to be compared with. */
export function noteSent(session: Session): void {
  session.sent = session.live.rawTokens() + fixedTokens(session);
}

/** Remembers the estimate of messages that go out as they are; without a count there is nothing to compare. */
export function noteSending(session: Session, messages: readonly unknown[]): void {
  follow(session, { messages });
  session.sent = undefined;
  tryCounting(() => noteSent(session));
}

/** Tool schemas can be long: they are counted once. */
function fixedTokens(session: Session): number {
  session.fixedSize ??= session.meter.sizeOfParts(session.fixed);
  return session.fixedSize;
}

/** One turn with its messages. */
export type Turn = TurnInput & { readonly messages: readonly unknown[] };

/** The request of a turn, as it is now. */
export function requestOf(session: Session, { messages, cause = 'automatic', goal = '', focus = '' }: Turn): Request {
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
