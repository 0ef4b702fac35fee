import { type BranchOutcome, compactBranch, type Overtaken } from '@epitome/store';
import type { CostModel, Decision, Outcome } from 'epitome';
import { costModel, type Prices } from 'epitome/economics';
import { diffFacts } from 'epitome/facts';
import { type ChatCompressionEvent, compressionEvent, resultOf } from 'epitome/goals';
import { messageOf } from '../errors.ts';
import { counting, unlessResting } from './breaker.ts';
import type { CompactionEnd } from './compaction-end.ts';
import { costOf } from './meter.ts';
import type { Usage } from './model/stream.ts';
import type { Order } from './order.ts';
import { noteBeside, type Running, tellActivity } from './state.ts';
import { type ChatSummarizer, patient, RateLimited } from './summarizer.ts';
import { schemaOf } from './tools/tool.ts';

/** Compacts. Whatever comes of it is told, once, by an event for whoever shows it and by one for telemetry. */
export async function carryOut(running: Running, order: Order, stop: AbortController): Promise<void> {
  const { world } = running;
  const from = world.clock.now();
  tellActivity(running, 'compacting');
  world.tell({ kind: 'compaction-start' });
  try {
    const done = await compacted(running, order, stop);
    if (done.outcome === undefined) giveWay(running, abandonedEvent(order, 'superseded'));
    else await conclude(running, order, { done, seconds: (world.clock.now() - from) / 1000 });
  } catch (cause) {
    const end = endOf(order, { cause, signal: stop.signal });
    if (end.kind === 'deferred') running.state.deferred = { order, until: world.clock.now() + end.seconds * 1000 };
    else giveUp(running, order.checked.decision);
    world.tell({ kind: 'compaction-end', end });
    world.telemetry(abandonedEvent(order, end.kind));
  }
}

type Ended = Extract<CompactionEnd, { kind: 'cancelled' | 'deferred' | 'failed' }>;

function endOf(
  { checked }: Order,
  { cause, signal }: { readonly cause: unknown; readonly signal: AbortSignal },
): Ended {
  const { utilization } = checked.decision;
  const reason: unknown = signal.reason;
  if (reason instanceof RateLimited) return { kind: 'deferred', seconds: reason.waitMs / 1000 };
  if (signal.aborted) return { kind: 'cancelled', utilization };
  return { kind: 'failed', detail: messageOf(cause), utilization };
}

/** After one was given up, the guards count anew. */
export function giveUp({ world, state }: Running, { messagesSince }: Decision): void {
  state.givenUp = { at: world.clock.now(), turn: state.turn, messagesSince };
}

function compacted(running: Running, order: Order, stop: AbortController): Promise<BranchOutcome | Overtaken> {
  const { world } = running;
  const { checked, wish, summarizer } = order;
  const writer = unlessResting(running, summarizer);
  // A turn that still fits does not wait for a rate limit.
  const canWait = wish.cause !== 'manual' && wish.cause !== 'overflow' && !checked.decision.isSafetyValve;
  const limited = canWait ? (cause: RateLimited) => stop.abort(cause) : undefined;
  return compactBranch(
    {
      log: world.log,
      ...world.conversation.ref(),
      policy: checked.policy,
      expected: checked.snapshot,
      system: world.system,
      tools: world.toolbox.tools.map(schemaOf),
      cause: wish.cause,
      telemetry: (outcome) => ({ ...eventOf(order, outcome) }),
      ...(wish.goal ? { goal: wish.goal } : {}),
      ...(wish.focus ? { focus: wish.focus } : {}),
      ...(wish.marks === undefined ? {} : { marks: wish.marks }),
      ...(summarizer === undefined ? {} : { model: summarizer.name }),
      ...(summarizer?.prices === undefined ? {} : { price: { ...summarizer.prices, currency: 'USD' } }),
    },
    {
      now: world.clock.now,
      ...(writer === undefined
        ? {}
        : { summarizer: counting(running, writer.name, patient(writer.write, world.clock, limited)) }),
      ...costsOf(running, summarizer),
    },
    stop.signal,
  );
}

// As many calls as are likely to follow before the next compaction.
const CALLS_LEFT = 20;

/** What a compaction does to the bill is told, and decides nothing here: when it is due, the settings say. */
function costsOf(
  { state: { model } }: Running,
  summarizer: ChatSummarizer | undefined,
): { readonly costs?: CostModel } {
  const { prices } = model;
  if (prices === undefined) return {};
  const { prices: summarizerPrices } = summarizer ?? {};
  const costs = costModel({
    prices,
    callsLeft: CALLS_LEFT,
    ...(summarizerPrices === undefined ? {} : { summarizerPrices }),
  });
  return { costs: (figures) => ({ ...costs(figures), pays: true }) };
}

type Concluded = { readonly done: BranchOutcome; readonly seconds: number };

async function conclude(running: Running, order: Order, { done, seconds }: Concluded): Promise<void> {
  const { world, state } = running;
  const { outcome, publication } = done;
  const usage = usageOf(outcome);
  const prices = order.summarizer?.prices;
  const cost = costOfRecord(prices, outcome);
  await noteBeside(running, usage, prices);
  // It was computed, and not published.
  if (outcome.records.length > 0 && publication?.kind !== 'published') {
    giveWay(running, { ...eventOf(order, outcome), status: 'superseded' });
    return;
  }
  state.size = { tokens: outcome.tokens.after, basis: outcome.tokens.basis };
  const isDone = outcome.status === 'compressed' || outcome.status === 'truncated';
  if (isDone) delete state.givenUp;
  else giveUp(running, order.checked.decision);
  const end: CompactionEnd = {
    kind: 'ended',
    result: resultOf(outcome, order.done.course),
    method: outcome.method,
    findings: outcome.findings,
    seconds,
    summary: outcome.record?.text ?? '',
    ...(cost === undefined || usage.input === 0 ? {} : { cost }),
    ...factsOf(done),
  };
  world.tell({ kind: 'compaction-end', end });
  world.telemetry(eventOf(order, outcome));
}

/** Somebody else changed the chat meanwhile: what they made stands. */
function giveWay({ world }: Running, event: ChatCompressionEvent): void {
  world.tell({ kind: 'compaction-end', end: { kind: 'superseded' } });
  world.telemetry(event);
}

/** The event of an attempt, with what its summary cost. */
function eventOf(order: Order, outcome: Outcome): ChatCompressionEvent {
  const { done: asked, reductions, summarizer, checked } = order;
  const cost = costOfRecord(summarizer?.prices, outcome);
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

/** The event of an attempt that changed nothing because it was stopped, put off, overtaken or failed. */
export function abandonedEvent(
  { checked, done, reductions, summarizer }: Order,
  status: 'cancelled' | 'deferred' | 'superseded' | 'failed',
): ChatCompressionEvent {
  const { decision, policy, natives } = checked;
  const tokens = Math.ceil(decision.tokens);
  const count = natives.length;
  return compressionEvent({
    ended: {
      status,
      reason: decision.reason,
      tokens: { before: tokens, after: tokens, fixed: 0, basis: 'estimated' },
      counts: { before: count, after: count, compressed: 0, preserved: count },
      method: 'none',
      decision,
    },
    checkIn: done,
    preset: policy.preset,
    reductions,
    ...(summarizer === undefined ? {} : { summarizer: { model: summarizer.name } }),
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
