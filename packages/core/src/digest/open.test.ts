import { expect, test } from 'vitest';
import type { Message } from '../model/message.ts';
import { digest } from './index.ts';

let calls = 0;
const ran = (name: string, input: object, text: string): readonly Message[] => {
  calls += 1;
  const callId = `o${calls}`;
  return [
    {
      role: 'assistant',
      parts: [{ kind: 'tool-call', callId, name, input: JSON.stringify(input) }],
      native: undefined,
    },
    {
      role: 'tool',
      parts: [{ kind: 'tool-result', callId, name, text, isError: false, media: [] }],
      native: undefined,
    },
  ];
};
const told = (...all: readonly (readonly Message[])[]): string =>
  digest([{ role: 'user', parts: [{ kind: 'text', text: 'Round it.' }], native: undefined }, ...all.flat()], {
    maxTokens: 800,
  }).text;

const END = '\n(Open file: /srv/app/src/fields.py)\n(Current directory: /srv/app)\nbash-$';
const opened = ran(
  'open',
  { path: 'src/fields.py' },
  `[File: src/fields.py (2 lines total)]\n1:total = int(seconds)${END}`,
);
const edit = { search: 'total = int(seconds)', replace: 'total = int(round(seconds))' };

test.each([
  [
    'edit',
    edit,
    `Text replaced. Please review the changes.\n[File: /srv/app/src/fields.py (2 lines total)]\n1:total${END}`,
  ],
  [
    'edit',
    { start: 1, end: 1, replacement_text: 'total = int(round(seconds))' },
    `File updated. Please review it.${END}`,
  ],
  ['insert', { line: 2, text: 'total = int(round(seconds))' }, `[File: /srv/app/src/fields.py (3 lines total)]${END}`],
])('%s of the open file is a change of it', (tool, input, result) => {
  const text = told(opened, ran(tool, input, result));
  expect(text).toMatch(/fields\.py \(changed, read\)/);
  expect(text).toContain('int(round(seconds))');
  expect(text).toMatch(/^Last change: changed \S*fields\.py$/m);
});

test('an edit of the open file that was refused is none', () => {
  const refused = `Your proposed edit has introduced new syntax error(s).\nERRORS:\n- E999 IndentationError${END}`;
  const text = told(opened, ran('edit', edit, refused));
  expect(text).toMatch(/fields\.py \(read; change failed, unresolved\)/);
  expect(text).not.toContain('Last change');
});

test.each([
  ['edit', 'Text replaced.\n(Open file: n/a)\nbash-$'],
  ['scroll_down', `[File: src/fields.py (2 lines total)]${END}`],
  ['edit_order', `The order has been updated: it says (Open file: /srv/app/src/fields.py) somewhere.`],
])('where no file is open, or none is edited, nothing is changed: %s', (tool, result) => {
  expect(told(opened, ran(tool, { id: 3 }, result))).not.toMatch(/fields\.py \([^)]*changed/);
});

test('a file that is made, opened, changed and removed is one, by whichever path', () => {
  const end = END.replace('src/fields', 'try');
  const text = told(
    ran('create', { filename: 'try.py' }, `[File: try.py (1 lines total)]\n1:${end}`),
    ran('insert', { text: 'print(total)' }, `[File: /srv/app/try.py (2 lines total)]\n1:print(total)${end}`),
    ran('bash', { command: 'rm try.py' }, `Your command ran successfully and did not produce any output.${end}`),
  );
  expect(text.match(/^- \S*try\.py .*$/gm)).toEqual([expect.stringMatching(/\(created, changed, deleted\)/)]);
});
