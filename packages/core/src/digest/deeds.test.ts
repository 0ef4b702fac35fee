import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { actsOnSomething, actsOutside } from './deeds.ts';
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

const said = (text: string): Message => ({ role: 'assistant', parts: [{ kind: 'text', text }], native: undefined });
const request = user('Please get this project into shape for me.');

test.each([
  ['docker stop web', 'web'],
  ['systemctl restart app', ''],
  ['redis-cli flushall', 'OK'],
  ['npm install zod', 'added 1 package'],
  ['npm uninstall zod', 'removed 1 package'],
  ['ssh host sudo reboot', ''],
  ['alembic upgrade head', 'Running upgrade a -> b'],
  ['dropdb shop', ''],
  ['git stash', 'Saved'],
  ['anyctl restart web', ''],
  ['restartweb', 'ok'],
])('a command of plain words has a line: %s', (command, output) => {
  const messages = [
    request,
    said('I take the next step now.'),
    ...bash(command, output),
    said('The next one is open.'),
  ];
  expect(digest(messages, { maxTokens: 1000 }).text).toContain(`- $ ${command}`);
});

test('what was stopped and installed is told beside much that was read, the newest first, in an eighth of the budget', () => {
  const acts = Array.from({ length: 40 }, (_, at) => [
    ...bash(`docker stop web${at}`, 'ok'),
    ...bash(`svc${at}ctl restart api`, 'ok'),
  ]).flat();
  const { text } = digest([request, ...acts, ...looks], { maxTokens: 600 });
  expect(text).toContain('$ svc39ctl restart api');
  const lines = text.split('\n').filter((line) => /^- \$ \w+ctl restart/.test(line));
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.length).toBeLessThan(14);
});

test.each([
  ['docker compose up -d', true],
  ['sudo systemctl restart nginx.service', true],
  ['pip install -r requirements.txt', true],
  ['kubectl -n shop rollout restart deploy/api', true],
  ['psql -c "drop table a"', true],
  ['git stash', true],
  ['git stash list', false],
  ['git stash && npm run lint; git stash pop', false],
  ['git tag', false],
  ['git add -A', false],
  ['pytest tests -k delete', false],
  ['npm run test:unit add', false],
  ['cat docs/install', false],
  ['echo restart', false],
  ['npm install --dry-run zod', false],
])('`%s` starts, stops, installs, removes or sets something: %s', (command, isAct) => {
  expect(actsOnSomething(command)).toBe(isAct);
});

test.each([
  ['zod is not installed yet. I will install it.', 'npm install zod', 'Installed.'],
  ['Nothing is deployed yet. Deploying now.', './deploy.sh prod', 'Deployed.'],
  ['The old container is still running. Stopping it.', 'docker stop web', 'Stopped.'],
])('what was announced and then done is not what was said last: %s', (announced, command, told) => {
  const messages = [request, said(announced), ...bash(command, 'ok'), said(told)];
  const { text } = digest(messages, { maxTokens: 1000 });
  expect(text).toContain(`Last said: ${told}`);
  expect(text).not.toContain(announced.split('.')[0]);
});

test('an answer in front of what was run since says so', () => {
  const messages = [
    request,
    said('The server is down since its port is taken by an older one.'),
    ...bash('systemctl restart app', ''),
    said('Done.'),
  ];
  expect(digest(messages, { maxTokens: 1000 }).text).toContain(
    'Last said, before that: The server is down since its port is taken by an older one.',
  );
});
