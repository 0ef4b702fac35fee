import { openClock } from '../chat/clock.ts';
import type { ChatEvent } from '../chat/events.ts';
import { type OpenChat, openChat } from '../chat/open.ts';
import type { ChatOptions } from '../chat/options.ts';
import { compactionLines, faultSentence, retryLine } from '../chat/words.ts';
import { NOT_SAVED } from '../errors.ts';
import { harmless } from '../output/text.ts';
import { writeOut } from '../output/write.ts';
import { type RunEvent, type RunStatus, runEvents } from './events.ts';
import { followProgress } from './progress.ts';

/** Options of `run`, as the command line gave them. */
export type RunTaskOptions = Omit<ChatOptions, 'demo' | 'plain' | 'resume'> & {
  readonly resume?: string;
  readonly allowShell?: true;
  readonly allowMcp?: true;
  readonly json?: true;
  readonly quiet?: true;
};

/**
 * Gives a model a task and its tools until it is done, without anybody to ask. What was said is in the store; a signal ends it
 * and keeps that. Returns the exit code.
 */
export async function runTask(task: string, options: RunTaskOptions, signal: AbortSignal): Promise<number> {
  const progress = followProgress();
  const tell = options.json ? tellJson : tellLines(options);
  const open = await openChat(options, {
    env: process.env,
    folder: process.cwd(),
    clock: await openClock(process.env),
    tell: (event) => {
      progress.take(event);
      tell(event);
    },
    asked: { kind: 'agent', task },
    isInteractive: false,
    allows: (tool) => (tool === 'shell' ? options.allowShell === true : options.allowMcp === true),
    signal,
  });
  try {
    begin(open, task, options);
    signal.addEventListener('abort', () => open.chat.end(), { once: true });
    if (!signal.aborted) await answered(open, task);
    return await conclude(open, progress.end(signal.aborted), options);
  } finally {
    await open.close();
    // The signal's own exit code stands.
    signal.throwIfAborted();
  }
}

async function answered({ chat }: OpenChat, task: string): Promise<void> {
  // A task is no command of a chat, whatever it begins with.
  chat.submit(task.startsWith('/') ? ` ${task}` : task);
  await chat.settled();
}

function begin({ ground, model, notes }: OpenChat, task: string, { json, quiet }: RunTaskOptions): void {
  const session = ground.conversation.id;
  if (json) {
    printJson({ type: 'run-start', session, model: model.name, window: model.window, task });
    for (const text of notes) printJson({ type: 'notice', text });
  } else if (!quiet) {
    for (const text of notes) console.error(harmless(text));
  }
}

type End = ReturnType<ReturnType<typeof followProgress>['end']>;

async function conclude({ ground }: OpenChat, end: End, { json, quiet }: RunTaskOptions): Promise<number> {
  const { id, settings } = ground.conversation;
  const { input, output, cached, written, cost, isPriced } = settings().spent;
  if (json) {
    const usage = { input, output, cached, written };
    printJson({ type: 'run-end', ...end, usage, ...(isPriced ? { cost } : {}) });
  } else {
    if (end.text !== '') await writeOut(`${harmless(end.text).trimEnd()}\n`);
    if (end.status !== 'done') console.error(`epitome: ${SENTENCES[end.status](end)}`);
    if (!quiet && ground.conversation.isStored())
      console.error(`epitome chat --resume ${id.slice(0, 8)} goes on with it.`);
  }
  if (!ground.conversation.isSaved()) return NOT_SAVED;
  return end.status === 'done' ? 0 : 3;
}

const SENTENCES: Readonly<Record<Exclude<RunStatus, 'done'>, (end: End) => string>> = {
  failed: ({ fault }) =>
    `${fault === undefined ? 'There is no answer' : faultSentence(fault).replace(/\.$/, '')}. What was said so far is kept.`,
  stopped: () => 'Stopped: it took too many steps and was not done.',
  cancelled: () => 'Cancelled. What was said so far is kept.',
};

function tellJson(event: ChatEvent): void {
  for (const each of runEvents(event)) printJson(each);
}

function printJson(event: RunEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

/** What goes on, on stderr; the answer itself goes to stdout when it is whole. */
function tellLines({ quiet }: RunTaskOptions): (event: ChatEvent) => void {
  if (quiet) return () => {};
  return (event) => {
    for (const line of linesOf(event)) console.error(harmless(line));
  };
}

function linesOf(event: ChatEvent): readonly string[] {
  switch (event.kind) {
    case 'tool-start':
      return [`[tool] ${event.what}`];
    case 'tool-end':
      return event.ok ? [] : [`[failed] ${event.text.split('\n', 1)[0] ?? ''}`];
    case 'compaction-end':
      return compactionLines(event.end);
    case 'retry':
      return [retryLine(event.fault, event.waitMs)];
    case 'said':
      return event.lines;
    default:
      return [];
  }
}
