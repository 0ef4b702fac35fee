import { type BranchOutcome, compactBranch } from '@epitome/store';
import { type Cause, type Decision, type Outcome, type Policy, preview, type Summarizer } from 'epitome';
import type { Prices } from 'epitome/economics';
import { diffFacts } from 'epitome/facts';
import { type ChatCompressionEvent, type CheckIn, checkIn, compressionEvent, courseOf, resultOf } from 'epitome/goals';
import { messageOf } from '../errors.ts';
import type { CompactionEnd } from './compaction-end.ts';
import { costOf } from './meter.ts';
import type { ToolSchema, Usage } from './model/stream.ts';
import { askGoal } from './question.ts';
import { noteBeside, type Running, tellActivity, tellMeter } from './state.ts';
import { patient } from './summarizer.ts';
import type { ChatSummarizer } from './world.ts';

/** What is asked of one compaction. */
export type Wish = {
  readonly cause: Cause;
  readonly goal?: string;
  /** Instructions for this one; they never stay. */
  readonly focus?: string;
};

/** What a check found. */
type Checked = { readonly decision: Decision; readonly policy: Policy; readonly natives: readonly unknown[] };

/** Looks whether a compaction is due, and what the request takes. */
export async function check(running: Running, cause: Cause = 'automatic'): Promise<Checked> {
  const { world, state } = running;
  const policy = await world.policies.policy(state.model.window);
  const { input, view } = await world.log.workOf(world.conversation.ref(), { reuse: policy.reuse });
  const request = { ...input, policy, cause, system: world.system, tools: world.toolbox.tools.map(schemaOf) };
  const { decision } = preview(request, { now: world.clock.now });
  return { decision, policy, natives: view.entries.map(({ message }) => message.native) };
}

/** The part of a tool that goes out with each request. */
export function schemaOf({ name, description, inputSchema }: ToolSchema): ToolSchema {
  return { name, description, inputSchema };
}

/** Compacts if it is due, after asking what for. It can be cancelled; the turn goes on either way. */
export async function compactIfDue(running: Running, signal: AbortSignal): Promise<void> {
  const { world, state } = running;
  const checked = await check(running);
  state.size = { tokens: Math.ceil(checked.decision.tokens), basis: 'estimated' };
  if (!checked.decision.compact || isTooSoon(running, checked)) return;
  await cancellable(running, { decision: checked.decision, signal }, async (stop) => {
    tellActivity(running, 'asking');
    const settings = await world.policies.settings();
    const reductions = await world.policies.reductions();
    const summarizer = await world.summarizer(state.model);
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
        asked: world.asked,
      },
      { now, after, prompt: askGoal(running), ...(summarizer === undefined ? {} : { model: summarizer.write }) },
      stop,
    );
    const { course, extraction } = done;
    const { inputTokens: input = 0, outputTokens: output = 0 } = extraction?.usage ?? {};
    await noteBeside(running, { input, output });
    await world.policies.save(course.changes, course.lessOften?.reductions);
    const wish = { cause: course.cause, goal: course.goal };
    await carryOut(running, { checked, done, wish, summarizer, reductions }, stop);
  });
}

/** Compacts now, because the user said so or the provider found the request too long. */
export async function compactNow(running: Running, wish: Wish, signal: AbortSignal): Promise<void> {
  const { world, state } = running;
  const checked = await check(running, wish.cause);
  await cancellable(running, { decision: checked.decision, signal }, async (stop) => {
    const settings = await world.policies.settings();
    const reductions = await world.policies.reductions();
    const summarizer = await world.summarizer(state.model);
    const goal = wish.goal ?? '';
    const answer = goal === '' ? ({ kind: 'unasked' } as const) : ({ kind: 'goal', goal, by: 'typed' } as const);
    const course = courseOf(answer, { settings, reductions });
    const isInteractive = world.isInteractive && settings.compressionInteractive;
    const done: CheckIn = { answer, course, isInteractive, wasAsked: false };
    await carryOut(running, { checked, done, wish, summarizer, reductions }, stop);
  });
}

/** After one was given up, the guards count anew: nobody is asked again with the very next message. */
function isTooSoon({ world, state }: Running, { decision, policy }: Checked): boolean {
  if (state.givenUp === undefined || decision.isSafetyValve) return false;
  const { at, messagesSince } = state.givenUp;
  const { minMessages, minSeconds } = policy.guards;
  const isQuiet = decision.messagesSince >= messagesSince && decision.messagesSince - messagesSince < minMessages;
  return isQuiet || world.clock.now() - at < minSeconds * 1000;
}

