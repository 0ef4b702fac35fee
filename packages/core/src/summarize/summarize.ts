import type { Brief, Draft, Prompt, PromptContext, Summarizer } from '../model/brief.ts';
import type { Counter } from '../model/count.ts';
import type { Finding } from '../model/finding.ts';
import { hasPayload, type Message } from '../model/message.ts';
import type { Spent } from '../model/record.ts';
import { type Block, chunkBlocks, startWithin } from './chunks.ts';
import { renderMessage } from './render.ts';
import { assemble, SUMMARIZER_SYSTEM } from './templates.ts';

/** A message with its place in the conversation and its tokens in a request. */
export type SizedMessage = { readonly message: Message; readonly index: number; readonly tokens: number };

/** What is to be summarized. */
export type SummarySource = {
  readonly head: readonly SizedMessage[];
  /** Kept messages shown for context behind the cutoff marker. */
  readonly recent: readonly SizedMessage[];
  readonly prior: string;
  readonly goal: string;
  readonly focus: string;
  readonly prompt: Prompt;
  readonly maxTokens: number;
  readonly model?: string;
};

/** The model and its limits. */
export type SummarizeWith = {
  readonly summarizer: Summarizer;
  /** Tokens of material one call may carry, prior summary included. */
  readonly inputBudget: number;
  /** Tokens a whole brief may have. */
  readonly briefTokens: number;
  readonly maxCalls: number;
  readonly timeoutMs: number;
  readonly count: Counter;
  /** Whether even what goes into one call is read in two parts. */
  readonly inHalves: boolean;
  /** What is wrong with the notes of a part, if anything: a failure is no more content there than in a summary. */
  readonly refuse: (draft: Draft, prompt: string) => Finding | undefined;
};

/** A draft with what it took, or why there is none. A failure is never content. */
export type SummaryResult = Spent &
  (
    | { readonly kind: 'draft'; readonly draft: Draft; readonly prompt: string }
    | { readonly kind: 'refused'; readonly finding: Finding }
    | { readonly kind: 'failed' }
  );

/** Summarizes in one call, or chunk by chunk and a merge where the material is larger than the summarizer takes. */
export async function summarize(
  source: SummarySource,
  using: SummarizeWith,
  signal: AbortSignal,
): Promise<SummaryResult> {
  const run = startRun(using, signal);
  try {
    const inputBudget = Math.min(using.inputBudget, using.briefTokens - frameTokens(source, using.count));
    if (inputBudget < MIN_BUDGET) return { kind: 'failed', ...run.taken(), findings: [NO_ROOM] };
    const material = gather(source, { ...using, inputBudget });
    // Notes of each part need their title and a few words in what is merged.
    const most = Math.min(using.maxCalls, Math.floor(material.room / LEAST_NOTES) + 1);
    const chunks = fitCalls(material.chunks, most, run.findings);
    const isWhole = chunks.length <= 1;
    const conversation = isWhole ? (chunks[0] ?? '') : await takeNotes({ source, using, run }, chunks, material.room);
    const { prior, recent } = material;
    const prompt = source.prompt({ ...contextOf(source, conversation), prior, recent });
    const draft = await run.ask({ ...briefOf(source, prompt), purpose: isWhole ? 'summary' : 'merge' });
    return { kind: 'draft', draft, prompt, ...run.taken() };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof UnusableNotes) {
      run.findings.push(cause.finding);
      return { kind: 'refused', finding: cause.finding, ...run.taken() };
    }
    run.findings.push(findingOf(cause, using.timeoutMs));
    return { kind: 'failed', ...run.taken() };
  }
}

type Material = {
  readonly chunks: readonly string[];
  readonly prior: string;
  readonly recent: string;
  /** Tokens one chunk may have. */
  readonly room: number;
};

