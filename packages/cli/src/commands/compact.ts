import { compact, estimateTokens, type Outcome } from 'epitome';
import { UsageError } from '../errors.ts';
import type { Conversation } from '../input/conversation.ts';
import { writeJson } from '../input/json.ts';
import { openSummarizer } from '../models/summarizer.ts';
import type { RunOptions } from '../options.ts';
import { readTarget, requestIn, type Target } from '../output/convert.ts';
import { handover } from '../output/handover.ts';
import { passed } from '../output/passed.ts';
import { withProgress } from '../output/progress.ts';
import { humanReport, machineReport, type Run } from '../output/report.ts';
import { rewrite } from '../output/rewrite.ts';
import { checkWritable, isSameFile, writeOut, writeWhole } from '../output/write.ts';
import { portsOf, prepare, summarizerNamed } from '../request.ts';

/** Options of `compact`. */
export type CompactOptions = RunOptions & {
  readonly report?: string;
  readonly output?: string;
  readonly to?: string;
  readonly json?: true;
};

/** Compacts a conversation and writes it in its own format. Returns the exit code. */
export async function runCompact(
  file: string | undefined,
  options: CompactOptions,
  signal: AbortSignal,
): Promise<number> {
  await checkPlaces(file, options);
  const target = readTarget(options.to);
  const { timeoutMs } = portsOf(options);
  const named = await summarizerNamed(options);
  const summarizer = await openSummarizer(named, process.env, timeoutMs === undefined ? {} : { timeoutMs });
  const { conversation, input, policy, ports, notes } = await prepare(file, options, signal);
  checkWhole(conversation, target);
  for (const place of [options.report, options.output]) if (isFile(place)) await checkWritable(place);
  if (!options.quiet && !options.json) for (const note of notes) console.error(note);
  const started = performance.now();
  const writer = summarizer === undefined ? {} : { summarizer: withProgress(summarizer, process.stderr) };
  // A document is wanted whatever the size, and without a model nothing of a compaction goes into it.
  const cause = target === 'markdown' ? 'manual' : input.cause;
  const asked = cause === undefined ? input : { ...input, cause };
  const outcome = conversation.isKeptByServer
    ? passed(asked, ports)
    : await compact(asked, { ...ports, ...writer }, signal);
  const run = { outcome, conversation, policy, durationMs: Math.round(performance.now() - started) };
  const result = resultOf(run, target, options);
  if (options.report !== undefined) {
    await writeWhole(options.report, `${JSON.stringify(machineReport(run), null, 2)}\n`);
  }
  if (isFile(options.output)) await writeWhole(options.output, result.content);
  else await writeOut(result.content);
  const told = options.json ? [JSON.stringify(machineReport(run))] : target === 'markdown' ? [] : humanReport(run);
  const said = options.json ? [] : result.notes.map((note) => `  note      ${note}`);
  if (!options.quiet) console.error([...told, ...said].join('\n'));
  if (target === 'markdown') return 0;
  const isStuck =
    outcome.status === 'noop' &&
    outcome.reason !== 'server-state' &&
    outcome.tokens.before > policy.window - policy.reserved;
  return isStuck || outcome.reason === 'invalid-output' ? 3 : exitCodeOf(outcome.status);
}

/** What is read as a session is written anew, without the member by which its provider would know what came before. */
function checkWhole(conversation: Conversation, target: Target | undefined): void {
  if (conversation.kind !== 'session' || !conversation.session.isKeptByServer || target === 'markdown') return;
  throw new UsageError(
    'The request goes on from what its provider holds (previous_response_id or conversation), and would be written without that; ' +
      'give it as a JSON text of its own, which goes out as it came.',
  );
}

/** The report gets a file of its own: never the conversation's, nor the result's. */
async function checkPlaces(file: string | undefined, { report, output }: CompactOptions): Promise<void> {
  if (report === '-') throw new UsageError('--report takes a file; the conversation goes to stdout.');
  if (isFile(report) && isFile(output) && (await isSameFile(report, output))) {
    throw new UsageError(`--report and --output name the same file, ${output}: give each its own.`);
  }
  if (isFile(file) && isFile(report) && (await isSameFile(report, file))) {
    throw new UsageError(`--report names the conversation itself, ${file}: it would take its place.`);
  }
}

type Result = { readonly content: string | Buffer; readonly notes: readonly string[] };

function resultOf(run: Run, target: Target | undefined, options: CompactOptions): Result {
  const { conversation, outcome } = run;
  if (target === 'markdown') {
    const content = handover(run, options);
    return { content, notes: [`a hand-over document of ${estimateTokens(content)} tokens`] };
  }
  const { format } = conversation;
  if (conversation.kind === 'document' && (target === undefined || target === format)) {
    // What was not changed goes out byte for byte.
    const isSame = outcome.messages === conversation.messages;
    return { content: isSame ? conversation.source.bytes : rewrite(conversation, outcome.messages), notes: [] };
  }
  const { value, notes } = requestIn(target ?? format, conversation, outcome.messages);
  return { content: `${writeJson(value)}\n`, notes };
}

function isFile(target: string | undefined): target is string {
  return target !== undefined && target !== '-';
}

function exitCodeOf(status: Outcome['status']): number {
  switch (status) {
    case 'compressed':
    case 'truncated':
    case 'noop':
      return 0;
    case 'failed-inflated':
    case 'failed-token-count':
    case 'failed-empty-summary':
      return 3;
    default:
      return status satisfies never;
  }
}
