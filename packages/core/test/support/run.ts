import { type CompactInput, compact, type Outcome, type Policy, type Ports, policyNamed } from '../../src/index.ts';
import { type Rendered, renderScript, type ScriptedSummarizer, scriptedSummarizer } from '../../src/testing/index.ts';
import type { Case } from './case.ts';
import { type Fate, fatesOf } from './fates.ts';

/** A case carried out. */
export type Run = {
  readonly case: Case;
  readonly rendered: Rendered;
  readonly input: CompactInput;
  readonly policy: Policy;
  /** Which compaction of its session it is. */
  readonly step: number;
  /** The view before: the very list where no record is in force. */
  readonly before: readonly unknown[];
  readonly ports: Ports;
  readonly summarizer: ScriptedSummarizer;
  readonly outcome: Outcome;
  /** What became of each message of the input, by what stands in the output. */
  readonly fates: readonly Fate[];
};

/** Compacts a case once, with every value of the caller frozen. */
export async function runCase(given: Case): Promise<Run> {
  const rendered = renderScript(given.script, given.format);
  const input = inputOf(given, rendered);
  const { ports, summarizer } = portsOf(given);
  const outcome = await compact(input, ports);
  const policy = policyNamed(given.preset, given.options);
  const fates = fatesOf(rendered, outcome.messages);
  return {
    case: given,
    rendered,
    input,
    policy,
    step: 0,
    before: rendered.messages,
    ports,
    summarizer,
    outcome,
    fates,
  };
}

/** The input of a case, frozen all the way down. */
export function inputOf(given: Case, { format, messages, system, tools }: Rendered): CompactInput {
  const { preset, options, cause, goal, focus } = given;
  return deepFreeze({ format, messages, system, tools, policy: preset, ...options, cause, goal, focus });
}

/** Ports of a case: a clock that ticks, ids that count, and a summarizer that keeps its briefs. */
export function portsOf(given: Case, step = 0): { readonly ports: Ports; readonly summarizer: ScriptedSummarizer } {
  const summarizer = scriptedSummarizer(...given.behaviours);
  let at = 1_700_000_000_000 + step * 3_600_000;
  let ids = 0;
  const counter = COUNTERS[given.counter];
  const ports: Ports = {
    ...(given.behaviours.length === 0 ? {} : { summarizer }),
    ...(counter === undefined ? {} : { counter }),
    maxCalls: given.maxCalls,
    summarizerWindow: given.summarizerWindow,
    timeoutMs: 4,
    now: () => {
      at += 1000;
      return at;
    },
    newId: () => {
      ids += 1;
      return `r${step}.${ids}`;
    },
  };
  return { ports, summarizer };
}

const COUNTERS: Readonly<Record<Case['counter'], ((text: string) => number) | undefined>> = {
  'built-in': undefined,
  quarter: (text) => Math.ceil(text.length / 4),
  words: (text) => text.split(' ').length + text.length / 10,
};

/** Freezes a value and everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
