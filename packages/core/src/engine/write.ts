import type { Finding, Method } from '../model/record.ts';
import type { ViewEntry } from '../model/view.ts';
import { cleanDraft } from '../summarize/clean.ts';
import { mechanicalSummary } from '../summarize/mechanical.ts';
import { type SummaryResult, summarize } from '../summarize/summarize.ts';
import { promptOf } from '../summarize/templates.ts';
import { refusalOf } from '../verify/verify.ts';
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
export type Written = {
  readonly calls: number;
  readonly usage: SummaryResult['usage'];
  readonly findings: readonly Finding[];
} & (
  | { readonly kind: 'summary'; readonly text: string; readonly method: Method; readonly degraded: boolean }
  | { readonly kind: 'rejected'; readonly finding: Finding }
);

/** Writes a summary: by the model where there is one, mechanically where there is none or its call failed. */
export async function writeSummary(
  { request, state, world }: { request: Request; state: State; world: World },
  assignment: Assignment,
  signal: AbortSignal,
): Promise<Written> {
  const { summarizer } = world;
  const mechanical = (degraded: boolean): { kind: 'summary'; text: string; method: Method; degraded: boolean } => ({
    kind: 'summary',
    text: writeMechanically(request, state, assignment),
    method: 'mechanical',
    degraded,
  });
  if (assignment.writer === 'mechanical' || summarizer === undefined) return { ...mechanical(false), ...NOTHING_SPENT };
  const source = {
    ...assignment,
    head: sized(state, assignment.head),
    recent: sized(state, assignment.recent),
    goal: request.goal,
    focus: request.focus,
    prompt: request.policy.prompt ?? promptOf(request.policy.template),
    ...(request.policy.model === undefined ? {} : { model: request.policy.model }),
  };
  const inputBudget = inputBudgetOf(request, world, assignment);
  const result = await summarize(
    source,
    { summarizer, inputBudget, maxCalls: world.maxCalls, timeoutMs: world.timeoutMs },
    signal,
  );
  const { calls, usage, findings } = result;
  if (result.kind === 'failed') return { ...mechanical(true), calls, usage, findings };
  const text = cleanDraft(result.draft.text, request.policy.template);
  const tokens = request.meter.sizeOfText(text);
  const { headTokens, maxTokens } = assignment;
  const claim = { draft: result.draft, text, prompt: result.prompt, tokens, headTokens, maxTokens: maxTokens * 2 };
  const finding = refusalOf(claim);
  if (finding === undefined) return { kind: 'summary', text, method: 'model', degraded: false, calls, usage, findings };
  if (FAULTS_OF_LENGTH.has(finding.code))
    return { ...mechanical(true), calls, usage, findings: [...findings, finding] };
  return { kind: 'rejected', finding, calls, usage, findings: [...findings, finding] };
}

/** A mechanical summary of what an assignment names. */
export function writeMechanically(request: Request, state: State, assignment: Assignment): string {
  const { policy, meter } = request;
  const source = {
    head: sized(state, assignment.head).map(({ message }) => message),
    prior: assignment.prior,
    template: policy.template,
    maxTokens: assignment.maxTokens,
    characters: policy.fallbackChars,
  };
  return mechanicalSummary(source, meter.sizeOfText);
}

// Half a structure is never installed, but the call did answer: the next rung serves.
const FAULTS_OF_LENGTH = new Set<Finding['code']>(['summary-cut-off', 'summary-huge']);
const NOTHING_SPENT = { calls: 0, usage: { inputTokens: 0, outputTokens: 0 }, findings: [] } as const;

// What our instructions and tags take beside the material.
const INSTRUCTIONS = 450;

// No model in use has less; smaller windows are set to try things out.
const LEAST_SUMMARIZER_WINDOW = 8192;

/** Tokens of new material one call may carry: a share of the summarizer's window; the rest holds rules and answer. */
function inputBudgetOf({ policy, meter }: Request, world: World, { prior, maxTokens }: Assignment): number {
  const window = world.summarizerWindow ?? Math.max(policy.window, LEAST_SUMMARIZER_WINDOW);
  const share = window * policy.summarizerShare;
  const overhang = Math.max(INSTRUCTIONS + maxTokens - (window - share), 0);
  return share - overhang - meter.sizeOfText(prior);
}

function sized(
  { view, sizes }: State,
  indexes: readonly number[],
): { message: ViewEntry['message']; tokens: number }[] {
  return indexes.flatMap((index) => {
    const entry = view.entries[index];
    const isOurs = entry === undefined || entry.summary !== undefined || entry.filler;
    return isOurs ? [] : [{ message: entry.message, tokens: sizes.messages[index] ?? 0 }];
  });
}
