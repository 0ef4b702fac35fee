import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';

const quarter = (text: string): number => text.length / 4;
const said = (role: 'user' | 'assistant', text: string): Message => ({
  role,
  parts: [{ kind: 'text', text }],
  native: undefined,
});
const read = (file: string, text: string): readonly Message[] => {
  const call: Part = { kind: 'tool-call', callId: file, name: 'Read', input: JSON.stringify({ file_path: file }) };
  const result: Part = { kind: 'tool-result', callId: file, name: 'Read', text, isError: false, media: [] };
  return [
    { role: 'assistant', parts: [call], native: undefined },
    { role: 'tool', parts: [result], native: undefined },
  ];
};

const plan = [
  '# Rate limits',
  'We talked about this for a long while and everyone had a view of their own on it.',
  '- [x] Measure what the busiest caller needs in an hour',
  '- [ ] Count requests by caller in a sliding window of an hour',
  '- [ ] Answer with a wait in seconds where a caller has none left',
  'A caller without a name must be counted by its address.',
].join('\n');
const code = Array.from({ length: 60 }, (_, at) =>
  read(
    `/w/src/part${at}.ts`,
    `export function countPart${at}(callerId: string): number {\n  return windowOf${at}(callerId);\n}`,
  ),
).flat();
const points = [
  /Count requests by caller in a sliding window/,
  /Answer with a wait in seconds/,
  /must be counted by its/,
];

const view = (prompt: string, file: string): string =>
  digest([said('user', prompt), ...read(file, plan), ...code, said('assistant', 'I have read all of the parts.')], {
    maxTokens: 600,
    count: quarter,
  }).text;

test.each([
  ['Implement docs/limits.md step by step.', '/w/docs/limits.md'],
  ['Please carry out the tasks in limits.md, one at a time.', '/w/docs/limits.md'],
  ['Go on with the work on the limits.', '/w/PLAN.md'],
])('the points of a document that is the task have their place: %s', (prompt, file) => {
  const text = view(prompt, file);
  for (const point of points) expect(text).toMatch(point);
});

test('a document that is only read has no share of its own', () => {
  const quoted = (text: string): number => points.filter((point) => point.test(text)).length;
  expect(quoted(view('How are callers counted?', '/w/docs/notes.md'))).toBeLessThan(points.length);
  expect(quoted(view('Shorten the second part of limits.md, it bores people.', '/w/limits.md'))).toBeLessThan(
    points.length,
  );
});
