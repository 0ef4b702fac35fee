import type { Marks } from '@epitome/store';
import type { Prices } from 'epitome/economics';
import type { QuestionEvent, QuestionState } from 'epitome/goals';
import type { Activity } from './events.ts';
import { type Meter, meterOf, NOTHING_SPENT, type Spending, spendBeside, spendMore } from './meter.ts';
import type { ChatModel } from './model/open.ts';
import type { Usage } from './model/stream.ts';
import type { Order } from './order.ts';
import type { Approval } from './tools/toolbox.ts';
import type { ChatWorld } from './world.ts';

/** What changes while a chat goes on. */
export type ChatState = {
  model: ChatModel;
  spent: Spending;
  size: Pick<Meter, 'tokens' | 'basis'>;
  /** What `/goal` set. */
  goal: string;
  /** What `/plan` pinned and excluded. */
  marks?: Marks;
  /** Turns so far. */
  turn: number;
  /** When and in which turn a compaction was last given up, and how many messages had gathered then. */
  givenUp?: { readonly at: number; readonly turn: number; readonly messagesSince: number };
  /** Summaries in a row that the same model failed to write, and when the last one was. */
  failures?: { readonly by: string; readonly count: number; readonly at: number };
  /** A compaction that the provider is too busy for, until when. */
  deferred?: { readonly order: Order; readonly until: number };
  /** Ends what is under way: the answer, or the compaction in front of it. */
  stop?: AbortController;
  /** Ends the whole turn. */
  turnStop?: AbortController;
  approve?: (answer: Approval) => void;
  question?: { state: QuestionState; take: (event: QuestionEvent) => void };
};

/** A chat at its beginning. */
export function beginState({ model, conversation }: ChatWorld): ChatState {
  const { spent } = conversation.settings();
  return { model, spent: spent ?? NOTHING_SPENT, size: { tokens: 0, basis: 'estimated' }, goal: '', turn: 0 };
}

/** A chat with the world it is in. */
export type Running = { readonly world: ChatWorld; readonly state: ChatState };

/** Says what the chat does now. */
export function tellActivity({ world }: Running, activity: Activity): void {
  world.tell({ kind: 'activity', activity, since: world.clock.now() });
}

/** Says how full the window is. */
export function tellMeter({ world, state }: Running): void {
  const { window, prices } = state.model;
  const spent = { ...state.spent, isPriced: state.spent.isPriced && prices !== undefined };
  world.tell({ kind: 'meter', meter: meterOf({ ...state.size, window }, spent) });
}

/** Notes what was spent on a summary or on goals, at the prices of who wrote them. */
export async function noteBeside(
  running: Running,
  usage: Pick<Usage, 'input' | 'output'>,
  prices: Prices | undefined,
): Promise<void> {
  const { world, state } = running;
  if (usage.input === 0 && usage.output === 0) return;
  state.spent = spendBeside(state.spent, { cached: 0, written: 0, ...usage }, prices);
  await world.conversation.note({ spent: state.spent });
}

/** Notes what an answer took. */
export async function noteUsage(running: Running, usage: Usage): Promise<void> {
  const { world, state } = running;
  state.spent = spendMore(state.spent, usage, state.model.prices);
  await world.conversation.note({ spent: state.spent, usedAt: world.clock.now() });
}
