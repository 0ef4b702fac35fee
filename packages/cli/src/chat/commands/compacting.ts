import { isStoreError } from '@epitome/store';
import { columns, fitColumns } from '../../output/text.ts';
import { compactNow, measure } from '../compaction.ts';
import type { Running } from '../state.ts';
import { amount } from '../words.ts';
import { firstWords, readNumbers } from './messages.ts';
import type { Command } from './table.ts';

const EMPTY = ['Nothing was said yet.'];

/** `/compress [focus]`. */
export const compress: Command['run'] = async (running, { rest, signal }) => {
  if (!running.world.conversation.isStored()) return EMPTY;
  await compactNow(running, { cause: 'manual', focus: rest, goal: running.state.goal }, signal);
  return [];
};

/** `/undo`. */
export const undo: Command['run'] = (running) =>
  changed(running, {
    change: async ({ world }) => {
      await world.log.undo(world.conversation.ref());
      world.tell({ kind: 'undone' });
    },
    none: 'There is no compaction to take back.',
    said: 'Taken back: the model sees the messages again',
  });

/** `/redo`. */
export const redo: Command['run'] = (running) =>
  changed(running, {
    change: async ({ world }) => {
      await world.log.redo(world.conversation.ref());
      world.tell({ kind: 'redone' });
    },
    none: 'There is nothing to do again.',
    said: 'Compacted again, as before',
  });

/** `/restore [N…]`. */
export const restore: Command['run'] = async (running, { rest }) => {
  const { world } = running;
  if (!world.conversation.isStored()) return EMPTY;
  const covered = await coveredMessages(running);
  if (covered.length === 0) return ['Nothing is compacted: all messages are in view.'];
  if (rest === '') {
    const listed = covered.map(({ native }, index) =>
      fitColumns(`${String(index + 1).padStart(4)}  ${firstWords(native)}`, columns() - 1),
    );
    return ['Compacted messages; /restore 2 5-7 brings some back into view:', ...listed];
  }
  const numbers = readNumbers(rest);
  const chosen = numbers?.map((number) => covered[number - 1]);
  if (chosen === undefined || chosen.length === 0 || chosen.includes(undefined)) {
    return [`/restore takes numbers from 1 to ${covered.length}, such as 2 5-7.`];
  }
  const ids = chosen.flatMap((message) => (message === undefined ? [] : [message.id]));
  return changed(running, {
    change: () => world.log.restore(world.conversation.ref(), ids),
    none: 'They are in view already.',
    said: `${ids.length === 1 ? 'The message is' : `${ids.length} messages are`} back in view`,
  });
};

type Changing = {
  readonly change: (running: Running) => Promise<unknown>;
  readonly none: string;
  readonly said: string;
};

/** Changes the view by a record, and says how large it is now. */
async function changed(running: Running, { change, none, said }: Changing): Promise<readonly string[]> {
  if (!running.world.conversation.isStored()) return EMPTY;
  try {
    await change(running);
  } catch (cause) {
    if (isStoreError(cause) && cause.code === 'unknown-record') return [none];
    throw cause;
  }
  return [`${said}; ${amount(await measure(running))} tokens.`];
}

/** The originals that compactions in force stand for, oldest first. */
async function coveredMessages({ world }: Running) {
  const ref = world.conversation.ref();
  const [all, { entries }] = await Promise.all([world.log.messages(ref), world.log.viewOf(ref)]);
  const shown = new Set(entries.map(({ messageId }) => messageId));
  return all.filter(({ id }) => !shown.has(id));
}
