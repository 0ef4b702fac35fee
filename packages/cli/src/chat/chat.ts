import type { QuestionEvent } from 'epitome/goals';
import { messageOf } from '../errors.ts';
import { runCommand } from './commands/run.ts';
import { isCommand } from './commands/table.ts';
import { beginState, type Running, tellActivity, tellMeter } from './state.ts';
import type { Approval } from './tools/toolbox.ts';
import { answerOpenCalls, runTurn } from './turn.ts';
import type { ChatWorld } from './world.ts';

/** A chat as whoever shows it drives it. What happens is told by events. */
export type Chat = {
  /** A message or a slash command. It waits its turn while something is under way; nothing is lost. */
  readonly submit: (text: string) => void;
  /** Ends what is under way and keeps the chat; false where nothing is. */
  readonly cancel: () => boolean;
  /** Ends everything, for good. Messages that wait are kept, and not answered. */
  readonly end: () => void;
  readonly approve: (answer: Approval) => void;
  readonly answer: (event: QuestionEvent) => void;
  /** Resolves when nothing is under way and nothing waits. */
  readonly settled: () => Promise<void>;
};

/** Begins a chat, new or resumed. */
export async function createChat(world: ChatWorld): Promise<Chat> {
  const running: Running = { world, state: beginState(world) };
  await mend(running);
  const waiting: string[] = [];
  let isOver = false;
  let work: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      world.tell({ kind: 'taken', text: next });
      await handle(running, next, () => isOver);
    }
    work = undefined;
    world.tell({ kind: 'settled' });
  };
  tellMeter(running);
  return {
    submit: (text) => {
      waiting.push(text);
      if (work === undefined) work = drain();
      else world.tell({ kind: 'queued', text, waiting: waiting.length });
    },
    cancel: () => {
      const { stop } = running.state;
      if (stop === undefined || stop.signal.aborted) return false;
      stop.abort();
      return true;
    },
    end: () => {
      isOver = true;
      running.state.turnStop?.abort();
    },
    approve: (answer) => running.state.approve?.(answer),
    answer: (event) => running.state.question?.take(event),
    settled: async () => {
      while (work !== undefined) await work;
    },
  };
}

/** What a crash may have left: calls without results. The meter starts with what is there. */
async function mend(running: Running): Promise<void> {
  const { world } = running;
  if (!world.conversation.isStored()) return;
  await answerOpenCalls(world.conversation);
  const { measure } = await import('./compaction.ts');
  await measure(running);
}

async function handle(running: Running, text: string, isOver: () => boolean): Promise<void> {
  const { world, state } = running;
  const stop = new AbortController();
  const { signal } = stop;
  Object.assign(state, { stop, turnStop: stop });
  if (isOver()) stop.abort();
  try {
    if (!isCommand(text)) await send(running, text, signal);
    else if (!signal.aborted) await runCommand(running, text, signal);
  } catch (cause) {
    if (!signal.aborted) world.tell({ kind: 'said', tone: 'warning', lines: [sentenceOf(cause)] });
  } finally {
    if (!world.conversation.isSaved()) world.tell({ kind: 'said', tone: 'warning', lines: [UNSAVED] });
    delete state.stop;
    delete state.turnStop;
    tellActivity(running, 'resting');
  }
}

async function send(running: Running, text: string, signal: AbortSignal): Promise<void> {
  const { world } = running;
  const { conversation, clock } = world;
  await conversation.append([{ role: 'user', content: text }]);
  world.tell({ kind: 'sent', text });
  const title = conversation.settings().title || titleOf(text);
  await conversation.note({ title, usedAt: clock.now() });
  if (signal.aborted) return;
  await runTurn(running, signal);
}

const UNSAVED = 'The store is full; this turn was not saved. Make room: it is saved with the next one.';

const titleOf = (text: string): string => text.trim().replace(/\s+/g, ' ').slice(0, 80).toWellFormed();

function sentenceOf(cause: unknown): string {
  if (process.env['EPITOME_DEBUG'] === '1') console.error(cause);
  return messageOf(cause);
}
