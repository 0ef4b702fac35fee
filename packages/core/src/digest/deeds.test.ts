import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { actsOutside } from './deeds.ts';
import { digest } from './index.ts';

const user = (text: string): Message => ({ role: 'user', parts: [{ kind: 'text', text }], native: undefined });
let calls = 0;
const ran = (name: string, input: unknown, text: string): readonly Message[] => {
  calls += 1;
  const callId = `d${calls}`;
  const call: Part = { kind: 'tool-call', callId, name, input: JSON.stringify(input) };
  const result: Part = { kind: 'tool-result', callId, name, text, isError: false, media: [] };
  return [
    { role: 'assistant', parts: [call], native: undefined },
    { role: 'tool', parts: [result], native: undefined },
  ];
};
const bash = (command: string, text: string): readonly Message[] => ran('Bash', { command }, text);
const looks = Array.from({ length: 30 }, (_, at) =>
  ran(
    'Read',
    { file_path: `/srv/app/part${at}.ts` },
    `export function loadPart${at}(partName: string): Part {\n// reads part${at} from its store before it is shown`,
  ),
).flat();
const deeds = [
  ...bash('git add -A && git commit -m "Store parts by name"', '[parts 4af91c2] Store parts by name\n 3 files changed'),
  ...bash('git push', 'To github.com:a/app\n   11aa22b..4af91c2  parts -> parts'),
  ...bash('gh pr create --title "Parts by name"', 'https://github.com/a/app/pull/41\nWarning: 1 uncommitted change'),
];

test.each([400, 1000])('what others see is told at %i tokens, whatever was looked at since', (maxTokens) => {
  const { text } = digest([user('Store the parts by name.'), ...deeds, ...looks], { maxTokens });
  expect(text).toContain('https://github.com/a/app/pull/41');
  if (maxTokens > 400) expect(text).toContain('[parts 4af91c2] Store parts by name');
});

test('what others see is told in later rounds', () => {
  const first = digest([user('Store the parts by name.'), ...deeds], { maxTokens: 1000 });
  const { text } = digest([user('Now read all.'), ...looks], { maxTokens: 1000, prior: first.text, first: 7 });
  expect(text).toContain('[parts 4af91c2] Store parts by name');
});

test('of many commits the newest are told with their hashes', () => {
  const commits = Array.from({ length: 9 }, (_, at) =>
    bash(`git commit -m "Step ${at}"`, `[main aa0000${at}] Step ${at}\n 1 file changed`),
  ).flat();
  const { text } = digest([user('Store the parts by name.'), ...commits, ...looks], { maxTokens: 700 });
  expect(text).toContain('[main aa00008] Step 8');
});

test('a state of the work tree that is no more is not quoted', () => {
  const { text } = digest(
    [
      user('Commit it.'),
      ...bash('git status', 'On branch main\nno changes added to commit (use "git add")'),
      ...bash('git add -A && git commit -m "Keep it"', '[main 77fe01c] Keep it'),
      ...bash('git status', 'nothing to commit, working tree clean'),
    ],
    { maxTokens: 800 },
  );
  expect(text).not.toContain('no changes added');
  expect(text).toContain('[main 77fe01c] Keep it');
});

test.each([
  ['git commit --amend --no-edit', true],
  ['cd app && git push origin main', true],
  ['gh issue comment 4 --body x', true],
  ['npm publish --access public', true],
  ['npm run deploy', true],
  ['kubectl apply -f k8s.yaml', true],
  ['curl -s -X POST https://api.example.com/orders', true],
  ['git push --dry-run', false],
  ['git log --oneline -20', false],
  ['curl -X POST http://localhost:3000/x', false],
  ['cat docs/deploy.md', false],
  ['gh pr view 4', false],
  ['grep -rn "git push" docs', false],
])('others see what comes of `%s`: %s', (command, isSeen) => {
  expect(actsOutside(command)).toBe(isSeen);
});

test('a line of a hook that looks like a field is not what came of a commit', () => {
  const commit = bash(
    'git commit -m "Keep it"',
    '[main 77fe01c] Keep it\n 1 file changed\nlint status: 0 problems found',
  );
  const { text } = digest([user('Store the parts.'), ...commit, ...looks], { maxTokens: 400 });
  expect(text).toContain('[main 77fe01c] Keep it');
});
