import { columns, fitColumns } from '../../output/text.ts';
import { measure } from '../compaction.ts';
import { firstWords } from './messages.ts';
import type { Command } from './table.ts';

const EMPTY = ['Nothing was said yet: there is one branch, main.'];

/** `/branch [name]`. */
export const branch: Command['run'] = async (running, { rest }) => {
  const { world } = running;
  if (!world.conversation.isStored()) return EMPTY;
  const ref = world.conversation.ref();
  const taken = new Set((await world.log.branches(ref.conversation)).map(({ name }) => name));
  const name = rest === '' ? freeName(taken) : rest;
  if (taken.has(name)) return [`There is a branch ${name} already; /switch ${name} goes there.`];
  await world.log.fork(ref, { name });
  await world.conversation.note({ branch: name });
  return [`On the new branch ${name}; ${ref.branch} stays as it is. /switch ${ref.branch} goes back.`];
};

function freeName(taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) if (!taken.has(`branch-${number}`)) return `branch-${number}`;
}

/** `/tree`. */
export const tree: Command['run'] = async ({ world }) => {
  if (!world.conversation.isStored()) return EMPTY;
  const { conversation, branch: current } = world.conversation.ref();
  const branches = await world.log.branches(conversation);
  return Promise.all(
    branches.map(async ({ name, length, tip }) => {
      const [last] = tip === undefined ? [] : await world.log.expand(conversation, tip);
      const words = last === undefined ? '' : `  ${firstWords(last.native)}`;
      return fitColumns(`${name === current ? '*' : ' '} ${name}  ${length} messages${words}`, columns() - 1);
    }),
  );
};

/** `/switch name`. */
export const switchTo: Command['run'] = async (running, { rest }) => {
  const { world } = running;
  if (!world.conversation.isStored()) return EMPTY;
  const names = (await world.log.branches(world.conversation.id)).map(({ name }) => name);
  if (!names.includes(rest)) {
    return [
      rest === '' ? `Say which: ${names.join(', ')}.` : `There is no branch ${rest}; there are ${names.join(', ')}.`,
    ];
  }
  await world.conversation.note({ branch: rest });
  await measure(running);
  return [`On the branch ${rest}.`];
};
