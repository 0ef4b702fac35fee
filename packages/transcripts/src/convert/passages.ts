import type { FormatName, Message, Part } from 'epitome';
import { type Payload, payloadsOf } from './media.ts';

/** Text or a file. */
export type Block = { readonly kind: 'text'; readonly text: string } | ({ readonly kind: 'media' } & Payload);

/** A call of a tool; `input` is JSON text. */
export type Call = { readonly id: string; readonly name: string; readonly input: string };

/** What a call gave back. */
export type Result = {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  readonly media: readonly Payload[];
};

/** What one side says before the other does; the results of an answer's calls are the passage behind it, all of them. */
export type Passage = Said & {
  /** The messages it stands in, where they need no change. */
  readonly natives?: readonly unknown[];
};

type Said =
  | { readonly kind: 'system'; readonly text: string }
  | { readonly kind: 'user'; readonly blocks: readonly Block[] }
  | { readonly kind: 'assistant'; readonly blocks: readonly Block[]; readonly calls: readonly Call[] }
  | { readonly kind: 'results'; readonly results: readonly Result[] };

/** What had to be put right, and what no other format can carry. */
export type Losses = {
  /** Calls that never got a result: one that says so was put in. */
  readonly unanswered: number;
  /** Results without a call: they are text of the user's now. */
  readonly orphans: number;
  /** Results that stood behind something else than their call. */
  readonly moved: number;
  readonly reasoning: number;
  readonly opaque: number;
};

/** Nothing to put right, nothing lost. */
export const NO_LOSSES: Losses = { unanswered: 0, orphans: 0, moved: 0, reasoning: 0, opaque: 0 };

/** A message with its parts as blocks, calls and results. */
type Read = {
  readonly role: Message['role'];
  readonly native: unknown;
  readonly blocks: readonly Block[];
  readonly calls: readonly Call[];
  readonly results: readonly Result[];
};

/** Messages as passages in which every call has its result right behind it. */
export function passagesOf(
  messages: readonly Message[],
  format: FormatName,
): { readonly passages: readonly Passage[]; readonly losses: Losses } {
  const counter: Counter = { ...NO_LOSSES };
  const reads = messages.map((message) => readMessage(message, counter));
  const pool = resultPool(reads);
  const passages: Passage[] = [];
  for (let at = 0; at < reads.length; ) {
    const end = runEnd(reads, at, format);
    const run = reads.slice(at, end);
    if (run[0]?.role === 'assistant') {
      const calls = run.flatMap((read) => read.calls).filter(({ id }) => !pool.isTaken(id));
      passages.push({ ...assistantPassage(run), calls });
      at = calls.length === 0 ? end : pushResults({ reads, passages, pool, counter }, calls, end);
    } else {
      for (const read of run) for (const passage of otherPassages(read, pool, counter)) passages.push(passage);
      at = end;
    }
  }
  return { passages, losses: counter };
}

type ResultPart = Extract<Part, { kind: 'tool-result' }>;
type Counter = { -readonly [K in keyof Losses]: number };

function readMessage({ role, parts, native }: Message, counter: Counter): Read {
  const payloads = [...payloadsOf(native)];
  const blocks: Block[] = [];
  const calls: Call[] = [];
  const results: Result[] = [];
  const next = (mimeType = ''): Payload => payloads.shift() ?? { mimeType };
  const resultOf = ({ callId, name, text, isError, media }: ResultPart): Result => {
    return { id: callId, name, text, isError, media: media.map(({ mimeType }) => next(mimeType)) };
  };
  for (const part of parts) {
    if (part.kind === 'text' && part.text.trim() !== '') blocks.push({ kind: 'text', text: part.text });
    if (part.kind === 'media') blocks.push({ kind: 'media', ...next(part.mimeType) });
    if (part.kind === 'tool-call') calls.push({ id: part.callId, name: part.name, input: part.input });
    if (part.kind === 'tool-result') results.push(resultOf(part));
    if (part.kind === 'reasoning' || part.kind === 'opaque') counter[part.kind] += 1;
  }
  return { role, native, blocks, calls, results };
}

