import { describe, expect, test } from 'vitest';
import { compact } from '../engine/compact.ts';
import type { CompactInput } from '../engine/request.ts';
import { anthropic } from '../formats/anthropic/index.ts';
import { openaiChat } from '../formats/openai-chat/index.ts';
import type { Format } from '../model/format.ts';
import type { CompactionRecord, LogRecord } from '../model/record.ts';
import { chainIds } from './ids.ts';
import { type Branch, project } from './project.ts';
import { redo, undo } from './undo.ts';

const branchOf = (natives: readonly unknown[], format: Format = openaiChat, ids?: readonly string[]): Branch => {
  const messages = natives.map((native) => format.decode(native, []));
  return { format, messages, ids: ids ?? chainIds(messages) };
};
const shown = (branch: Branch, records: readonly LogRecord[], reuse?: 'strict' | 'shared-cutoff'): readonly unknown[] =>
  project(branch, records, reuse).entries.map(({ message }) => message.native);

const exchange = (index: number) => [
  { role: 'user', content: `question ${index} ${'and some detail '.repeat(30)}` },
  { role: 'assistant', content: `answer ${index} ${'with some detail '.repeat(30)}` },
];
const history = [0, 1, 2, 3, 4].flatMap(exchange);
const world = { newId: () => `undo-${Math.random()}`, now: () => 0 };
const summarizer = () => Promise.resolve({ text: 'What was said so far.' });
const force = async (messages: readonly unknown[], records: readonly LogRecord[] = []): Promise<CompactionRecord> => {
  const input: CompactInput = {
    format: 'openai-chat',
    messages,
    policy: 'branch',
    window: 100_000,
    cause: 'manual',
    records,
  };
  const { record } = await compact(input, { summarizer });
  if (record?.status !== 'compressed') throw new Error('the fixture should compact');
  return record;
};

describe('a view', () => {
  test('without records is the very messages', () => {
    const branch = branchOf(history);
    for (const [index, { message }] of project(branch, []).entries.entries()) {
      expect(message).toBe(branch.messages[index]);
    }
  });

  test('of originals and records is what the outcome showed', async () => {
    const input: CompactInput = {
      format: 'openai-chat',
      messages: history,
      policy: 'branch',
      window: 100_000,
      cause: 'manual',
    };
    const outcome = await compact(input, { summarizer });
    expect(shown(branchOf(history), outcome.records)).toEqual(outcome.messages);
    expect(JSON.parse(JSON.stringify(outcome.records))).toEqual(outcome.records);
  });

  test('puts later messages behind, as they are', async () => {
    const record = await force(history);
    const before = shown(branchOf(history), [record]);
    const more = exchange(9);
    expect(shown(branchOf([...history, ...more]), [record])).toEqual([...before, ...more]);
  });
});

describe('undo', () => {
  test('peels one compaction, and redo puts it back', async () => {
    const first = await force(history);
    const longer = [...history, ...exchange(5), ...exchange(6), ...exchange(7)];
    const second = await force(longer, [first]);
    expect(second.replaces).toEqual([first.id]);
    const branch = branchOf(longer);
    const both = [first, second];
    const undone = [...both, undo(both, world)];
    expect(shown(branch, undone)).toEqual(shown(branch, [first]));
    const twice = [...undone, undo(undone, world)];
    expect(shown(branch, twice)).toEqual(longer);
    const redone = [...twice, redo(twice, world)];
    expect(shown(branch, redone)).toEqual(shown(branch, [first]));
    const again = [...redone, redo(redone, world)];
    expect(shown(branch, again)).toEqual(shown(branch, both));
  });

  test('of something that was compacted again is not redone: two summaries would stand for the same messages', async () => {
    const first = await force(history);
    const undone = [first, undo([first], world)];
    const again = [...undone, await force(history, undone)];
    expect(() => redo(again, world)).toThrow('The log holds no undo behind the newest compaction.');
    const both = [...again, undo(again, world)];
    expect(shown(branchOf(history), both)).toEqual(history);
    expect(shown(branchOf(history), [...both, redo(both, world)])).toEqual(shown(branchOf(history), again));
  });

  test('says so where there is nothing to undo or redo', () => {
    expect(() => undo([], world)).toThrow('The log holds no compaction in force.');
    expect(() => undo([], world, 'r1')).toThrow('with the id r1');
    expect(() => redo([], world)).toThrow('The log holds no undo in force.');
  });
});

