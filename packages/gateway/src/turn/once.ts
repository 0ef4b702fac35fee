import { type CompactInput, compact, type Outcome, type Ports, preview } from 'epitome';
import { costModel } from 'epitome/economics';
import { type Reading, withMessages } from '../dialects/reading.ts';
import type { Caller } from '../model/call.ts';
import type { Dialect } from '../model/dialect.ts';
import type { ExchangeSpan } from '../model/parts.ts';
import type { Resolved } from '../model/policy.ts';
import type { SummarizerCall, TurnReport, Usage } from '../model/report.ts';
import { bytesOf } from './bytes.ts';
import { noting } from './calls.ts';
import { fixedOf } from './fixed.ts';
import type { Plane } from './plane.ts';

/** A request that is compacted by itself: it belongs to no conversation, and nothing is kept of it. */
export type OnceAsk = {
  readonly caller: Caller;
  readonly dialect: Dialect;
  readonly reading: Reading;
  readonly resolved: Resolved;
  /** `due`: only where a policy would. */
  readonly when: 'now' | 'due';
  readonly span: ExchangeSpan;
};

/** What came of it; without a body the request stays as it came. */
export type Once = { readonly report: TurnReport; readonly body?: string };

/** Compacts a request by itself, as far as its policy lets it. */
export async function compactOnce(plane: Plane, ask: OnceAsk, signal: AbortSignal): Promise<Once> {
  const { resolved, reading } = ask;
  if (resolved.mode === 'off') return { report: { status: 'passed', reason: 'off' } };
  if (reading.passes !== undefined) return { report: { status: 'passed', reason: reading.passes } };
  const texts = reading.messages ?? [];
  const input = inputOf(ask, texts);
  const ports = portsOf(plane, resolved, texts.length);
  if (resolved.mode === 'dry-run') return planned(input, ports);
  const { outcome, written } = await made(plane, ask, { input, ports, texts, signal });
  const { tokens, record, payback } = outcome;
  const report: TurnReport = {
    status: written === undefined ? 'kept' : 'compacted',
    reason: outcome.reason,
    tokensBefore: tokens.before,
    tokensAfter: tokens.after,
    ...(record === undefined || written === undefined ? {} : { recordId: record.id }),
    ...(payback === undefined ? {} : { netCost: payback.netCost }),
  };
  return { report, ...(written === undefined ? {} : { body: withMessages(reading, written) }) };
}

function inputOf({ dialect, reading, resolved, when }: OnceAsk, texts: readonly string[]): CompactInput {
  return {
    format: dialect,
    messages: texts.map((each): unknown => JSON.parse(each)),
    ...fixedOf(reading),
    policy: resolved.policy,
    cause: when === 'due' && !resolved.force ? 'automatic' : 'manual',
    ...(resolved.goal === undefined ? {} : { goal: resolved.goal }),
  };
}

function portsOf(plane: Plane, { prices }: Resolved, messages: number): Ports {
  const engine = plane.engine();
  if (prices === undefined) return engine;
  // Nobody knows how the conversation goes on; as long again is the usual guess.
  return { ...engine, costs: costModel({ prices, callsLeft: Math.ceil(messages / 2) }) };
}

function planned(input: CompactInput, ports: Ports): Once {
  const { status, reason, tokens } = preview(input, ports);
  return { report: { status: status === 'compressed' ? 'planned' : 'kept', reason, tokensBefore: tokens.before } };
}

type Making = {
  readonly input: CompactInput;
  readonly ports: Ports;
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
};

/** `written`: the texts of the messages that are left, where they are fewer. */
type Made = { readonly outcome: Outcome; readonly written?: readonly string[] };

async function made(plane: Plane, { caller, span }: OnceAsk, making: Making): Promise<Made> {
  const { input, texts } = making;
  const { summarizer } = plane;
  const noted = noting(making.ports);
  const startedAt = Date.now();
  const started = performance.now();
  let outcome: Outcome;
  try {
    outcome = await compact(input, noted.ports, making.signal);
  } finally {
    // What was asked for is spent, whoever went meanwhile.
    plane.spend({ caller, model: summarizer.model, usage: spentOn(noted.calls) });
  }
  const written = textsLeft(outcome, input.messages, texts);
  const bytes = bytesOf(texts, written ?? texts);
  plane.observer.compactionEnded(
    {
      ...{ caller, outcome, startedAt, summarizer, bytes, calls: noted.calls },
      trigger: input.cause === 'manual' ? 'manual' : 'threshold',
      // Whoever asked has it: nobody else could have been faster.
      published: written === undefined ? 'nothing' : 'published',
      durationMs: performance.now() - started,
    },
    span,
  );
  return { outcome, ...(written === undefined ? {} : { written }) };
}

function spentOn(calls: readonly SummarizerCall[]): Usage {
  return {
    input: calls.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0),
    output: calls.reduce((sum, { usage }) => sum + (usage?.outputTokens ?? 0), 0),
  };
}

/** The texts of a smaller view, `undefined` where there is none: what was not changed keeps its characters. */
export function textsLeft(
  { status, messages }: Outcome,
  before: readonly unknown[],
  texts: readonly string[],
): readonly string[] | undefined {
  if (status !== 'compressed' && status !== 'truncated') return undefined;
  const places = new Map(before.map((native, at) => [native, at]));
  return messages.map((native) => texts[places.get(native) ?? -1] ?? JSON.stringify(native));
}
