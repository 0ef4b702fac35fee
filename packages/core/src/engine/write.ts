import { correctedCounter } from '../count/measure.ts';
import type { Summarizer } from '../model/brief.ts';
import type { Ledger } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import { NOTHING_SPENT, type Spent } from '../model/record.ts';
import { mechanicalSummary } from '../summarize/mechanical.ts';
import type { SizedMessage } from '../summarize/summarize.ts';
import { askInLanguage } from './ask.ts';
import type { Assignment, Desk, Job } from './desk.ts';
import type { Scribe, Summary } from './scribe.ts';
import { clearFindings, clearLedger, clearMessages, type Secrecy, secrecyOf } from './secrecy.ts';
import type { State } from './state.ts';

/** A summary, or why there is none that may be used. */
export type Written = Spent &
  (
    | ({ readonly kind: 'summary'; readonly degraded: boolean } & Summary)
    | { readonly kind: 'rejected'; readonly finding: Finding }
  );

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
    if (summary.text.trim() === '') return { kind: 'rejected', finding: NO_ROOM, ...spent };
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

// Nothing is no summary: what it would stand for must not go without a word.
const NO_ROOM: Finding = { code: 'summary-empty', detail: 'a summary without a model has no room for a line' };

function asksModel({ world, callsLeft }: Desk, { writer }: Assignment): boolean {
  return writer !== 'mechanical' && world.summarizer !== undefined && callsLeft >= 1;
}

/** The one place where what a model will read is made, and what it answers comes in: no secret passes (law 25). */
async function jobOf(desk: Desk, given: Assignment, secrecy: Secrecy): Promise<Job> {
  const { request, state, world } = desk;
  const { summarizer } = world;
  const { prior, facts } = given;
  const assignment = {
    ...given,
    prior: await secrecy.clear(prior),
    livePrompt: await secrecy.clear(livePromptOf(state)),
  };
  const cleared: Desk = {
    ...desk,
    request: { ...request, goal: await secrecy.clear(request.goal), focus: await secrecy.clear(request.focus) },
    world: summarizer === undefined ? world : { ...world, summarizer: clearing(summarizer, secrecy) },
  };
  // A mechanical summary reads little of a long history: it clears what it reads.
  const isLazy = request.policy.keeps === undefined && !asksModel(desk, given) && secrecy.clearNow !== undefined;
  const head = sized(state, given.head);
  const known = request.policy.keeps === undefined ? undefined : facts;
  const material = isLazy
    ? { head, recent: [], clean: secrecy.clearNow }
    : {
        head: await clearMessages(head, secrecy),
        recent: await clearMessages(sized(state, given.recent), secrecy),
        ledger: known === undefined ? undefined : await clearLedger(known, secrecy),
      };
  return { desk: cleared, assignment, scribe: await scribeFor(cleared, assignment, material) };
}

function livePromptOf({ view, atoms }: State): string {
  const said = [atoms.livePrompt ?? -1, atoms.aside ?? -1].flatMap((index) => view.entries[index]?.message.parts ?? []);
  return said.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

// A model may put together what it was told in pieces.
function clearing(summarizer: Summarizer, { clear }: Secrecy): Summarizer {
  return async (brief, signal) => {
    const draft = await summarizer(brief, signal);
    return typeof draft?.text === 'string' ? { ...draft, text: await clear(draft.text) } : draft;
  };
}

type Material = Pick<Scribe, 'head' | 'recent'> & {
  readonly clean?: ((text: string) => string) | undefined;
  readonly ledger?: Ledger | undefined;
};

async function scribeFor(desk: Desk, assignment: Assignment, material: Material): Promise<Scribe> {
  const plain = plainScribe(desk, assignment, material);
  const { policy, goal, ids } = desk.request;
  const { keeps } = policy;
  if (keeps === undefined) return plain;
  // The digest and its facts are as large as all the rest: they are loaded with the first summary that needs them.
  const { keepingScribe } = await import('./keeper.ts');
  const count = correctedCounter(desk.request);
  return keepingScribe(plain, { ...assignment, ...keeps, ledger: material.ledger, goal, ids, count });
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

// Half a structure is never installed: the mechanical summary takes its place.
const FAULTS_OF_LENGTH = new Set<Finding['code']>(['summary-cut-off', 'summary-huge']);

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