/** Runs a compaction that somebody may cancel on its own, without the turn it stands in front of. */
async function cancellable(
  running: Running,
  { decision: { utilization, messagesSince }, signal }: { readonly decision: Decision; readonly signal: AbortSignal },
  work: (stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const { world, state } = running;
  const own = new AbortController();
  const outer = state.stop;
  state.stop = own;
  try {
    await work(AbortSignal.any([own.signal, signal]));
  } catch (cause) {
    signal.throwIfAborted();
    state.givenUp = { at: world.clock.now(), messagesSince };
    const end: CompactionEnd = own.signal.aborted
      ? { kind: 'cancelled', utilization }
      : { kind: 'failed', detail: messageOf(cause), utilization };
    world.tell({ kind: 'compaction-end', end });
  } finally {
    if (outer === undefined) delete state.stop;
    else state.stop = outer;
    tellActivity(running, 'resting');
    tellMeter(running);
  }
}

type Order = {
  readonly checked: Checked;
  readonly done: CheckIn;
  readonly wish: Wish;
  readonly summarizer: ChatSummarizer | undefined;
  readonly reductions: NonNullable<Parameters<typeof compressionEvent>[0]['reductions']>;
};

async function carryOut(running: Running, order: Order, signal: AbortSignal): Promise<void> {
  const { world, state } = running;
  const { checked, wish, summarizer } = order;
  const from = world.clock.now();
  tellActivity(running, 'compacting');
  world.tell({ kind: 'compaction-start' });
  const done = await compactBranch(
    {
      log: world.log,
      ...world.conversation.ref(),
      policy: checked.policy,
      system: world.system,
      tools: world.toolbox.tools.map(schemaOf),
      cause: wish.cause,
      telemetry: (outcome) => ({ ...eventOf(running, order, outcome) }),
      ...(wish.goal ? { goal: wish.goal } : {}),
      ...(wish.focus ? { focus: wish.focus } : {}),
      ...(summarizer === undefined ? {} : { model: summarizer.name }),
      ...(state.model.prices === undefined ? {} : { price: { ...state.model.prices, currency: 'USD' } }),
    },
    { now: world.clock.now, ...(summarizer === undefined ? {} : { summarizer: writer(running, summarizer) }) },
    signal,
  );
  await conclude(running, order, { done, seconds: (world.clock.now() - from) / 1000 });
}

function writer(running: Running, { write }: ChatSummarizer): Summarizer {
  return patient(write, running.world.clock);
}

type Concluded = { readonly done: BranchOutcome; readonly seconds: number };

async function conclude(running: Running, order: Order, { done, seconds }: Concluded): Promise<void> {
  const { world, state } = running;
  const { outcome, publication } = done;
  const { record } = outcome;
  const usage = usageOf(outcome);
  const cost = costOfRecord(state.model.prices, outcome);
  await noteBeside(running, usage);
  if (publication?.kind === 'superseded') {
    world.tell({ kind: 'compaction-end', end: { kind: 'superseded' } });
    return;
  }
  state.size = { tokens: outcome.tokens.after, basis: outcome.tokens.basis };
  delete state.givenUp;
  const end: CompactionEnd = {
    kind: 'ended',
    result: resultOf(outcome, order.done.course),
    method: outcome.method,
    findings: outcome.findings,
    seconds,
    summary: record?.text ?? '',
    ...(cost === undefined || usage.input === 0 ? {} : { cost }),
    ...factsOf(done),
  };
  world.tell({ kind: 'compaction-end', end });
  world.telemetry(eventOf(running, order, outcome));
}

/** The event of an attempt, with what its summary cost. */
function eventOf({ state }: Running, order: Order, outcome: Outcome): ChatCompressionEvent {
  const { done: asked, reductions, summarizer, checked } = order;
  const cost = costOfRecord(state.model.prices, outcome);
  return compressionEvent({
    ended: outcome,
    checkIn: asked,
    preset: checked.policy.preset,
    reductions,
    summarizer: {
      ...(summarizer === undefined ? {} : { model: summarizer.name }),
      ...(cost === undefined ? {} : { cost }),
    },
  });
}

function usageOf({ record }: Outcome): Usage {
  const { inputTokens: input, outputTokens: output } = record?.usage ?? { inputTokens: 0, outputTokens: 0 };
  return { input, output, cached: 0, written: 0 };
}

function costOfRecord(prices: Prices | undefined, outcome: Outcome): number | undefined {
  return prices === undefined ? undefined : costOf(usageOf(outcome), prices);
}

function factsOf({ outcome: { record } }: BranchOutcome): { facts?: { kept: number; total: number } } {
  if (record?.facts === undefined) return {};
  const kinds = Object.values(diffFacts(record.facts, record.text));
  const sum = (figure: 'kept' | 'total'): number => kinds.reduce((all, each) => all + each[figure], 0);
  return { facts: { kept: sum('kept'), total: sum('total') } };
}
