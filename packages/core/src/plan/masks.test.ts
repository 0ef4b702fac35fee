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
  call('c', 'read_file', { path: 'src/a.ts', offset: 40 }),
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
  expect(masked({}, 1)).toEqual([2]);
  expect(masked({}, 400)).toEqual([2, 4]);
  expect(masked({}, 100_000)).toEqual([2, 4, 6, 10]);
});

test('the newest results are protected by their tokens, but not one that is superseded', () => {
  expect(masked({ protectTokens: 400 }, 100_000)).toEqual([2, 4, 6]);
  expect(masked({ protectTokens: 100_000 }, 100_000)).toEqual([2]);
});

test('protected tools stay', () => {
  expect(masked({ protectTools: ['run'] }, 100_000)).toEqual([2, 6]);
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

test('an unread result that fits its share stays as it is, however much is to be shed', () => {
  const list = [natives[0], call('x', 'read_file', { path: 'log' }), result('x', 300)];
  expect(masked({ protectTokens: 1000 }, 100_000, list)).toEqual([]);
});
