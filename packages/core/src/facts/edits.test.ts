import { expect, test } from 'vitest';
import type { Message } from '../model/message.ts';
import { EMPTY_LEDGER, extractFacts, mergeFacts } from './index.ts';

const ran = (callId: string, [name, input, text, isError = false]: Ran): readonly Message[] => [
  { role: 'assistant', parts: [{ kind: 'tool-call', callId, name, input: JSON.stringify(input) }], native: undefined },
  { role: 'tool', parts: [{ kind: 'tool-result', callId, name, text, isError, media: [] }], native: undefined },
];
type Ran = readonly [name: string, input: object, text: string, isError?: boolean];

const statuses = (...all: readonly Ran[]): readonly (string | undefined)[] => {
  const messages = all.flatMap((each, at) => ran(`e${at}`, each));
  const whole = mergeFacts(EMPTY_LEDGER, messages.flatMap(extractFacts));
  const stepwise = messages.reduce(
    (ledger, message, at) => mergeFacts(ledger, extractFacts(message, at)),
    EMPTY_LEDGER,
  );
  expect(stepwise.entries).toEqual(whole.entries);
  return Object.values(whole.entries).flatMap(({ kind, status }) => (kind === 'file' ? [status] : []));
};
const edit = (text: string, isError = false): Ran => [
  'Edit',
  { file_path: '/w/src/a.ts', old_string: 'foo', new_string: 'bar' },
  text,
  isError,
];
const REFUSED = 'ERROR:\nNo replacement was performed, old_str `foo` did not appear verbatim in /w/src/a.ts.';

test.each<[string, readonly Ran[], string]>([
  ['refused in plain words', [edit(REFUSED)], 'change failed'],
  ['refused with an error flag', [edit('not there', true)], 'change failed'],
  ['refused after a success', [edit('done'), edit(REFUSED)], 'changed'],
  ['refused twice after a success', [edit('done'), edit(REFUSED), edit(REFUSED)], 'changed'],
  ['refused, then made', [edit(REFUSED), edit('done')], 'changed'],
  ['refused behind a read', [['Read', { file_path: '/w/src/a.ts' }, 'No edits were made.'], edit(REFUSED)], 'read'],
  ['made', [edit('The file has been updated. Here it is:\n 1 No replacement was performed')], 'changed'],
])('a file whose edit was %s is entered as that', (_how, all, status) => {
  expect(statuses(...all)).toEqual([status]);
});

test('of a patch that was refused no file is entered as changed', () => {
  const patch = '*** Begin Patch\n*** Update File: a.ts\n-a\n+b\n*** Update File: b.ts\n-a\n+b\n*** End Patch';
  expect(statuses(['apply_patch', { input: patch }, 'apply_patch verification failed: no such lines'])).toEqual([
    'change failed',
    'change failed',
  ]);
});
