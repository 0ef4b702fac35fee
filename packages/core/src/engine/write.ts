import { correctionFactor } from '../count/calibration.ts';
import type { Draft, Summarizer } from '../model/brief.ts';
import type { Counter } from '../model/count.ts';
import type { Finding } from '../model/finding.ts';
import { type Method, NOTHING_SPENT, type Spent } from '../model/record.ts';
import { cleanDraft } from '../summarize/clean.ts';
import { mechanicalSummary } from '../summarize/mechanical.ts';
import { type SizedMessage, type SummaryResult, summarize } from '../summarize/summarize.ts';
import { promptOf } from '../summarize/templates.ts';
import { overlong, refusalOf } from '../verify/verify.ts';
import type { World } from './ports.ts';
import type { Request } from './request.ts';
import type { State } from './state.ts';

/** Which entries a summary is to stand for, and how long it may be. */
export type Assignment = {
  readonly head: readonly number[];
  /** Kept entries shown for context. */
  readonly recent: readonly number[];
  /** A summary of everything before, to be integrated. */
  readonly prior: string;
  readonly maxTokens: number;
  /** Tokens of what the summary replaces. */
  readonly headTokens: number;
  readonly writer: 'model' | 'mechanical';
};

/** A summary, or why there is none that may be used. */
export type Written = Spent &
  (
    | { readonly kind: 'summary'; readonly text: string; readonly method: Method; readonly degraded: boolean }
    | { readonly kind: 'rejected'; readonly finding: Finding }
  );

/** What a summary is written with. */
export type Desk = {
  readonly request: Request;
  readonly state: State;
  readonly world: World;
  /** Model calls that may still be made. */
  readonly callsLeft: number;
};

/** Writes a summary: by the model where there is one, mechanically where there is none or its call failed. */
export async function writeSummary(desk: Desk, assignment: Assignment, signal: AbortSignal): Promise<Written> {
  const { summarizer } = desk.world;
  const count = correctedCounter(desk.request);
  const mechanical = (degraded: boolean): Summary => ({
    kind: 'summary',
    text: writeMechanically(desk, assignment, count),
    method: 'mechanical',
    degraded,
  });
  if (assignment.writer === 'mechanical' || summarizer === undefined || desk.callsLeft < 1) {
    return { ...mechanical(false), ...NOTHING_SPENT };
  }
  const result = await askModel({ ...desk, summarizer, count }, assignment, signal);
  const { calls, usage, findings } = result;
  if (result.kind === 'failed') return { ...mechanical(true), calls, usage, findings };
  if (result.kind === 'refused') return rejected(result.finding, { calls, usage, findings }, () => mechanical(true));
  const text = cleanDraft(result.draft.text, desk.request.policy.template);
  const tokens = count(text);
  const refusal = refusalOf({ draft: result.draft, text, prompt: result.prompt, prior: assignment.prior });
  const finding =
    inflation(tokens, assignment, refusal) ?? refusal ?? overlong(tokens, askedTokens(desk, assignment) * 2);
  if (finding === undefined) return { kind: 'summary', text, method: 'model', degraded: false, calls, usage, findings };
  return rejected(finding, { calls, usage, findings: [...findings, finding] }, () => mechanical(true));
}

type Summary = { kind: 'summary'; text: string; method: Method; degraded: boolean };

function rejected(finding: Finding, spent: Spent, mechanical: () => Summary): Written {
  return FAULTS_OF_LENGTH.has(finding.code) ? { ...mechanical(), ...spent } : { kind: 'rejected', finding, ...spent };
}

/** A text as long as what it replaces is no summary, whatever else it may be: an echo of it, for one. */
function inflation(tokens: number, { headTokens }: Assignment, refusal: Finding | undefined): Finding | undefined {
  if (tokens < headTokens || (refusal !== undefined && refusal.code !== 'summary-echo')) return undefined;
  return { code: 'inflated', detail: `a summary of ${Math.ceil(tokens)} tokens for ${Math.ceil(headTokens)}` };
}

function askModel(
  desk: Desk & { readonly summarizer: Summarizer; readonly count: Counter },
  assignment: Assignment,
  signal: AbortSignal,
): Promise<SummaryResult> {
  const { request, state, world, summarizer, count } = desk;
  const { policy, goal, focus } = request;
  const source = {
    head: sized(state, assignment.head),
    recent: sized(state, assignment.recent),
    prior: assignment.prior,
    goal,
    focus,
    prompt: policy.prompt ?? promptOf(policy.template),
    maxTokens: askedTokens(desk, assignment),
    ...(policy.model === undefined ? {} : { model: policy.model }),
  };
  const limits = {
    inputBudget: inputBudgetOf(summarizerWindow(desk), policy.summarizerShare, source.maxTokens),
    maxCalls: desk.callsLeft,
    timeoutMs: world.timeoutMs,
  };
  const refuse = (draft: Draft, prompt: string): Finding | undefined =>
    refusalOf({ draft, text: draft.text, prompt, prior: '' });
  return summarize(source, { summarizer, count, refuse, ...limits }, signal);
}

/** Counts text as the meter counts requests: corrected by what is known of real usage. */
export function correctedCounter({ meter, calibration }: Pick<Request, 'meter' | 'calibration'>): Counter {
  const factor = correctionFactor(calibration, meter.correction);
  return (text) => meter.sizeOfText(text) * factor;
}

function writeMechanically({ request, state }: Desk, assignment: Assignment, count: Counter): string {
  const { policy } = request;
  const source = {
    head: sized(state, assignment.head).map(({ message }) => message),
    prior: assignment.prior,
    template: policy.template,
    maxTokens: assignment.maxTokens,
    characters: policy.fallbackChars,
  };
  return mechanicalSummary(source, count);
}

// Half a structure is never installed: the mechanical summary takes its place.
const FAULTS_OF_LENGTH = new Set<Finding['code']>(['summary-cut-off', 'summary-huge']);

// What our instructions and tags take beside the material.
const INSTRUCTIONS = 450;

// No model in use has less; smaller windows are set to try things out.
const LEAST_SUMMARIZER_WINDOW = 8192;

function summarizerWindow({ request, world }: Desk): number {
  return world.summarizerWindow ?? Math.max(request.policy.window, LEAST_SUMMARIZER_WINDOW);
}

/** Tokens a summary is asked to have: what is assigned, but no more than a quarter of the summarizer's window. */
function askedTokens(desk: Desk, { maxTokens }: Assignment): number {
  return Math.min(maxTokens, Math.floor(summarizerWindow(desk) / 4));
}

/** Tokens of material one call may carry: a share of the summarizer's window; the rest holds rules and answer. */
function inputBudgetOf(window: number, summarizerShare: number, maxTokens: number): number {
  const share = window * summarizerShare;
  return share - Math.max(INSTRUCTIONS + maxTokens - (window - share), 0);
}

function sized({ view, sizes }: State, indexes: readonly number[]): readonly SizedMessage[] {
  const found: SizedMessage[] = [];
  for (const index of indexes) {
    const entry = view.entries[index];
    const isOurs = entry === undefined || entry.summary !== undefined || entry.filler;
    if (!isOurs) found.push({ message: entry.message, tokens: sizes.messages[index] ?? 0 });
  }
  return found;
}
