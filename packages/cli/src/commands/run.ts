import { UsageError } from '../errors.ts';
import { readSource } from '../input/read.ts';
import { type RunTaskOptions, runTask } from '../run/run.ts';

/** Reads the task from the command line, or from stdin, and runs it. Returns the exit code. */
export async function runRun(words: readonly string[], options: RunTaskOptions, signal: AbortSignal): Promise<number> {
  const isPiped = words.length === 0 || (words.length === 1 && words[0] === '-');
  if (isPiped && process.stdin.isTTY)
    throw new UsageError('Say what to do: epitome run "TASK", or give the task on stdin.');
  const task = (isPiped ? (await readSource('-', signal)).text : words.join(' ')).trim();
  if (task === '') throw new UsageError('The task is empty.');
  return runTask(task, options, signal);
}
