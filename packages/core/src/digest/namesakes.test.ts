import { expect, test } from 'vitest';
import { EMPTY_LEDGER, extractFacts, mergeFacts, packLedger, renderFacts, unpackLedger } from '../facts/index.ts';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';

let calls = 0;
const ran = (name: string, input: unknown, text = 'ok'): readonly Message[] => {
  calls += 1;
  const callId = `c${calls}`;
  const call: Part = { kind: 'tool-call', callId, name, input: JSON.stringify(input) };
  const result: Part = { kind: 'tool-result', callId, name, text, isError: false, media: [] };
  return [
    { role: 'assistant', parts: [call], native: undefined },
    { role: 'tool', parts: [result], native: undefined },
  ];
};
const user = (text: string): Message => ({ role: 'user', parts: [{ kind: 'text', text }], native: undefined });
const files = (messages: readonly Message[]): string =>
  digest([user('Fix both wrappers.'), ...messages], { maxTokens: 800 })
    .text.split('<file_system_state>\n')[1]
    ?.split('\n</file_system_state>')[0] ?? '';
const namesOf = (text: string): readonly string[] => text.match(/^- .*$/gm) ?? [];

const wrappers = [
  ...ran('Read', { file_path: '/w/p/.claude/scripts/wrap.sh' }, 'export CLAUDE_DIR=/opt/claude'),
  ...ran('Read', { file_path: '/w/p/.gemini/scripts/wrap.sh' }, 'export GEMINI_DIR=/opt/gemini'),
  ...ran('Edit', { file_path: '/w/p/.gemini/scripts/wrap.sh', old_string: '/opt/gemini', new_string: '/srv/gemini' }),
];

test('two files whose paths end alike are two, and only the changed one is told as changed', () => {
  const text = files(wrappers);
  expect(namesOf(text)).toHaveLength(2);
  expect(text).toMatch(/^- .*\.claude\/scripts\/wrap\.sh \(read\)$/m);
  expect(text).toMatch(/^- .*\.gemini\/scripts\/wrap\.sh \(changed, read\)$/m);
});

test('two files whose paths end alike are two in a later round', () => {
  const first = digest([user('Fix both wrappers.'), ...wrappers], { maxTokens: 800 });
  const more = ran('Edit', { file_path: '/w/p/.claude/scripts/wrap.sh', old_string: '/opt/c', new_string: '/srv/c' });
  const { text } = digest(more, { maxTokens: 800, prior: first.text, ledger: first.ledger, first: 7 });
  expect(text).toMatch(/\.claude\/scripts\/wrap\.sh \(changed, read\)/);
  expect(text.match(/wrap\.sh \(/g)).toHaveLength(2);
});

test('two files whose paths end alike are two facts, packed and unpacked', () => {
  const ledger = mergeFacts(EMPTY_LEDGER, wrappers.flatMap(extractFacts));
  for (const { entries } of [ledger, unpackLedger(packLedger(ledger, ''))]) {
    const found = Object.values(entries).filter(({ kind }) => kind === 'file');
    expect(found.map(({ value, status }) => `${value} ${status}`).sort()).toEqual([
      '/w/p/.claude/scripts/wrap.sh read',
      '/w/p/.gemini/scripts/wrap.sh changed',
    ]);
  }
  const { text } = renderFacts(ledger, { maxTokens: 400 });
  for (const folder of ['.claude', '.gemini']) expect(text).toContain(`${folder}/scripts/wrap.sh`);
});

test('two paths that end alike in one message are two facts', () => {
  const text = 'Compare .claude/scripts/wrap.sh with .gemini/scripts/wrap.sh and scripts/wrap.sh.';
  const paths = extractFacts(user(text), 0).flatMap((fact) => (fact.kind === 'path' ? [fact.value] : []));
  expect(paths).toEqual(['.claude/scripts/wrap.sh', '.gemini/scripts/wrap.sh']);
});

test.each([
  ['src/app.ts', '/w/p/src/app.ts'],
  ['/w/p/src/app.ts', 'src/app.ts'],
  ['./src/app.ts', 'src/app.ts'],
])('%s and %s are one file', (one, other) => {
  const read = [
    ...ran('Read', { file_path: one }, 'let one = 1;'),
    ...ran('Read', { file_path: other }, 'let one = 1;'),
  ];
  expect(namesOf(files(read))).toHaveLength(1);
  const entries = Object.values(mergeFacts(EMPTY_LEDGER, read.flatMap(extractFacts)).entries);
  expect(entries.filter(({ kind }) => kind === 'file')).toHaveLength(1);
});

test('a relative path is read from where its command runs', () => {
  const text = files([
    ...ran('Bash', { command: 'cat src/index.ts', workdir: '/w/p' }, 'export const rootEntry = 1;'),
    ...ran('Bash', { command: 'cd packages/a && cat src/index.ts', workdir: '/w/p' }, 'export const packageEntry = 1;'),
    ...ran('Edit', { file_path: '/w/p/packages/a/src/index.ts', old_string: 'x', new_string: 'y' }),
  ]);
  expect(text).toMatch(/^- src\/index\.ts \(read\)/m);
  expect(text).toMatch(/^- packages\/a\/src\/index\.ts \(changed, read\)/m);
});

test('a path is never put together for a reader: a file called by its name alone is that name and its folder', () => {
  const text = files(ran('Bash', { command: 'cd packages/a && cat notes.md' }, 'the port is 8123'));
  expect(text).toMatch(/^- notes\.md in packages\/a \(read\)$/m);
});

test('a short path that may be either of two files is neither', () => {
  const text = files([
    ...ran('Read', { file_path: '/w/p/a/src/index.ts' }, 'export const first = 1;'),
    ...ran('Read', { file_path: '/w/p/b/src/index.ts' }, 'export const second = 1;'),
    ...ran('Bash', { command: 'rm src/index.ts' }, ''),
  ]);
  expect(text).not.toMatch(/[ab]\/src\/index\.ts \(deleted/);
  expect(text).toMatch(/^- src\/index\.ts \(deleted\)/m);
});

test('a hundred thousand files that end alike are told in good time', () => {
  const text = Array.from({ length: 100_000 }, (_, at) => `d${at}/src/index.ts`).join(' ');
  const started = process.cpuUsage();
  const facts = extractFacts(user(text), 0);
  mergeFacts(EMPTY_LEDGER, facts);
  const { user: own, system } = process.cpuUsage(started);
  expect((own + system) / 1000).toBeLessThan(3000);
});
