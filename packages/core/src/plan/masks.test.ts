import { expect, test } from 'vitest';
import { findAtoms } from '../atoms/atoms.ts';
import { measure } from '../count/measure.ts';
import { createMeter } from '../count/meter.ts';
import { openaiChat } from '../formats/openai-chat/index.ts';
import type { Message } from '../model/message.ts';
import { project } from '../record/project.ts';
import type { Sized } from './cuts.ts';
import { planMasks } from './masks.ts';

const call = (id: string, name: string, input: object) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
});
const result = (id: string, words = 300) => ({ role: 'tool', tool_call_id: id, content: 'word '.repeat(words) });

const natives = [
  { role: 'user', content: 'Look around.' },
  call('a', 'read_file', { path: 'src/a.ts' }),
  result('a'),
  call('b', 'run', { command: 'npm test' }),
  result('b'),
  call('c', 'run', { command: 'npm test' }),
  result('c'),
  call('d', 'run', { command: 'ls' }),
  result('d', 5),
  call('e', 'run', { command: 'git log' }),
  result('e'),
  { role: 'assistant', content: 'Seen.' },
];

function sizedOf(list: readonly unknown[]): Sized {
  const messages: Message[] = [];
  for (const native of list) messages.push(openaiChat.decode(native, messages));
  const { entries } = project({ format: openaiChat, messages, ids: list.map((_, index) => `m${index}`) }, []);
  const meter = createMeter({ kind: 'script' }, 'openai-chat');
  return { entries, atoms: findAtoms(entries), sizes: measure(entries, { meter, counted: [], fixed: [] }), start: 0 };
}

const masked = (rule: Partial<Parameters<typeof planMasks>[1]>, excess: number, list: readonly unknown[] = natives) =>
  planMasks(sizedOf(list), { protectTokens: 0, protectTools: [], ...rule }, excess).map(({ entry }) => entry);

test('a read that was made again goes first, then the oldest, and no more than is needed', () => {
  expect(masked({}, 1)).toEqual([4]);
  expect(masked({}, 400)).toEqual([2, 4]);
  expect(masked({}, 100_000)).toEqual([2, 4, 6, 10]);
});

test('the newest results are protected by their tokens, superseded or not', () => {
  expect(masked({ protectTokens: 400 }, 100_000)).toEqual([2, 4, 6]);
  expect(masked({ protectTokens: 100_000 }, 100_000)).toEqual([]);
});

const picture = (id: string) => ({ ...result(id), content: [{ type: 'image_url', image_url: { url: 'x' } }] });

test.each<[what: string, older: object, newer: object, isSuperseded: boolean]>([
  ['the same call made again', { command: 'npm test' }, { command: 'npm test' }, true],
  ['a part of a file that was then read whole', { path: 'a.ts', offset: 40, limit: 20 }, { path: 'a.ts' }, true],
  ['a whole file of which then a part was read', { path: 'a.ts' }, { path: 'a.ts', offset: 40 }, false],
  ['two pages of one file', { path: 'a.ts', offset: 0 }, { path: 'a.ts', offset: 500 }, false],
  ['two searches in one folder', { path: 'src', pattern: 'alpha' }, { path: 'src', pattern: 'beta' }, false],
  ['a search in a folder that was then listed', { path: 'src', pattern: 'alpha' }, { path: 'src' }, false],
  ['an edit of a file that was then read', { file_path: 'a.ts', new_string: 'x' }, { file_path: 'a.ts' }, false],
])('%s: %j, then %j: superseded %s', (_what, older, newer, isSuperseded) => {
  const list = [natives[0], call('z', 'run', {}), result('z'), call('x', 'look', older), result('x')];
  const later = [call('y', 'look', newer), result('y'), natives.at(-1)];
  expect(masked({}, 1, [...list, ...later])).toEqual([isSuperseded ? 4 : 2]);
});

test('an old screenshot goes when there is a newer one', () => {
  const seen = [call('x', 'click', { x: 1 }), picture('x'), call('y', 'click', { x: 2 }), picture('y'), natives.at(-1)];
  const list = [natives[0], call('z', 'run', {}), result('z'), ...seen];
  expect(masked({}, 1, list)).toEqual([4]);
});

test('protected tools stay', () => {
  expect(masked({ protectTools: ['run'] }, 100_000)).toEqual([2]);
});

test('calls that wait for a result are left alone', () => {
  const open = {
    role: 'assistant',
    content: null,
    tool_calls: [...call('x', 'run', {}).tool_calls, ...call('y', 'run', { n: 1 }).tool_calls],
  };
  expect(masked({}, 100_000, [natives[0], open, result('x')])).toEqual([]);
});

test('a result nobody has read yet is shortened to its share of the budget, never left out', () => {
  const list = [natives[0], call('x', 'read_file', { path: 'log' }), result('x', 50_000)];
  const [mask, ...more] = planMasks(sizedOf(list), { protectTokens: 1000, protectTools: [] }, 1);
  expect(more).toEqual([]);
  expect(mask).toMatchObject({ entry: 2, part: 0 });
  expect(mask?.keepChars).toBeGreaterThan(4000);
  expect(mask?.keepChars).toBeLessThan(6000);
});

test('an unread result is shortened only where the old ones are not enough', () => {
  const list = [...natives.slice(0, -1), call('f', 'read_file', { path: 'src/f.ts' }), result('f', 3000)];
  expect(masked({ protectTokens: 500 }, 200, list)).toEqual([4]);
  expect(masked({ protectTokens: 500 }, 100_000, list)).toEqual([2, 4, 6, 10, 12]);
});

test('an unread result that fits its share stays as it is, however much is to be shed', () => {
  const list = [natives[0], call('x', 'read_file', { path: 'log' }), result('x', 300)];
  expect(masked({ protectTokens: 1000 }, 100_000, list)).toEqual([]);
});
