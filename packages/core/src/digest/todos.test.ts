import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';

const quarter = (text: string): number => text.length / 4;
const message = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts, native: undefined });
const user = (text: string): Message => message('user', { kind: 'text', text });
const names = ['parser', 'printer', 'cache', 'gateway', 'queue', 'uploader', 'worker', 'ledger', 'report', 'page'];
const todos = names.map((name, at) => ({
  content: `Write the unit tests of the ${name} and mend what they find in it`,
  status: at < 2 ? 'completed' : at === 4 ? 'in_progress' : 'pending',
}));
const call: Part = { kind: 'tool-call', callId: 't', name: 'TodoWrite', input: JSON.stringify({ todos }) };
const messages: readonly Message[] = [
  user('Bring every part of the product under test, one after another, and mend what fails.'),
  message('assistant', call),
  message('tool', { kind: 'tool-result', callId: 't', name: 'TodoWrite', text: 'ok', isError: false, media: [] }),
];
const marked = (text: string): readonly string[] => text.match(/^\[(?:TODO|IN PROGRESS|DONE)\].*$/gm) ?? [];
const countOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Number(/^\[TODO\] … (\d+) more$/.exec(line)?.[1] ?? 1), 0);

test.each([200, 300, 600, 1000, 4000])(
  'at %i tokens every open todo is told or counted, what is being done first',
  (maxTokens) => {
    const options = { maxTokens, count: quarter };
    const first = digest(messages, options);
    for (const { text } of [
      first,
      digest([user('Go on.')], { ...options, prior: first.text }),
      digest([user('Go on.')], { ...options, prior: first.text, ledger: first.ledger, first: 3 }),
    ]) {
      const lines = marked(text);
      expect(lines[0]).toContain('[IN PROGRESS] Write the unit tests of the queue');
      expect(countOf(lines.filter((line) => !line.startsWith('[DONE]')))).toBe(8);
      if (lines.some((line) => line.endsWith(' more'))) expect(text).not.toContain('[DONE]');
    }
  },
);

test('a todo in a line of code that a summary speaks of is nobody’s todo', () => {
  const text =
    'Look at `const staged = stagedFiles(); // TODO: does it work?` and at the note `// FIXME: slow` behind it.';
  expect(marked(digest([user(text)], { maxTokens: 600 }).text)).toEqual([]);
});
