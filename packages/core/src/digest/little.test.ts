import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';

const message = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts, native: undefined });
const said = (role: 'user' | 'assistant', text: string): Message => message(role, { kind: 'text', text });
const quarter = (text: string): number => Math.ceil(text.length / 4);
const page = (messages: readonly Message[], maxTokens: number, prior = ''): string =>
  digest(messages, { maxTokens, count: quarter, prior }).text;

let calls = 0;
const ran = (name: string, input: object, text: string): readonly Message[] => {
  calls += 1;
  const callId = `c${calls}`;
  return [
    message('assistant', { kind: 'tool-call', callId, name, input: JSON.stringify(input) }),
    message('tool', { kind: 'tool-result', callId, name, text, isError: false, media: [] }),
  ];
};
const code = (name: string): string =>
  [1, 2, 3, 4, 5, 6]
    .map(
      (at) =>
        `export function ${name}Step${at}(queue: JobQueue): Promise<JobReport_${at}> {\n  return ${name}(queue);\n}`,
    )
    .join('\n');
const wrote = (name: string): readonly Message[] => [
  said('assistant', `Now I rewrite the part that schedules ${name} jobs.`),
  ...ran('Write', { file_path: `/srv/jobs/src/queue/${name}.ts`, content: code(name) }, 'File created successfully'),
];
const GOAL =
  'Split the job queue of src/queue so that each kind of job has a module of its own and the report of a run says which module took longest.';
const names = ['mail', 'print', 'sweep', 'export', 'resize', 'index'] as const;
const session = [
  said('user', GOAL),
  ...names.flatMap(wrote),
  ...ran('Bash', { command: 'npm test' }, 'Error: expected 3 reports\n1 failed\nexit code 1'),
  said('assistant', 'The report of the sweep module is missing, I look into it next.'),
];

test('in a few lines the goal is whole and each changed file is named before any of them is quoted', () => {
  const text = page(session, 300);
  expect(text).toContain(GOAL);
  for (const name of names) expect(text).toContain(`- queue/${name}.ts (created)`);
  expect(text).toContain('Last change: created queue/index.ts');
  expect(text).toContain('Unresolved: $ npm test (exit 1)');
});

test('in a few lines a file’s name takes the place of what another one was touched for', () => {
  expect(page(session, 300)).not.toContain('schedules');
  expect(page(session, 2000)).toContain('schedules');
});

test('where not all changed files have room a digest says so, and how many there are', () => {
  const many = [said('user', GOAL), ...Array.from({ length: 40 }, (_, at) => wrote(`module${at}`)).flat()];
  const text = page(many, 300);
  const named = [...text.matchAll(/^- .*\.ts \(created\)$/gm)].length;
  expect(text).toContain(`- … ${40 - named} more files changed\n`);
  const later = page([said('user', 'Go on with the mail module.')], 300, text);
  expect(later).toContain('- … more files changed, some of them long ago\n');
  expect(page([said('user', 'And the print module.')], 300, later)).toContain('- … more files changed, some');
  expect(page(session, 2000)).not.toContain('more files');
});

test('scratch that was put away is not the last change', () => {
  const text = page([...session, ...ran('Bash', { command: 'rm /tmp/probe.ts' }, '')], 900);
  expect(text).toContain('Last change: created queue/index.ts');
});
