import { type Cause, preview } from 'epitome';
import { type Asked, type CheckIn, checkIn, courseOf } from 'epitome/goals';
import { following } from '../aborted.ts';
import { messageOf } from '../errors.ts';
import { unlessResting } from './breaker.ts';
import { abandonedEvent, carryOut, giveUp } from './carry-out.ts';
import type { CompactionEnd } from './compaction-end.ts';
import type { Checked, Order, Wish } from './order.ts';
import { askGoal } from './question.ts';
import { noteBeside, type Running, tellActivity, tellMeter } from './state.ts';
import { schemaOf } from './tools/tool.ts';
import { compactionLines } from './words.ts';

/** Measures the request anew, after something changed what the model is shown. */
export async function measure(running: Running): Promise<number> {
  const { decision } = await check(running);
  const tokens = Math.ceil(decision.tokens);
  running.state.size = { tokens, basis: 'estimated' };
  tellMeter(running);
  return tokens;
}

/** Compacts if it is due, after asking what for. It can be cancelled; the turn goes on either way. */
export async function compactIfDue(running: Running, signal: AbortSignal): Promise<void> {
  const { world, state } = running;
  // Nothing of a chat that a full disk keeps in memory can be compacted.
  if (!world.conversation.isStored()) return;
  const checked = await check(running);
  state.size = { tokens: Math.ceil(checked.decision.tokens), basis: 'estimated' };
  // Nobody is asked, with each message anew, about what cannot be done.
  if (!checked.decision.compact || !checked.canCut || isTooSoon(running, checked)) return;
  await cancellable(running, { checked, signal }, async (stop) => {
    const put = state.deferred?.order;
    delete state.deferred;
    // Who answered once is not asked again because the provider was busy.
    const order = put === undefined ? await asked(running, checked, stop.signal) : { ...put, checked };
    await carryOut(running, order, stop);
  });
}

/** Looks whether a compaction is due, and what the request takes. */
async function check(running: Running, cause: Cause = 'automatic'): Promise<Checked> {
  const { world, state } = running;
  const policy = await world.policies.policy(state.model.window);
  const { input, view, snapshot } = await world.log.workOf(world.conversation.ref(), { reuse: policy.reuse });
  const request = { ...input, policy, cause, system: world.system, tools: world.toolbox.tools.map(schemaOf) };
  const planned = (goal: string) => preview({ ...request, goal }, { now: world.clock.now });
  const { decision, plan } = planned('');
  // What stays depends on whether there is a goal; any will do to see.
  const canCut = plan !== undefined || (decision.compact && planned('goal').plan !== undefined);
  return { decision, policy, canCut, natives: view.entries.map(({ message }) => message.native), snapshot };
}

/** Asks what a compaction should serve, and saves what the answer changes. */
async function asked(running: Running, checked: Checked, stop: AbortSignal): Promise<Order> {
  const { world, state } = running;
  tellActivity(running, 'asking');
  const settings = await world.policies.settings();
  const reductions = await world.policies.reductions();
  const summarizer = await world.summarizer(state.model, checked.policy.model);
  const namer = unlessResting(running, summarizer);
  const { now, after } = world.clock;
  const done = await checkIn(
    {
      format: 'ai-sdk',
      messages: checked.natives,
      todos: state.goal === '' ? [] : [state.goal],
      decision: checked.decision,
      window: state.model.window,
      settings,
      reductions,
      asked: askedBy(running, checked),
    },
    { now, after, prompt: askGoal(running), ...(namer === undefined ? {} : { model: namer.write }) },
    stop,
  );
  const { course, extraction } = done;
  const { inputTokens: input = 0, outputTokens: output = 0 } = extraction?.usage ?? {};
  await noteBeside(running, { input, output }, summarizer?.prices);
  await world.policies.save(course.changes, course.lessOften?.reductions);
  return { checked, done, wish: { cause: course.cause, goal: course.goal }, summarizer, reductions };
}

/** Who is asked: a person by `deliberate` alone, because its guards keep the question rare. */
function askedBy({ world: { asked } }: Running, { policy }: Checked): Asked {
  return asked.kind === 'user' && policy.preset !== 'deliberate' ? { kind: 'nobody' } : asked;
}

/** Compacts now, because the user said so or the provider found the request too long. */
export async function compactNow(running: Running, wish: Wish, signal: AbortSignal): Promise<void> {
  const { world, state } = running;
  const checked = await check(running, wish.cause);
  delete state.deferred;
  await cancellable(running, { checked, signal }, async (stop) => {
    const settings = await world.policies.settings();
    const reductions = await world.policies.reductions();
    const summarizer = await world.summarizer(state.model, checked.policy.model);
    const goal = wish.goal ?? '';
    const answer = goal === '' ? ({ kind: 'unasked' } as const) : ({ kind: 'goal', goal, by: 'typed' } as const);
    const course = courseOf(answer, { settings, reductions });
    const isInteractive = world.isInteractive && settings.compressionInteractive;
    const done: CheckIn = { answer, course, isInteractive, wasAsked: false };
    await carryOut(running, { checked, done, wish, summarizer, reductions }, stop);
  });
}

/** After one was given up or put off, nobody is asked again with the very next message; where it is required, they are. */
function isTooSoon({ world, state }: Running, { decision, policy }: Checked): boolean {
  const { givenUp, deferred } = state;
  // Not with every step of a turn, however full the window is: a request that is too long is compacted anyway.
  if (givenUp?.turn === state.turn) return true;
  if (decision.isSafetyValve) return false;
  if (deferred !== undefined) return world.clock.now() < deferred.until;
  if (givenUp === undefined) return false;
  const { minMessages, minSeconds } = policy.guards;
  const gathered = decision.messagesSince - givenUp.messagesSince;
  return (gathered >= 0 && gathered < minMessages) || world.clock.now() - givenUp.at < minSeconds * 1000;
}

type Cancellable = { readonly checked: Checked; readonly signal: AbortSignal };

/** Does what leads to a compaction so that somebody may cancel it on its own, without the turn it stands in front of. */
async function cancellable(
  running: Running,
  { checked, signal }: Cancellable,
  work: (stop: AbortController) => Promise<void>,
): Promise<void> {
  const { state } = running;
  const own = following(signal);
  const outer = state.stop;
  state.stop = own;
  try {
    await work(own);
  } catch (cause) {
    const { utilization } = checked.decision;
    const failed = { kind: 'failed', detail: messageOf(cause), utilization } as const;
    await endEarly(running, checked, own.signal.aborted ? { kind: 'cancelled', utilization } : failed);
  } finally {
    own.letGo();
    if (outer === undefined) delete state.stop;
    else state.stop = outer;
    tellActivity(running, 'resting');
    tellMeter(running);
  }
  signal.throwIfAborted();
}

type EarlyEnd = Extract<CompactionEnd, { kind: 'cancelled' | 'failed' }>;

/** It ended before it began: at the question, or because something for it could not be had. */
async function endEarly(running: Running, checked: Checked, end: EarlyEnd): Promise<void> {
  const { world } = running;
  const settings = await world.policies.settings();
  const reductions = await world.policies.reductions();
  giveUp(running, checked.decision);
  world.tell({ kind: 'said', tone: 'warning', lines: compactionLines(end) });
  const answer = { kind: 'unasked' } as const;
  const done = { answer, course: courseOf(answer, { settings, reductions }), isInteractive: true, wasAsked: false };
  const order = { checked, done, wish: { cause: 'automatic' }, summarizer: undefined, reductions } as const;
  world.telemetry(abandonedEvent(order, end.kind));
}
