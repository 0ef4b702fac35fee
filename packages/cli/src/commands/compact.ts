import { compact, type Outcome } from 'epitome';
import { UsageError } from '../errors.ts';
import { openSummarizer } from '../models/summarizer.ts';
import type { RunOptions } from '../options.ts';
import { withProgress } from '../output/progress.ts';
import { humanReport, machineReport } from '../output/report.ts';
import { rewrite } from '../output/rewrite.ts';
import { checkWritable, writeOut, writeWhole } from '../output/write.ts';
import { prepare } from '../request.ts';

/** Options of `compact`. */
export type CompactOptions = RunOptions & { readonly report?: string; readonly output?: string };

/** Compacts a conversation and writes it in its own format. Returns the exit code. */
export async function runCompact(
  file: string | undefined,
  options: CompactOptions,
  signal: AbortSignal,
): Promise<number> {
  if (options.report === '-') throw new UsageError('--report takes a file; the conversation goes to stdout.');
  const summarizer = await openSummarizer(options.summarizer, process.env);
  const { conversation, input, policy, ports, notes } = await prepare(file, options, signal);
  for (const target of [options.report, options.output]) if (isFile(target)) await checkWritable(target);
  if (!options.quiet) for (const note of notes) console.error(note);
  const started = performance.now();
  const writer = summarizer === undefined ? {} : { summarizer: withProgress(summarizer, process.stderr) };
  const outcome = await compact(input, { ...ports, ...writer }, signal);
  const run = { outcome, conversation, policy, durationMs: Math.round(performance.now() - started) };
  // What was not changed goes out byte for byte.
  const isSame = outcome.messages === conversation.messages;
  const result = isSame ? conversation.source.bytes : rewrite(conversation, outcome.messages);
  if (options.report !== undefined) {
    await writeWhole(options.report, `${JSON.stringify(machineReport(run), null, 2)}\n`);
  }
  if (isFile(options.output)) await writeWhole(options.output, result);
  else await writeOut(result);
  if (!options.quiet) console.error(humanReport(run).join('\n'));
  const { before } = outcome.tokens;
  const isStuck = outcome.status === 'noop' && before > policy.window - policy.reserved;
  return isStuck || outcome.reason === 'invalid-output' ? 3 : exitCodeOf(outcome.status);
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
