import { correctedCounter } from '../count/measure.ts';
import type { Draft, Summarizer } from '../model/brief.ts';
import type { Ledger } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import { addSpent, NOTHING_SPENT, type Spent } from '../model/record.ts';
import { cleanDraft } from '../summarize/clean.ts';
import { mechanicalSummary } from '../summarize/mechanical.ts';
import { type SizedMessage, type SummaryResult, summarize } from '../summarize/summarize.ts';
import { promptOf } from '../summarize/templates.ts';
import { overlong, refusalOf } from '../verify/verify.ts';
import type { World } from './ports.ts';
import type { Request } from './request.ts';
import type { Scribe, Summary } from './scribe.ts';
import { clearFindings, clearLedger, clearMessages, type Secrecy, secrecyOf } from './secrecy.ts';
import type { State } from './state.ts';

/** Which entries a summary is to stand for, and how long it may be. */
export type Assignment = {
  readonly head: readonly number[];
  /** Kept entries shown for context. */
  readonly recent: readonly number[];
  /** A summary of everything before, to be integrated, and its facts where they are known. */
  readonly prior: string;
  readonly ledger: Ledger | undefined;
  readonly maxTokens: number;
  /** Tokens of what the summary replaces. */
  readonly headTokens: number;
  readonly writer: 'model' | 'mechanical';
  /** The live prompt, where it stays as it is: what the work is for. */
  readonly livePrompt?: string;
};

