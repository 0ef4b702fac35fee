import { UsageError } from '../errors.ts';
import { readSource } from '../input/read.ts';
import { type RunTaskOptions, runTask } from '../run/run.ts';

/** Reads the task from the command line; `-` or nothing stands for stdin. Returns the exit code. */
export async function runRun(words: readonly string[], options: RunTaskOptions, signal: AbortSignal): Promise<number> {
  const isPiped = words.length === 0 || words.at(-1) === '-';
  if (isPiped && process.stdin.isTTY) {
    throw new UsageError('Say what to do: epitome run "TASK", or give the task on stdin.');
  }
  const said = (isPiped ? words.slice(0, -1) : words).join(' ').trim();
  const piped = isPiped ? (await readSource('-', signal)).text.trim() : '';
  const task = [said, piped].filter(Boolean).join('\n\n');
  if (task === '') throw new UsageError('The task is empty.');
  return runTask(task, options, signal);
}
