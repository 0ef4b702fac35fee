import type { ChatOptions } from '../chat/options.ts';

/** Talks with a model in the terminal. Returns the exit code. */
export async function runChat(options: ChatOptions, signal: AbortSignal): Promise<number> {
  if (options.resume === true) {
    const { listResumable } = await import('../chat/list.ts');
    return listResumable(options);
  }
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (options.plain || !isTerminal || process.env['TERM'] === 'dumb') {
    const { runPlain } = await import('../chat/run-plain.ts');
    return runPlain(options, { isInteractive: isTerminal, signal });
  }
  const { runScreen } = await import('../chat/screen/run.ts');
  return runScreen(options, signal);
}