describe('a branch', () => {
  const summary = (fields: Partial<CompactionRecord>): CompactionRecord => ({
    kind: 'compaction',
    id: 'r',
    at: 0,
    status: 'compressed',
    preset: 'branch',
    cause: 'automatic',
    reason: '',
    method: 'model',
    degraded: false,
    replaces: [],
    edits: [],
    text: fields.id ?? 'r',
    tokens: { before: 2, after: 1, fixed: 0, basis: 'estimated' },
    counts: { before: 2, after: 1, compressed: 1, preserved: 0 },
    calls: 1,
    usage: { inputTokens: 0, outputTokens: 0 },
    findings: [],
    covers: ['1', '2'],
    anchorId: '1',
    lastSummarizedId: '2',
    parentId: '5',
    inserts: [{ role: 'user', text: `summary ${fields.id ?? 'r'}` }],
    ...fields,
  });
  const four = history.slice(0, 4);

  test('does not take a summary whose parent is on another one', () => {
    const branch = branchOf(four, openaiChat, ['1', '2', '6', '7']);
    expect(shown(branch, [summary({})])).toEqual(four);
    expect(shown(branch, [summary({})], 'shared-cutoff')[0]).toEqual({ role: 'user', content: 'summary r' });
    expect(shown(branch, [summary({ parentId: '6' })])[0]).toEqual({ role: 'user', content: 'summary r' });
  });

  test('takes the summary with the deepest cutoff of several', () => {
    const branch = branchOf(history.slice(0, 5), openaiChat, ['1', '2', '3', '4', '5']);
    const deep = summary({ id: 'deep', covers: ['1', '2', '3'], lastSummarizedId: '3' });
    for (const records of [
      [deep, summary({})],
      [summary({}), deep],
    ]) {
      expect(shown(branch, records)).toEqual([{ role: 'user', content: 'summary deep' }, ...history.slice(3, 5)]);
    }
  });

  test('a failed record changes nothing', () => {
    const branch = branchOf(history.slice(0, 5), openaiChat, ['1', '2', '3', '4', '5']);
    for (const status of ['noop', 'failed-inflated', 'failed-empty-summary'] as const) {
      expect(shown(branch, [summary({ status })])).toEqual(history.slice(0, 5));
    }
  });

  test('keeps what an earlier record edited when a later one replaces it', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const natives = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
      { role: 'user', content: 'c' },
      { role: 'assistant', content: [thinking, { type: 'text', text: 'd' }] },
    ];
    const branch = branchOf(natives, anthropic, ['1', '2', '3', '4']);
    const first = summary({
      id: 'first',
      covers: ['1'],
      parentId: '3',
      edits: [{ messageId: '4', part: 0, text: null }],
    });
    const second = summary({ id: 'second', covers: ['2'], parentId: '3', replaces: ['first'] });
    expect(shown(branch, [first, second])).toEqual([
      { role: 'user', content: 'summary second' },
      natives[2],
      { role: 'assistant', content: [{ type: 'text', text: 'd' }] },
    ]);
  });
});

test('ids depend on everything in front, so an edited history is another branch', () => {
  const ids = branchOf(history).ids;
  expect(branchOf([...history]).ids).toEqual(ids);
  const edited = [{ role: 'user', content: 'edited' }, ...history.slice(1)];
  expect(branchOf(edited).ids.some((id) => ids.includes(id))).toBe(false);
  expect(branchOf([...history, ...exchange(9)]).ids.slice(0, ids.length)).toEqual(ids);
});
