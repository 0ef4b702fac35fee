import { plain } from '../../output/text.ts';
import { withoutForeignThinking } from '../model/foreign.ts';
import { readNative } from '../native.ts';
import { type Running, tellMeter } from '../state.ts';
import { runTurn } from '../turn.ts';
import { amount, money, percent } from '../words.ts';
import { COMMANDS } from './names.ts';
import type { Command } from './table.ts';

/** `/recall words`. */
export const recall: Command['run'] = async ({ world }, { rest }) => {
  if (rest === '') return ['/recall takes the words to look for.'];
  if (!world.conversation.isStored()) return ['Nothing was said yet.'];
  const hits = await world.log.recall(rest, { conversation: world.conversation.id, limit: 5 });
  if (hits.length === 0) return ['Nothing found.'];
  return hits.map(({ role, snippet }) => `${role}: ${plain(snippet)}`);
};

/** `/goal [text|off]`. */
export const goal: Command['run'] = async ({ state }, { rest }) => {
  if (rest === '') return [state.goal === '' ? 'No goal is set.' : `Goal: ${state.goal}`];
  state.goal = rest === 'off' ? '' : plain(rest).slice(0, 500);
  return [state.goal === '' ? 'No goal any more.' : `Goal: ${state.goal}. /compress serves it.`];
};

/** `/stats`. */
export const stats: Command['run'] = async ({ world, state }) => {
  const { spent, size, model } = state;
  const isStored = world.conversation.isStored();
  const ref = world.conversation.ref();
  const records = isStored ? await world.log.records(ref) : [];
  const messages = isStored ? (await world.log.messages(ref)).length : 0;
  const inForce = records.filter((entry) => entry.state === 'completed' && entry.record.kind === 'compaction').length;
  const undone = records.filter((entry) => entry.state === 'undone').length;
  const sign = size.basis === 'estimated' ? '~' : '';
  return [
    `chat      ${world.conversation.id}`,
    `model     ${model.name}, window of ${amount(model.window)}${model.isAssumed ? ' (assumed)' : ''}`,
    `context   ${sign}${amount(size.tokens)} tokens, ${percent(size.tokens / model.window)} of the window`,
    `messages  ${messages} on branch ${ref.branch}`,
    `used      ${amount(spent.input)} in (${percent(spent.input === 0 ? 0 : spent.cached / spent.input)} cached), ${amount(spent.output)} out`,
    `cost      ${spent.isPriced ? money(spent.cost) : 'unknown: no prices for this model'}`,
    `compacted ${inForce} in force, ${undone} taken back`,
  ];
};

/** `/settings [key [value]]`. */
export const settings: Command['run'] = async ({ world }, { rest }) => {
  const [key = '', ...value] = rest.split(/\s+/).filter(Boolean);
  if (value.length > 0) return world.policies.set(key, value.join(' '));
  const shown = await world.policies.show();
  const lines = shown.filter((line) => key === '' || line.startsWith(key));
  return lines.length === 0 ? [`There is no setting ${key}; /settings lists them.`] : lines;
};

/** `/model [PROVIDER/MODEL]`. */
export const model: Command['run'] = async (running, { rest }) => {
  const { world, state } = running;
  if (rest === '') return [`${state.model.name}, window of ${amount(state.model.window)}.`];
  const before = state.model;
  state.model = await world.openModel(rest);
  await world.conversation.note({ model: state.model.name });
  tellMeter(running);
  const assumed = state.model.isAssumed ? ` (window unknown, assuming ${amount(state.model.window)})` : '';
  const { hasForeign } = withoutForeignThinking(await world.conversation.view(), state.model.name);
  const foreign = hasForeign ? ['reasoning blocks of the previous model were left out'] : [];
  return [`${before.name} → ${state.model.name}${assumed}`, ...foreign];
};

/** `/retry`. */
export const retry: Command['run'] = async (running, { signal }) => {
  const { role } = readNative((await running.world.conversation.view()).at(-1));
  if (role !== 'user' && role !== 'tool') return ['There is nothing to ask again: the last message is an answer.'];
  await runTurn(running, signal);
  return [];
};

/** `/help`. */
export const help: Command['run'] = async () => [
  ...COMMANDS.map((command) => {
    const aliases = command.aliases === undefined ? '' : ` (also /${command.aliases.join(', /')})`;
    return `/${`${command.name} ${command.takes}`.trim()}${aliases}: ${command.help}`;
  }),
  '',
  'Enter sends; Alt+Enter, Shift+Enter or \\ before Enter begins a new line.',
  'Up and Down go through what you sent; Tab completes a command.',
  'Ctrl-C stops the answer or the summary; twice at rest leaves. Ctrl-O shows the details of the last compaction.',
];

/** `/exit`. */
export const exit: Command['run'] = async ({ world }: Running) => {
  world.tell({ kind: 'exit' });
  return [];
};