/** A summary, or why there is none that may be used. */
export type Written = Spent &
  (
    | ({ readonly kind: 'summary'; readonly degraded: boolean } & Summary)
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

/** Writes a summary: by the model where there is one, without it where there is none or its call failed. */
export async function writeSummary(desk: Desk, assignment: Assignment, signal: AbortSignal): Promise<Written> {
  const { policy, goal } = desk.request;
  const secrecy = secrecyOf(policy.keeps?.redacts ?? true, desk.world.redactor);
  const job = await jobOf(desk, assignment, secrecy);
  const written = await writeJob(job, signal);
  const noticed = await clearFindings(written.findings, secrecy);
  const findings = [...secrecy.findings(), ...noticed];
  const told = goal === '' ? {} : { goal: job.desk.request.goal };
  if (written.kind === 'summary') return { ...written, ...told, findings };
  // The very finding that is in the list: it is told once.
  const finding = noticed[written.findings.indexOf(written.finding)] ?? written.finding;
  return { ...written, ...told, finding, findings };
}

async function writeJob(job: Job, signal: AbortSignal): Promise<Written> {
  const { desk, assignment, scribe } = job;
  const without = (degraded: boolean, spent: Spent): Written => {
    const summary = scribe.withoutModel();
    return { kind: 'summary', degraded, ...summary, ...spent, findings: [...spent.findings, ...summary.findings] };
  };
  if (!asksModel(desk, assignment)) return without(false, NOTHING_SPENT);
  const attempt = await askInLanguage(job, signal);
  const { calls, usage, findings } = attempt;
  const spent = { calls, usage, findings };
  if (attempt.kind === 'text') {
    const summary = scribe.finish(attempt.text);
    return { kind: 'summary', degraded: false, ...summary, ...spent, findings: [...findings, ...summary.findings] };
  }
  const isServed = attempt.kind === 'failed' || scribe.servesAlways || FAULTS_OF_LENGTH.has(attempt.finding.code);
  return isServed ? without(true, spent) : { kind: 'rejected', finding: attempt.finding, ...spent };
}

function asksModel({ world, callsLeft }: Desk, { writer }: Assignment): boolean {
  return writer !== 'mechanical' && world.summarizer !== undefined && callsLeft >= 1;
}

/** The one place where what a model will read is made, and what it answers comes in: no secret passes (law 25). */
async function jobOf(desk: Desk, given: Assignment, secrecy: Secrecy): Promise<Job> {
  const { request, state, world } = desk;
  const { summarizer } = world;
  const { prior, ledger } = given;
  const assignment = {
    ...given,
    prior: await secrecy.clear(prior),
    livePrompt: await secrecy.clear(livePromptOf(state)),
    ledger: ledger === undefined ? undefined : await clearLedger(ledger, secrecy),
  };
  const cleared: Desk = {
    ...desk,
    request: { ...request, goal: await secrecy.clear(request.goal), focus: await secrecy.clear(request.focus) },
    world: summarizer === undefined ? world : { ...world, summarizer: clearing(summarizer, secrecy) },
  };
  // A mechanical summary reads little of a long history: it clears what it reads.
  const isLazy = request.policy.keeps === undefined && !asksModel(desk, given) && secrecy.clearNow !== undefined;
  const head = sized(state, given.head);
  const material = isLazy
    ? { head, recent: [], clean: secrecy.clearNow }
    : {
        head: await clearMessages(head, secrecy),
        recent: await clearMessages(sized(state, given.recent), secrecy),
      };
  return { desk: cleared, assignment, scribe: await scribeFor(cleared, assignment, material) };
}

function livePromptOf({ view, atoms }: State): string {
  const live = atoms.livePrompt === undefined ? undefined : view.entries[atoms.livePrompt];
  return (live?.message.parts ?? []).flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

// A model may put together what it was told in pieces.
function clearing(summarizer: Summarizer, { clear }: Secrecy): Summarizer {
  return async (brief, signal) => {
    const draft = await summarizer(brief, signal);
    return typeof draft?.text === 'string' ? { ...draft, text: await clear(draft.text) } : draft;
  };
}

type Material = Pick<Scribe, 'head' | 'recent'> & { readonly clean?: ((text: string) => string) | undefined };

async function scribeFor(desk: Desk, assignment: Assignment, material: Material): Promise<Scribe> {
  const plain = plainScribe(desk, assignment, material);
  const { policy, goal, ids } = desk.request;
  const { keeps } = policy;
  if (keeps === undefined) return plain;
  // The digest and its facts are as large as all the rest: they are loaded with the first summary that needs them.
  const { keepingScribe } = await import('./keeper.ts');
  const count = correctedCounter(desk.request);
  return keepingScribe(plain, { ...assignment, ...keeps, goal, ids, count });
}

function plainScribe({ request }: Desk, { prior, maxTokens }: Assignment, material: Material): Scribe {
  const { template, fallbackChars: characters } = request.policy;
  const { head, recent, clean } = material;
  return {
    head,
    recent,
    withoutModel: () => {
      const messages = head.map(({ message }) => message);
      const source = {
        head: messages,
        prior,
        template,
        maxTokens,
        characters,
        ...(clean === undefined ? {} : { clean }),
      };
      return { text: mechanicalSummary(source, correctedCounter(request)), method: 'mechanical', findings: [] };
    },
    servesAlways: false,
    languageMissed: () => undefined,
    finish: (text) => ({ text, method: 'model', findings: [] }),
  };
}

type Attempt = Spent &
  (
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'refused'; readonly finding: Finding }
    | { readonly kind: 'failed' }
  );

type Job = { readonly desk: Desk; readonly assignment: Assignment; readonly scribe: Scribe };

/** A summary in another language than the user writes is asked for once more, and then not taken. */
async function askInLanguage(job: Job, signal: AbortSignal): Promise<Attempt> {
  const { desk, scribe } = job;
  const first = await attemptOf(job, signal);
  const language = first.kind === 'text' ? scribe.languageMissed(first.text) : undefined;
  if (language === undefined) return first;
  const finding = missedLanguage(language);
  const spent = { ...first, findings: [...first.findings, finding] };
  if (desk.callsLeft <= first.calls) return { ...spent, kind: 'refused', finding };
  const focus = `${desk.request.focus}\nWrite in ${language}.`.trim();
  const again = { ...desk, request: { ...desk.request, focus }, callsLeft: desk.callsLeft - first.calls };
  const second = await attemptOf({ ...job, desk: again }, signal);
  const both = addSpent(spent, second);
  if (second.kind !== 'text') return { ...second, ...both };
  const isMissed = scribe.languageMissed(second.text) !== undefined;
  return isMissed ? { ...both, kind: 'refused', finding } : { ...second, ...both };
}

function missedLanguage(language: string): Finding {
  return { code: 'wrong-language', detail: `the user writes ${language}`, evidence: { value: language } };
}

async function attemptOf({ desk, assignment, scribe }: Job, signal: AbortSignal): Promise<Attempt> {
  const count = correctedCounter(desk.request);
  const result = await askModel({ desk, assignment, scribe }, signal);
  const { calls, usage, findings } = result;
  if (result.kind === 'failed') return { kind: 'failed', calls, usage, findings };
  if (result.kind === 'refused') return { kind: 'refused', finding: result.finding, calls, usage, findings };
  const text = cleanDraft(result.draft.text, desk.request.policy.template);
  const tokens = count(text);
  const { template } = desk.request.policy;
  const refusal = refusalOf({ draft: result.draft, text, prompt: result.prompt, prior: assignment.prior, template });
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
  const { policy, goal, focus } = request;
  const { summarizer } = world;
  if (summarizer === undefined) return { kind: 'failed', ...NOTHING_SPENT };
  const source = {
    head: scribe.head,
    recent: scribe.recent,
    prior: assignment.prior,
    goal,
    focus,
    prompt: policy.prompt ?? promptOf(policy.template),
    maxTokens: askedTokens(desk, assignment),
    ...(policy.model === undefined ? {} : { model: policy.model }),
  };
  const limits = {
    inputBudget: inputBudgetOf(summarizerWindow(desk), policy.summarizerShare, source.maxTokens),
    maxCalls: callsLeft,
    timeoutMs: world.timeoutMs,
  };
  const refuse = (draft: Draft, prompt: string): Finding | undefined =>
    refusalOf({ draft, text: draft.text, prompt, prior: '' });
  return summarize(source, { summarizer, count: correctedCounter(request), refuse, ...limits }, signal);
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
    const tokens = sizes.messages[index] ?? 0;
    if (!isOurs) found.push({ message: entry.message, index: entry.source ?? index, tokens });
  }
  return found;
}
