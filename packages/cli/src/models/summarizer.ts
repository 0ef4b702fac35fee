import type { Brief, Draft, Summarizer } from 'epitome';
import { faultOf } from '../chat/model/fault.ts';
import { type Environment, openModels, PROVIDER_NAMES, readModelName } from './provider.ts';

/** How a summarizer is called. */
export type SummarizerOptions = {
  /** How often the SDK itself asks again; none where somebody else does. */
  readonly maxRetries?: number;
  /** How long an answer is waited for: asking again must leave time for one. */
  readonly timeoutMs?: number;
};

/** A summarizer by name; `undefined` for the mechanical one, which the engine has. */
export async function openSummarizer(
  name: string,
  env: Environment,
  options: SummarizerOptions = {},
): Promise<Summarizer | undefined> {
  if (name === 'mechanical') return undefined;
  const own = readModelName(name);
  const models = await openModels(own, env);
  const sdk = await import('ai');
  // The SDK would print its warnings to stdout, where the conversation goes.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const told = options.maxRetries === 0 ? asIs : toldPlainly;
  return told(async (brief, signal) => {
    const chosen =
      brief.model === undefined ? models : await openModels(readModelName(fullName(brief.model, name)), env);
    for (const model of chosen.slice(0, -1)) {
      const draft = await unlessUnknown(sdk, () => ask(sdk, { model, brief, ...options }, signal));
      if (draft !== undefined) return draft;
    }
    const [model] = chosen.slice(-1);
    if (model === undefined) throw new Error('No model was opened.');
    return ask(sdk, { model, brief, ...options }, signal);
  });
}

function asIs(summarizer: Summarizer): Summarizer {
  return summarizer;
}

/** A summarizer whose failures say what the server answered, and how often it was asked. */
function toldPlainly(summarizer: Summarizer): Summarizer {
  return async (brief, signal) => {
    try {
      return await summarizer(brief, signal);
    } catch (cause) {
      const { status, detail } = faultOf(cause);
      if (signal.aborted || status === undefined) throw cause;
      const tries =
        cause instanceof Error && 'errors' in cause && Array.isArray(cause.errors) ? cause.errors.length : 1;
      throw new Error(`HTTP ${status} after ${tries} ${tries === 1 ? 'try' : 'tries'}: ${detail}`, { cause });
    }
  };
}

type Sdk = Pick<typeof import('ai'), 'generateText' | 'APICallError'>;
type Question = {
  readonly model: Parameters<Sdk['generateText']>[0]['model'];
  readonly brief: Brief;
} & SummarizerOptions;

async function ask(
  { generateText }: Sdk,
  { model, brief, timeoutMs = Number.POSITIVE_INFINITY, maxRetries = 2 }: Question,
  signal: AbortSignal,
): Promise<Draft> {
  const { text, usage, finishReason } = await generateText({
    model,
    system: brief.system,
    prompt: brief.prompt,
    maxRetries: retriesWithin(timeoutMs, maxRetries),
    maxOutputTokens: brief.maxTokens * 2 + REASONING_TOKENS,
    abortSignal: signal,
  });
  const { inputTokens, outputTokens } = usage;
  return {
    text,
    finish: finishReason,
    usage: {
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
    },
  };
}

// What the SDK waits before it asks again; each time it waits twice as long.
const FIRST_WAIT_MS = 2000;

/** As many retries as wait no longer than half the time there is: a failure is to be told before it is up. */
function retriesWithin(timeoutMs: number, most: number): number {
  let retries = 0;
  while (retries < most && FIRST_WAIT_MS * (2 ** (retries + 1) - 1) <= timeoutMs / 2) retries += 1;
  return retries;
}

// Models that think spend from the same limit before they write; twice the length asked for is refused anyway.
const REASONING_TOKENS = 4096;

async function unlessUnknown({ APICallError }: Sdk, call: () => Promise<Draft>): Promise<Draft | undefined> {
  try {
    return await call();
  } catch (cause) {
    if (APICallError.isInstance(cause) && (cause.statusCode === 404 || cause.statusCode === 405)) return undefined;
    throw cause;
  }
}

/** A model's name with its provider: the one of another model where it has none. */
export function fullName(name: string, beside: string): string {
  const hasProvider = PROVIDER_NAMES.some((known) => name.startsWith(`${known}/`));
  return hasProvider ? name : `${readModelName(beside).provider}/${name}`;
}
