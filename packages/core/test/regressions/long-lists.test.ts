import { expect, test } from 'vitest';
import { compact, PRESET_NAMES } from '../../src/index.ts';

// Node takes some 120,000 arguments of a call before its stack is full.
const LINES = 150_000;
const lines = (word: string): string => Array.from({ length: LINES }, (_, index) => `${word} ${index}`).join('\n');
const items = <Item>(make: (index: number) => Item): readonly Item[] =>
  Array.from({ length: LINES }, (_, index) => make(index));

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });

const called = (name: string, input: unknown, result: unknown = 'ok'): readonly unknown[] => [
  user('Go on.'),
  assistant([{ type: 'tool_use', id: 'c', name, input }]),
  user([{ type: 'tool_result', tool_use_id: 'c', content: result }]),
  assistant('Done.'),
  user('And now?'),
];

const texts = items((index) => ({ type: 'text', text: `block ${index}` }));

const cases: Readonly<Record<string, () => readonly unknown[]>> = {
  'a file written': () => called('write_file', { path: 'rows.csv', content: lines('row') }),
  'an edit': () => called('edit', { path: 'a.ts', old_string: lines('old'), new_string: lines('new') }),
  'a patch in many hunks of one file': () =>
    called('apply_patch', {
      patch: `*** Begin Patch\n${['a', 'b'].map((word) => `*** Update File: a.ts\n+${lines(word).replaceAll('\n', '\n+')}`).join('\n')}\n*** End Patch`,
    }),
  'many edits': () =>
    called('multi_edit', { edits: items((index) => ({ old_string: `a${index}\nb`, new_string: `c${index}\nd` })) }),
  'search-and-replace blocks': () =>
    called('edit', { diff: items((index) => `<<<<<<< SEARCH\na${index}\n=======\nb\n>>>>>>> REPLACE`).join('\n') }),
  'a list of tasks': () =>
    called('todo_write', { todos: items((index) => ({ content: `t${index}`, status: 'done' })) }),
  'commands in a chain': () => called('bash', { command: 'npm test; '.repeat(LINES) }),
  'a log': () => called('bash', { command: 'make' }, lines('error: line')),
  'a result of many blocks': () => called('read', { path: 'a.ts' }, texts),
  'a prompt of many blocks': () => [user(texts), assistant('Done.'), user('And now?')],
  'an answer of many lines': () => [user('Go on.'), assistant(lines('We decided on item')), user('And now?')],
  'a prompt with many fences': () => [
    user(items((index) => `\`\`\`\nlet a${index} = 1;\n\`\`\``).join('\n')),
    assistant('Done.'),
    user('And now?'),
  ],
};

for (const [what, make] of Object.entries(cases)) {
  test.each(PRESET_NAMES)(`${what} of ${LINES} items is compacted, not a RangeError: %s`, async (policy) => {
    const messages = make();
    const window = 128_000;
    const outcome = await compact({ format: 'anthropic', messages, policy, window, cause: 'manual' });
    expect(['compressed', 'noop', 'failed', 'content_truncated']).toContain(outcome.status);
    if (policy === 'epitome') expect(outcome.tokens.after).toBeLessThan(window);
  });
}

test('a summary of many lines is no RangeError either', async () => {
  const messages = called('write_file', { path: 'rows.csv', content: lines('row') });
  const summarizer = async () => ({ text: `<state_snapshot>\n${lines('fact')}\n</state_snapshot>` });
  for (const policy of PRESET_NAMES)
    await compact({ format: 'anthropic', messages, policy, window: 128_000, cause: 'manual' }, { summarizer });
});
