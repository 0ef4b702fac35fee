import { correctedCounter } from '../count/measure.ts';
import type { Draft } from '../model/brief.ts';
import type { Counter } from '../model/count.ts';
import type { Finding } from '../model/finding.ts';
import { addSpent, NOTHING_SPENT, type Spent } from '../model/record.ts';
import { firstCodePoints } from '../model/text.ts';
import { cleanDraft } from '../summarize/clean.ts';
import { placing } from '../summarize/place.ts';
import { type SummaryResult, summarize } from '../summarize/summarize.ts';
import { promptOf, SUMMARIZER_SYSTEM } from '../summarize/templates.ts';
import { overlong, refusalOf } from '../verify/verify.ts';
import type { Assignment, Desk, Job } from './desk.ts';

/** What came of asking the model: a text that may be used, or why there is none. */
export type Answer = Spent &
  (
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'refused'; readonly finding: Finding }
    | { readonly kind: 'failed' }
  );

/** A summary in another language than the user writes is asked for once more, and then not taken. */
export async function askInLanguage(job: Job, signal: AbortSignal): Promise<Answer> {
  const { desk, scribe } = job;
  const first = await answerAtLength(job, signal);
  const language = first.kind === 'text' ? scribe.languageMissed(first.text) : undefined;
  if (language === undefined) return first;
  const finding = missedLanguage(language);
  const spent = { ...first, findings: [...first.findings, finding] };
  if (desk.callsLeft <= first.calls) return { ...spent, kind: 'refused', finding };
  const focus = `${desk.request.focus}\nWrite in ${language}.`.trim();
  const again = { ...desk, request: { ...desk.request, focus }, callsLeft: desk.callsLeft - first.calls };
  const second = await answerAtLength({ ...job, desk: again }, signal);
  const both = addSpent(spent, second);
  if (second.kind !== 'text') return { ...second, ...both };
  const isMissed = scribe.languageMissed(second.text) !== undefined;
  return isMissed ? { ...both, kind: 'refused', finding } : { ...second, ...both };
}

function missedLanguage(language: string): Finding {
  return { code: 'wrong-language', detail: `the user writes ${language}`, evidence: { value: language } };
}

/** A summary that was cut off is asked for once more, in two parts: notes of each come before the whole. */
async function answerAtLength(job: Job, signal: AbortSignal): Promise<Answer> {
  const { desk } = job;
  const first = await answerOf(job, signal);
  const callsLeft = desk.callsLeft - first.calls;
  const isCutOff = first.kind === 'refused' && first.finding.code === 'summary-cut-off';
  if (!isCutOff || first.calls > 1 || callsLeft < CALLS_IN_HALVES) return first;
  const { finding } = first;
  const retried = { ...finding, detail: `${finding.detail}, retried in 2 parts` };
  const findings = first.findings.map((each) => (each === finding ? retried : each));
  const assignment = { ...job.assignment, inHalves: true } as const;
  const second = await answerOf({ ...job, assignment, desk: { ...desk, callsLeft } }, signal);
  const both = addSpent({ ...first, findings }, second);
  // Whatever came of the parts, the summary itself was too long and nothing worse.
  return second.kind === 'text' ? { ...second, ...both } : { ...first, finding: retried, ...both };
}

// Notes of two parts, and a merge.
const CALLS_IN_HALVES = 3;

async function answerOf({ desk, assignment, scribe }: Job, signal: AbortSignal): Promise<Answer> {
  const count = correctedCounter(desk.request);
  const result = await askModel({ desk, assignment, scribe }, signal);
  const { calls, usage, findings } = result;
  if (result.kind === 'failed') return { kind: 'failed', calls, usage, findings };
  if (result.kind === 'refused') return { kind: 'refused', finding: result.finding, calls, usage, findings };
  const text = cleanDraft(result.draft.text, desk.request.policy.template);
  const tokens = count(text);
  const { template } = desk.request.policy;
  const refusal = refusalOf({
    draft: result.draft,
    text,
    prompt: result.prompt,
    prior: assignment.prior,
    system: SUMMARIZER_SYSTEM,
    template,
    isMerged: calls > 1,
  });
  const finding =
    inflation(tokens, assignment, refusal) ?? refusal ?? overlong(tokens, askedTokens(desk, assignment) * 2);
  if (finding === undefined) return { kind: 'text', text, calls, usage, findings };
  return { kind: 'refused', finding, calls, usage, findings: [...findings, finding] };
}

/** A text as long as what it replaces is no summary, whatever else it may be: an echo of it, for one. */
function inflation(tokens: number, { headTokens }: Assignment, refusal: Finding | undefined): Finding | undefined {
  if (tokens < headTokens || (refusal !== undefined && refusal.code !== 'summary-echo')) return undefined;
  const evidence = { tokens: Math.ceil(tokens), limit: Math.ceil(headTokens) };
  return { code: 'inflated', detail: `a summary of ${evidence.tokens} tokens for ${evidence.limit}`, evidence };
}

async function askModel({ desk, assignment, scribe }: Job, signal: AbortSignal): Promise<SummaryResult> {
  const { request, world, callsLeft } = desk;
  const { policy } = request;
  const { summarizer } = world;
  if (summarizer === undefined) return { kind: 'failed', ...NOTHING_SPENT };
  const count = correctedCounter(request);
  const maxTokens = askedTokens(desk, assignment);
  const { inHalves = false } = assignment;
  const window = summarizerWindow(desk);
  const budget = inputBudgetOf(window, policy.summarizerShare, maxTokens);
  // Law 33: what the user is working on leads the prompt; a file pasted there must not fill it.
  const [goal, focus] = [request.goal, request.focus].map((text) => firstTokens(text, budget / 8, count));
  const source = {
    head: scribe.head,
    recent: scribe.recent,
    prior: assignment.prior,
    goal: goal ?? '',
    focus: focus ?? '',
    prompt: policy.prompt === undefined ? promptOf(policy.template) : placing(policy.prompt),
    maxTokens,
    ...(policy.model === undefined ? {} : { model: policy.model }),
  };
  const inputBudget = budget - count(source.goal) - count(source.focus);
  const limits = {
    inputBudget,
    briefTokens: window - maxTokens,
    maxCalls: callsLeft,
    timeoutMs: world.timeoutMs,
    inHalves,
  };
  const refuse = (draft: Draft, prompt: string): Finding | undefined =>
    refusalOf({ draft, text: draft.text, prompt, prior: '', system: SUMMARIZER_SYSTEM });
  return summarize(source, { summarizer, count, refuse, ...limits }, signal);
}

function firstTokens(text: string, tokens: number, count: Counter): string {
  const size = count(text);
  if (text !== '' && tokens < 1) return '';
  return text === '' || size <= tokens
    ? text
    : `${firstCodePoints(text, Math.floor((text.length * tokens) / size))} […]`;
}

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
