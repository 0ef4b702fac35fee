import type { Brief, Draft, Prompt, PromptContext, Summarizer } from '../model/brief.ts';
import type { Message } from '../model/message.ts';
import type { Finding } from '../model/record.ts';
import { type Block, chunkBlocks } from './chunks.ts';
import { renderMessage } from './render.ts';
import { assemble, SUMMARIZER_SYSTEM } from './templates.ts';

/** What is to be summarized. */
export type SummarySource = {
  readonly head: readonly { readonly message: Message; readonly tokens: number }[];
  /** Kept messages shown for context behind the cutoff marker. */
  readonly recent: readonly { readonly message: Message; readonly tokens: number }[];
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
  /** Tokens of material one call may carry. */
  readonly inputBudget: number;
  readonly maxCalls: number;
  readonly timeoutMs: number;
};

/** A draft with what it took, or why there is none. A failure is never content. */
export type SummaryResult = {
  readonly calls: number;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly findings: readonly Finding[];
} & ({ readonly kind: 'draft'; readonly draft: Draft; readonly prompt: string } | { readonly kind: 'failed' });

/** Summarizes in one call, or chunk by chunk and a merge where the material is larger than the summarizer takes. */
export async function summarize(
  source: SummarySource,
  using: SummarizeWith,
  signal: AbortSignal,
): Promise<SummaryResult> {
  const run = startRun(using, signal);
  try {
    const recent = newestWithin(source.recent, using.inputBudget / 4);
    const budget = using.inputBudget - recent.tokens;
    const chunks = chunkBlocks(source.head.map(toBlock), Math.max(budget, MIN_BUDGET));
    const fitting = fitCalls(chunks, using.maxCalls, run.findings);
    const conversation = fitting.length > 1 ? await takeNotes(fitting, source, run) : (fitting[0] ?? '');
    const purpose = fitting.length > 1 ? 'merge' : 'summary';
    const prompt = source.prompt(contextOf(source, conversation, recent.text));
    const draft = await run.ask({ ...briefOf(source, prompt), purpose });
    return { kind: 'draft', draft, prompt, ...run.taken() };
  } catch (cause) {
    signal.throwIfAborted();
    run.findings.push(findingOf(cause, using.timeoutMs));
    return { kind: 'failed', ...run.taken() };
  }
}

// A summarizer with less room than this cannot be asked anything useful.
const MIN_BUDGET = 64;
const PARALLEL_CALLS = 4;

type Run = {
  readonly ask: (brief: Brief) => Promise<Draft>;
  readonly findings: Finding[];
  readonly taken: () => Pick<SummaryResult, 'calls' | 'usage' | 'findings'>;
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
      inputTokens += draft.usage?.inputTokens ?? 0;
      outputTokens += draft.usage?.outputTokens ?? 0;
      return draft;
    },
    taken: () => ({ calls, usage: { inputTokens, outputTokens }, findings }),
  };
}

class DeadlinePassed extends Error {}

/** One call that ends at the deadline even if the summarizer ignores its signal. */
async function withDeadline(
  { summarizer, timeoutMs }: SummarizeWith,
  brief: Brief,
  signal: AbortSignal,
): Promise<Draft> {
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

async function takeNotes(chunks: readonly string[], source: SummarySource, run: Run): Promise<string> {
  const notes: string[] = [];
  const maxTokens = Math.max(Math.floor(source.maxTokens / 2), MIN_BUDGET);
  const askFor = async (conversation: string, index: number): Promise<void> => {
    const context = { ...contextOf(source, conversation, ''), prior: '', maxTokens };
    const prompt = assemble(context, `This is part ${index + 1} of ${chunks.length}. ${CHUNK_RULES}`);
    const draft = await run.ask({ ...briefOf(source, prompt), maxTokens, purpose: 'chunk' });
    notes[index] = `[part ${index + 1} of ${chunks.length}]\n${draft.text.trim()}`;
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

function contextOf(source: SummarySource, conversation: string, recent: string): PromptContext {
  const { prior, goal, focus, maxTokens } = source;
  return { conversation, recent, prior, goal, focus, maxTokens };
}

function briefOf({ maxTokens, model }: SummarySource, prompt: string): Omit<Brief, 'purpose'> {
  return { system: SUMMARIZER_SYSTEM, prompt, maxTokens, ...(model === undefined ? {} : { model }) };
}

function toBlock({ message, tokens }: { readonly message: Message; readonly tokens: number }): Block {
  return { text: renderMessage(message), tokens };
}

function newestWithin(recent: SummarySource['recent'], budget: number): Block {
  const kept: string[] = [];
  let tokens = 0;
  for (const block of recent.map(toBlock).reverse()) {
    if (tokens + block.tokens > budget) break;
    tokens += block.tokens;
    kept.unshift(block.text);
  }
  return { text: kept.join('\n\n'), tokens };
}

function findingOf(cause: unknown, timeoutMs: number): Finding {
  if (cause instanceof DeadlinePassed) {
    return { code: 'summarizer-timeout', detail: `no answer within ${timeoutMs / 1000} s` };
  }
  return { code: 'summarizer-failed', detail: cause instanceof Error ? cause.message : String(cause) };
}
