import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';

const user = (text: string): Message => ({ role: 'user', parts: [{ kind: 'text', text }], native: undefined });
let calls = 0;
const ran = (name: string, input: unknown, text: string): readonly Message[] => {
  calls += 1;
  const callId = `p${calls}`;
  const call: Part = { kind: 'tool-call', callId, name, input: JSON.stringify(input) };
  const result: Part = { kind: 'tool-result', callId, name, text, isError: false, media: [] };
  return [
    { role: 'assistant', parts: [call], native: undefined },
    { role: 'tool', parts: [result], native: undefined },
  ];
};
const page = (messages: readonly Message[], maxTokens = 800): string => digest(messages, { maxTokens }).text;

test('a listing takes a line or two, not one for each name', () => {
  const names = ['CHANGELOG.md', 'LICENSE', 'Makefile', 'README.md', 'bench', 'docs', 'packages', 'src'];
  const text = page([user('What is there?'), ...ran('Bash', { command: 'ls -1 /srv/app' }, names.join('\n'))]);
  expect(text).toContain(`  ${names.join(', ')}\n`);
});

test('numbers of a column stay on lines of their own', () => {
  const text = page([user('Count.'), ...ran('Bash', { command: './count' }, 'widths told here:\n120\n340\n560\n780')]);
  expect(text).not.toContain('120, 340');
});

test('lists in a list of results are told as fields, with what belongs together', () => {
  const trips = [
    [
      { flight: 'AB10', prices: { economy: 112 } },
      { flight: 'AB11', prices: { economy: 130 } },
    ],
    [{ flight: 'AB20', prices: { economy: 99 } }],
  ];
  const text = page([user('Find a flight.'), ...ran('search_flight', { from: 'OSL' }, JSON.stringify(trips))]);
  expect(text).toContain('1) flight AB11, prices (economy 130)');
  expect(text).toContain('2) flight AB20, prices (economy 99)');
  expect(text).not.toContain('{"');
});

test('positions in a text of a result are left out', () => {
  const result = {
    text: { value: 'Docs are made.\nBy a tool.', annotations: [{ start_index: 745, end_index: 757, title: 'Guide' }] },
  };
  const text = page([user('How?'), ...ran('web_search', { query: 'docs' }, JSON.stringify(result))]);
  expect(text).toContain('Docs are made.');
  expect(text).not.toMatch(/_index|value:/);
});
