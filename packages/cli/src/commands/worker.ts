import {
  type Attempt,
  compactionHandler,
  type JobHandler,
  locationOf,
  nameOf,
  openJobs,
  openStore,
} from '@epitome/store';
import { aborted } from '../aborted.ts';
import { messageOf, UsageError } from '../errors.ts';
import { openSummarizer } from '../models/summarizer.ts';
import { positive, type RunOptions } from '../options.ts';
import { endSentence } from '../output/job.ts';
import { plain } from '../output/text.ts';
import { writeOut } from '../output/write.ts';
import { portsOf, readPolicy } from '../request.ts';
import type { StoreOptions } from '../store-options.ts';

/** Options of `worker`. */
export type WorkerOptions = Pick<RunOptions, 'preset' | 'window' | 'target' | 'set' | 'quiet'> & {
  readonly summarizer: string;
} & Pick<RunOptions, 'summarizerWindow' | 'timeout'> &
  Pick<StoreOptions, 'store'> & { readonly concurrency: string; readonly attempts: string; readonly json?: true };

/** Compacts in the background what the queue of a store asks for, until it is stopped. Returns the exit code. */
export async function runWorker(options: WorkerOptions, signal: AbortSignal): Promise<number> {
  const [concurrency, maxAttempts] = [
    count('--concurrency', options.concurrency),
    count('--attempts', options.attempts),
  ];
  const { policy, isAssumed } = await readPolicy(options);
  const summarizer = await openSummarizer(options.summarizer, process.env);
  const ports = { ...portsOf(options), ...(summarizer === undefined ? {} : { summarizer }) };
  const say = (line: string): void => {
    if (!options.quiet) console.error(line);
  };
  if (isAssumed) say('window of these models unknown, assuming 128k');
  const location = locationOf(options.store);
  const store = await openStore(location);
  const jobs = await openJobs(location, { maxAttempts });
  try {
    const model = summarizer === undefined ? {} : { model: options.summarizer };
    const onEnd = (job: Attempt, end: End): void => {
      if (options.json) void writeOut(`${JSON.stringify({ ...whichOf(job), ...endOf(end) })}\n`);
      else say(`${nameOfJob(job)}: ${endSentence(end)}`);
    };
    const handler = compactionHandler({ store, policyOf: () => policy, onEnd, ...model }, ports);
    const announced = options.json ? reporting(handler) : announcing(handler, { say, maxAttempts });
    await jobs.startWorker(announced, { concurrency });
    say(`Working on ${nameOf(location)} with preset ${policy.preset} and a window of ${policy.window}; Ctrl-C stops.`);
    await aborted(signal);
    say('Stopping when what is under way is done; Ctrl-C again stops at once.');
  } finally {
    await jobs.close();
    await store.close();
  }
  return 0;
}

type Announcement = { readonly say: (line: string) => void; readonly maxAttempts: number };

function announcing(handler: JobHandler, { say, maxAttempts }: Announcement): JobHandler {
  return async (job, signal) => {
    try {
      await handler(job, signal);
    } catch (cause) {
      const next = job.isLast ? '`epitome store jobs` lists it' : 'it will be tried again';
      say(`${nameOfJob(job)}: try ${job.attempt} of ${maxAttempts} failed, ${next}: ${plain(messageOf(cause))}`);
      throw cause;
    }
  };
}

type End = Parameters<typeof endSentence>[0];

/** A try that failed as a line of JSON. */
function reporting(handler: JobHandler): JobHandler {
  return async (job, signal) => {
    try {
      await handler(job, signal);
    } catch (cause) {
      await writeOut(`${JSON.stringify({ ...whichOf(job), status: 'failed', error: messageOf(cause) })}\n`);
      throw cause;
    }
  };
}

function whichOf({ tenant, conversation, branch, attempt, isLast }: Attempt): object {
  return { tenant, conversation, branch, attempt, isLast };
}

function endOf(end: End): object {
  if (end === 'gone') return { status: 'gone' };
  const { status, reason, tokens, degraded, record } = end.outcome;
  const publication = end.publication === undefined ? {} : { publication: end.publication.kind };
  return { status, reason, tokens, degraded, ...(record === undefined ? {} : { recordId: record.id }), ...publication };
}

function nameOfJob({ tenant, conversation, branch }: Attempt): string {
  return plain(`${tenant}/${conversation} ${branch}`);
}

function count(option: string, text: string): number {
  const number = positive(option, text);
  if (Number.isInteger(number) && number <= MOST) return number;
  throw new UsageError(`${option} takes a whole number from 1 to ${MOST}, not ${JSON.stringify(text)}.`);
}

const MOST = 100;
