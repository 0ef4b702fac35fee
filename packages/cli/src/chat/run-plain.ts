import { following } from '../aborted.ts';
import { NOT_SAVED } from '../errors.ts';
import { openClock } from './clock.ts';
import { farewell, greeting } from './greeting.ts';
import { openChat } from './open.ts';
import type { ChatOptions } from './options.ts';
import { plainChat } from './plain.ts';

/** Where a plain chat runs. */
export type PlainRun = { readonly isInteractive: boolean; readonly signal: AbortSignal };

/** A chat in lines. Returns the exit code. */
export async function runPlain(options: ChatOptions, { isInteractive, signal }: PlainRun): Promise<number> {
  const write = (text: string): void => void process.stdout.write(text);
  const shown = plainChat({ input: process.stdin, write, isInteractive });
  const asked = isInteractive ? ({ kind: 'user' } as const) : ({ kind: 'nobody' } as const);
  const open = await openChat(options, {
    env: process.env,
    folder: process.cwd(),
    clock: await openClock(process.env),
    tell: shown.tell,
    asked,
    isInteractive,
    signal,
  });
  const leaving = following(signal);
  const restore = onInterrupt(() => {
    if (!open.chat.cancel()) leaving.abort();
  });
  const say = (lines: readonly string[]): void => write(lines.map((line) => `${line}\n`).join(''));
  try {
    say([...(isInteractive ? [greeting(open)] : []), ...open.notes]);
    const code = await shown.run(open.chat, leaving.signal);
    return open.ground.conversation.isSaved() ? code : NOT_SAVED;
  } finally {
    restore();
    await open.close();
    if (isInteractive) say(farewell(open));
  }
}

/** Ctrl-C stops what is under way, and the chat where nothing is; afterwards it means again what it did before. */
function onInterrupt(stop: () => void): () => void {
  const before = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', stop);
  return () => {
    process.off('SIGINT', stop);
    for (const listener of before) process.on('SIGINT', listener);
  };
}