function gather(source: SummarySource, { inputBudget, count, inHalves }: SummarizeWith): Material {
  const blocks = source.head.map((sized) => toBlock(sized, count));
  const recent = newestWithin(
    source.recent.map((sized) => toBlock(sized, count)),
    inputBudget / 4,
  );
  const priorTokens = count(source.prior);
  // A summary written by a larger model may not fit beside new material: then it is material itself.
  const isCarried = source.prior === '' || priorTokens <= inputBudget / 2;
  const room = Math.max(inputBudget - recent.tokens - (isCarried ? priorTokens : 0), 1);
  const all = isCarried ? blocks : [{ text: `[summary so far]\n${source.prior}`, tokens: priorTokens }, ...blocks];
  const whole = chunkBlocks(all, room, count);
  const chunks = inHalves && whole.length === 1 ? halvesOf(all, count) : whole;
  return { chunks, prior: isCarried ? source.prior : '', recent: recent.text, room };
}

function halvesOf(blocks: readonly Block[], count: Counter): readonly string[] {
  const tokens = blocks.reduce((sum, block) => sum + block.tokens, 0);
  const parts = chunkBlocks(blocks, Math.ceil(tokens / 2), count);
  const newest = parts.at(-1);
  return newest === undefined || parts.length < 2 ? parts : [parts.slice(0, -1).join('\n\n'), newest];
}

// A summarizer with less room than this cannot be asked anything useful.
const MIN_BUDGET = 64;

const NO_ROOM: Finding = {
  code: 'summarizer-failed',
  detail: 'beside its instructions the window of the summarizer has no room for anything to read',
};

// Of notes in a merged text: their title, and the least they have.
const TITLE = 12;
const LEAST_NOTES = TITLE + 16;

// Tags around what is put in, and the line between two messages.
const TAGS = 60;

/** Tokens a call takes beside the material: rules, the prompt's own words, goal and focus, tags. */
function frameTokens(source: SummarySource, count: Counter): number {
  const context = contextOf(source, '');
  const notes = assemble(context, `This is part 10 of 10. ${CHUNK_RULES}`);
  return count(SUMMARIZER_SYSTEM) + Math.max(count(source.prompt(context)), count(notes)) + TAGS;
}
const PARALLEL_CALLS = 4;

type Run = {
  readonly ask: (brief: Brief) => Promise<Draft>;
  readonly findings: Finding[];
  readonly taken: () => Spent;
};

function startRun(using: SummarizeWith, signal: AbortSignal): Run {
  const findings: Finding[] = [];
  let calls = 0;
  let inputTokens = 0;
  let outputTokens = 0;
  return {
    findings,
    ask: async (brief) => {
      calls += 1;
      const draft = await withDeadline(using, brief, signal);
      inputTokens += countOf(draft.usage?.inputTokens);
      outputTokens += countOf(draft.usage?.outputTokens);
      return draft;
    },
    taken: () => ({ calls, usage: { inputTokens, outputTokens }, findings }),
  };
}

/** A figure from outside: anything but a number counts as not given. */
function countOf(figure: unknown): number {
  return typeof figure === 'number' && Number.isFinite(figure) ? figure : 0;
}

class DeadlinePassed extends Error {}