/** Results by call, each given out once. */
function resultPool(reads: readonly Read[]) {
  const byId = new Map<string, Result>();
  for (const { results } of reads) for (const result of results) if (!byId.has(result.id)) byId.set(result.id, result);
  const taken = new Set<string>();
  return {
    isTaken: (id: string): boolean => taken.has(id),
    take: (id: string): Result | undefined => {
      taken.add(id);
      return byId.get(id);
    },
  };
}

type Pool = ReturnType<typeof resultPool>;

/**
 * Behind the last of an answer's messages in a row. Where a call is an item of its own, parallel ones stand side by side
 * before their results; elsewhere the results of a message's calls come right behind it.
 */
function runEnd(reads: readonly Read[], start: number, format: FormatName): number {
  let end = start + 1;
  if (reads[start]?.role !== 'assistant') return end;
  const isClosed = (): boolean => format !== 'openai-responses' && (reads[end - 1]?.calls.length ?? 0) > 0;
  while (reads[end]?.role === 'assistant' && !isClosed()) end += 1;
  return end;
}

function assistantPassage(run: readonly Read[]): {
  kind: 'assistant';
  blocks: readonly Block[];
  natives: readonly unknown[];
} {
  return { kind: 'assistant', blocks: run.flatMap(({ blocks }) => blocks), natives: run.map(({ native }) => native) };
}

type Work = {
  readonly reads: readonly Read[];
  readonly passages: Passage[];
  readonly pool: Pool;
  readonly counter: Counter;
};

/** Puts the results of calls behind them; gives the place to go on from. */
function pushResults({ reads, passages, pool, counter }: Work, calls: readonly Call[], start: number): number {
  const ids = new Set(calls.map(({ id }) => id));
  let end = start;
  const near = new Set<string>();
  for (let read = reads[end]; read !== undefined && isAnswerTo(read, ids, near); read = reads[end]) {
    for (const { id } of read.results) near.add(id);
    end += 1;
  }
  const isWhole =
    near.size === ids.size && reads.slice(start, end).flatMap(({ results }) => results).length === ids.size;
  const results = [...ids].map((id): Result => {
    const found = pool.take(id);
    if (found === undefined) counter.unanswered += 1;
    else if (!near.has(id)) counter.moved += 1;
    const name = calls.find((call) => call.id === id)?.name ?? '';
    return found ?? { id, name, text: NO_RESULT, isError: true, media: [] };
  });
  const natives = isWhole ? { natives: reads.slice(start, end).map(({ native }) => native) } : {};
  passages.push({ kind: 'results', results, ...natives });
  return end;
}

const NO_RESULT = 'No result was recorded for this call.';

function isAnswerTo(read: Read, ids: ReadonlySet<string>, near: ReadonlySet<string>): boolean {
  if (read.results.length === 0 || read.blocks.length > 0 || read.calls.length > 0) return false;
  return read.results.every(({ id }) => ids.has(id) && !near.has(id));
}

function otherPassages(read: Read, pool: Pool, counter: Counter): readonly Passage[] {
  if (read.role === 'system') {
    const text = read.blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('\n');
    return [{ kind: 'system', text, natives: [read.native] }];
  }
  const strays = read.results.filter(({ id }) => !pool.isTaken(id));
  counter.orphans += strays.length;
  const texts = strays.map(({ name, text }): Block => {
    return {
      kind: 'text',
      text: `[result of ${name === '' ? 'a call' : name} that is not in this conversation]\n${text}`,
    };
  });
  const blocks = [...texts, ...read.blocks];
  // What nobody here can read goes on in its own format, and there alone.
  if (blocks.length === 0 && read.results.length > 0) return [];
  return [{ kind: 'user', blocks, ...(read.results.length === 0 ? { natives: [read.native] } : {}) }];
}