/** One call that ends at the deadline even if the summarizer ignores its signal. */
async function withDeadline(
  { summarizer, timeoutMs }: SummarizeWith,
  brief: Brief,
  signal: AbortSignal,
): Promise<Draft> {
  // One that aborted on the way here will not say so again.
  signal.throwIfAborted();
  const controller = new AbortController();
  let stop: (reason: unknown) => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      controller.abort(reason);
      reject(reason);
    };
  });
  const onAbort = (): void => stop(signal.reason);
  const timer = setTimeout(() => stop(new DeadlinePassed()), timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const draft = await Promise.race([summarizer(brief, controller.signal), stopped]);
    if (typeof draft?.text !== 'string') throw new TypeError('The summarizer returned no text.');
    return draft;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

class UnusableNotes extends Error {
  readonly finding: Finding;
  constructor(finding: Finding) {
    super(finding.detail);
    this.finding = finding;
  }
}

type Notes = { readonly source: SummarySource; readonly using: SummarizeWith; readonly run: Run };

/** Notes of each part, together no longer than one call may carry. */
async function takeNotes({ source, using, run }: Notes, chunks: readonly string[], room: number): Promise<string> {
  const notes: string[] = [];
  const share = Math.max(Math.floor(room / chunks.length) - TITLE, 16);
  const maxTokens = Math.min(Math.ceil(source.maxTokens / 2), share);
  const askFor = async (conversation: string, index: number): Promise<void> => {
    const title = `part ${index + 1} of ${chunks.length}`;
    const prompt = assemble({ ...contextOf(source, conversation), maxTokens }, `This is ${title}. ${CHUNK_RULES}`);
    const draft = await run.ask({ ...briefOf(source, prompt), maxTokens, purpose: 'chunk' });
    const finding = using.refuse(draft, prompt);
    if (finding !== undefined) throw new UnusableNotes(finding);
    notes[index] = `[${title}]\n${startWithin(draft.text.trim(), share, using.count)}`;
  };
  for (let from = 0; from < chunks.length; from += PARALLEL_CALLS) {
    const group = chunks.slice(from, from + PARALLEL_CALLS);
    await Promise.all(group.map((chunk, offset) => askFor(chunk, from + offset)));
  }
  run.findings.push({ code: 'chunked', detail: `summarized in ${chunks.length} parts and merged` });
  return notes.join('\n\n');
}

const CHUNK_RULES =
  'Take dense notes of this part, in order: requests, actions and outcomes, files, errors, decisions, open points.';

/** Keeps the newest chunks a bounded number of calls can take, and says what that leaves out. */
function fitCalls(chunks: readonly string[], maxCalls: number, findings: Finding[]): readonly string[] {
  const room = chunks.length <= 1 ? 1 : maxCalls < 3 ? 1 : maxCalls - 1;
  if (chunks.length <= room) return chunks;
  findings.push({
    code: 'left-out',
    detail: `${chunks.length - room} of ${chunks.length} parts, the oldest, exceed ${maxCalls} calls`,
  });
  return chunks.slice(-room);
}

function contextOf({ goal, focus, maxTokens }: SummarySource, conversation: string): PromptContext {
  return { conversation, recent: '', prior: '', goal, focus, maxTokens };
}

function briefOf({ maxTokens, model }: SummarySource, text: string): Omit<Brief, 'purpose'> {
  // Providers refuse JSON with half a surrogate pair in it; a history, a goal or the notes of a part may have one.
  const prompt = text.toWellFormed();
  return { system: SUMMARIZER_SYSTEM, prompt, maxTokens, ...(model === undefined ? {} : { model }) };
}

// Media and opaque blocks weigh in a request, but are a few words or nothing in what a summarizer reads.
function toBlock({ message, tokens }: Pick<SizedMessage, 'message' | 'tokens'>, count: Counter): Block {
  const text = renderMessage(message);
  return { text, tokens: message.parts.some(hasPayload) ? count(text) : tokens };
}

function newestWithin(blocks: readonly Block[], budget: number): Block {
  const kept: string[] = [];
  let tokens = 0;
  for (const block of [...blocks].reverse()) {
    if (tokens + block.tokens > budget) break;
    tokens += block.tokens;
    kept.push(block.text);
  }
  return { text: kept.reverse().join('\n\n'), tokens };
}

function findingOf(cause: unknown, timeoutMs: number): Finding {
  if (cause instanceof DeadlinePassed) {
    return { code: 'summarizer-timeout', detail: `no answer within ${timeoutMs / 1000} s` };
  }
  return { code: 'summarizer-failed', detail: cause instanceof Error ? cause.message : String(cause) };
}
