import { expect, test } from 'vitest';
import { EMPTY_LEDGER, extractFacts, mergeFacts } from '../facts/index.ts';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';

type Ran = readonly [name: string, input: object, result?: string];

const message = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts, native: undefined });
let calls = 0;
const ran = (...all: readonly Ran[]): readonly Message[] =>
  all.flatMap(([name, input, text = 'done']) => {
    calls += 1;
    const callId = `c${calls}`;
    return [
      message('assistant', { kind: 'tool-call', callId, name, input: JSON.stringify(input) }),
      message('tool', { kind: 'tool-result', callId, name, text, isError: false, media: [] }),
    ];
  });
const bash = (command: string, text = 'done'): Ran => ['Bash', { command }, text];
const edit = (file_path = '/srv/app/pool.ts'): Ran => [
  'Edit',
  { file_path, old_string: 'poolSize = 5;', new_string: 'poolSize = 50;' },
];
const write = (file_path: string, result = 'File created'): Ran => [
  'Write',
  { file_path, content: 'portOf = 1' },
  result,
];
const told = (...all: readonly Ran[]): string =>
  digest([message('user', { kind: 'text', text: 'Look after the pool.' }), ...ran(...all)], { maxTokens: 900 }).text;

test.each([
  'rm -rf dist && npm run build',
  'rm -rf /tmp/demo && mkdir -p /tmp/demo && cd /tmp/demo && git init',
  'cd /tmp && rm -rf demo && mkdir demo && cd demo && git init',
  'rm -rf node_modules package-lock.json && npm install',
  'rm -f data.json && node seed.js',
  'rm -f pool.ts; touch pool.ts',
])('what a command deletes and makes anew is not told as deleted: %s', (command) => {
  const text = told(bash(command));
  expect(text).not.toContain('deleted');
  const facts = mergeFacts(EMPTY_LEDGER, ran(bash(command)).flatMap(extractFacts));
  expect(Object.values(facts.entries).map(({ status }) => status)).not.toContain('deleted');
});

test.each([
  'rm src/old.ts && npm test',
  'rm src/old.ts && git add -A && git commit -m "drop it"',
  'node t.js; rm src/old.ts',
])('what stays away is told as deleted: %s', (command) => expect(told(bash(command))).toMatch(/old\.ts \(deleted\)/));

test('what a later command makes anew is there', () => {
  expect(told(bash('rm -rf dist'), bash('npm run build'))).not.toMatch(/dist \(deleted/);
  expect(told(bash('rm -rf /srv/demo'), write('/srv/demo/a.ts'))).not.toMatch(/demo \(deleted/);
});

test.each([
  'npm run build',
  'cd packages/app && npm run build 2>&1 | tail -3',
  'npm install',
  './run.sh',
  'python agent.py',
  'curl -s localhost:3000/health',
  'rm pnpm-lock.yaml && npm run build',
])('a file that nothing makes anew stays deleted whatever runs behind: %s', (command) => {
  const all = [write('~/.cfg/nord.json'), bash('rm ~/.cfg/nord.json'), bash(command)];
  expect(told(...all)).toMatch(/nord\.json \(created, deleted\)/);
  expect(told(bash(`rm ~/.cfg/nord.json && ${command}`))).toMatch(/nord\.json \(deleted\)/);
});

test.each([
  ['package-lock.json', 'npm install'],
  ['yarn.lock', 'yarn'],
  ['app.wasm', 'npm run build'],
  ['src/api.generated.ts', 'npm run build'],
  ['types/api.d.ts', 'npm run build'],
  ['hello', 'make'],
  ['data.json', 'node scripts/gen-data.js'],
  ['.cache', 'npm test'],
])('what a build or an install makes may be there again: %s by %s', (path, command) => {
  expect(told(bash(`rm -rf ${path}`), bash(command))).not.toContain('(deleted');
});

test.each([
  ['package-lock.json', 'npm test'],
  ['hello', 'npm run build'],
  ['types/api.ts', 'npm run build'],
])('what a command of that kind does not make stays deleted: %s, %s', (path, command) => {
  expect(told(bash(`rm -rf ${path}`), bash(command))).toContain('(deleted');
});

test('with a directory goes what was written in it', () => {
  expect(told(write('/srv/app/demo/a.ts'), bash('rm -rf /srv/app/demo'))).toMatch(/a\.ts \(created, deleted\)/);
});

test.each([
  'git reset --hard HEAD',
  'git checkout .',
  'git checkout /srv/app/pool.ts',
  'git checkout -- /srv/app/pool.ts',
  'git checkout HEAD -- /srv/app',
  'git restore /srv/app/pool.ts',
  'git restore pool.ts',
  'cd /srv/app && git restore pool.ts',
  'cd /srv/app && git restore .',
  'git -C /srv/app checkout .',
  'git stash',
])('%s takes an edit back: it is not told as it stands', (command) => {
  const text = told(edit(), bash(command));
  expect(text).toContain('pool.ts (changes taken back)');
  expect(text).not.toMatch(/poolSize = 50|\(changed|Last change: changed/);
  expect(text.match(/pool\.ts \(/g)).toHaveLength(1);
});

test.each([
  ['another branch', 'git checkout main'],
  ['a new branch', 'git checkout -b fix/pool.ts'],
  ['the index alone', 'git reset HEAD'],
  ['the index alone', 'git restore --staged .'],
  ['another directory', 'cd /srv/other && git checkout .'],
  ['a list of what is stashed', 'git stash list'],
])('%s takes no edit back: %s', (_what, command) => {
  expect(told(edit(), bash(command))).toContain('poolSize = 50');
});

test('what was committed stays, what was changed behind that is taken back', () => {
  expect(told(edit(), bash('git commit -am "more of it"'), bash('git reset --hard'))).toContain('poolSize = 50');
  const text = told(edit(), bash('git commit -am "more of it"'), edit('/srv/app/log.ts'), bash('git reset --hard'));
  expect(text).toMatch(/pool\.ts \(changed\)/);
  expect(text).toMatch(/log\.ts \(changes taken back\)/);
});

test('a file that git does not know yet stays where the others are set back', () => {
  expect(told(write('/srv/app/new.ts'), edit(), bash('git checkout .'))).toMatch(/new\.ts \(created\)\n {2}portOf = 1/);
});

test('what was stashed away is there again once it is popped', () => {
  const text = told(edit(), bash('git stash'), bash('npm test'), bash('git stash pop'));
  expect(text).toMatch(/pool\.ts \(changed\)\n {2}poolSize = 50/);
  expect(told(edit(), bash('git stash && npm test; git stash pop'))).toMatch(/pool\.ts \(changed\)/);
});

test('what an earlier round tells is taken back as well', () => {
  const first = told(edit());
  const { text } = digest(ran(bash('git checkout -- /srv/app/pool.ts')), { maxTokens: 900, prior: first });
  expect(text).toContain('pool.ts (changes taken back)');
  expect(text).not.toContain('poolSize = 50');
});

test('a file that was there is changed, not created, by a write', () => {
  expect(told(['Read', { file_path: '/srv/app/a.md' }, 'old'], write('/srv/app/a.md'))).toMatch(
    /a\.md \(changed, read\)/,
  );
  expect(told(write('/srv/app/a.md', 'The file /srv/app/a.md has been updated.'))).toMatch(/a\.md \(changed\)/);
  expect(told(write('/srv/app/a.md'), write('/srv/app/a.md'))).toMatch(/a\.md \(created, changed\)/);
});

test.each([
  ['rm -rf demo', ''],
  ['rm -r ./demo', ''],
  ['rm -rf d', '', '/srv/app/d/a.json'],
  ['rm /srv/app/demo/*.json', ''],
  ['rm demo/*.json', ''],
  ['rm -rf /srv/app/d*', ''],
  ['cd /srv/app && rm demo/?.json', ''],
  ['cd /srv/app/demo; rm -f *.json', ''],
  ['rm $HOME/a.json', '', '~/a.json'],
  [`rm "\${HOME}/demo/a.json"`, '', '/home/ann/demo/a.json'],
  ['unlink /srv/app/demo/a.json', ''],
  ['trash /srv/app/demo/a.json', ''],
  ['find /srv/app -name a.json -delete', ''],
  ["find /srv/app -type f -name '*.json' -delete", ''],
  ['git rm -rf demo', "rm 'demo/a.json'"],
  ['git clean -fd', 'Removing demo/a.json\nRemoving out/'],
  ['git clean -fdx', 'Removing demo/'],
])('what %s deletes is told as deleted', (command, output, path = '/srv/app/demo/a.json') => {
  const text = told(write(path), bash(command, output));
  expect(text).toMatch(/a\.json \(created, deleted\)/);
  expect(lineOf(text, 'Last change')).toContain('deleted');
});

test.each([
  ['rm -rf /tmp/demo', ''],
  ['rm -rf other', ''],
  ['rm /srv/app/*.json', ''],
  ['rm /srv/app/demo/*.ts', ''],
  ['rm /srv/app/demo/.*', ''],
  ['cd /srv/other && rm -rf demo', ''],
  ['find /srv/app -name a.json', '/srv/app/demo/a.json'],
  ['find /srv/app -name a.json -mtime +3 -delete', ''],
  ['find /srv/app -not -name b.json -delete', ''],
  ['git clean -n', 'Would remove demo/a.json'],
  ['git rm --cached demo/a.json', "rm 'demo/a.json'"],
  ['rm -rf .', ''],
])('what %s leaves, or nobody knows it deletes, stands', (command, output) => {
  expect(told(write('/srv/app/demo/a.json'), bash(command, output))).toMatch(/a\.json \(created\)/);
});

test('a file that a command calls by its name is the one that was made', () => {
  const text = told(write('/srv/app/try.py'), bash('python try.py && rm try.py'));
  expect(text).toMatch(/try\.py \(created, deleted\)/);
  expect(text).not.toMatch(/^- try\.py \(deleted\)/m);
});

test('a name that may be of another directory’s file is a file of its own', () => {
  const text = told(write('/srv/app/a/index.ts'), write('/srv/app/b/main.ts'), bash('rm index.ts'));
  expect(text).toMatch(/a\/index\.ts \(created\)/);
});

test('a file that a search found in a folder stands with that folder, and by its whole path once that is said', () => {
  const grep: Ran = ['grep', { pattern: 'block', path: '/srv/app/src/trim' }, 'keep.rs:3:let block = one;'];
  const others = ['/srv/app/src/a.rs', '/srv/app/src/b.rs', '/srv/app/src/c.rs', '/srv/app/src/d.rs'].map((path) =>
    write(path),
  );
  expect(told(...others, grep)).toMatch(/^- keep\.rs in (?:\S*\/)?trim\n/m);
  expect(told(...others, grep, edit('/srv/app/src/trim/keep.rs'))).toMatch(/^- (?:\S*\/)?trim\/keep\.rs \(changed\)/m);
});

test('what a search of one file found stands with that file', () => {
  const path = '/srv/app/docs/settings.md';
  const text = told(
    ['grep', { pattern: 'level', path }, 'settings.md:20: the level of thinking'],
    ['Read', { file_path: path, limit: 3 }, 'the level of thinking'],
  );
  expect(text.match(/^- .*settings\.md.*$/gm)).toHaveLength(1);
});

test('a thousand directories that come and go take linear time', () => {
  const time = (many: number): number => {
    const commands = Array.from({ length: many }, (_, at) => [
      write(`/srv/app/d${at}/a.ts`),
      bash(`rm -rf d${at} && git checkout . && ${'rm -rf out; '.repeat(60)}`),
    ]).flat();
    const messages = ran(...commands);
    const started = process.cpuUsage();
    digest(messages, { maxTokens: 900 });
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
  time(100);
  expect(time(1200)).toBeLessThan(Math.max(2000, time(300) * 10));
});

const stash = bash('git stash', 'Saved working directory and index state WIP on main');
const pop = bash('git stash pop', 'Dropped refs/stash@{0}');
const lint = bash('npm run lint', '1 problem');
const lineOf = (text: string, label: string): string => new RegExp(`^${label}: .*$`, 'm').exec(text)?.[0] ?? '';

test.each<[string, readonly Ran[]]>([
  ['in one command', [bash('cd /srv/app && git stash && npm run lint; git stash pop', '1 problem')]],
  ['in two', [stash, pop]],
  ['with a check between', [stash, lint, pop]],
  ['of files by name', [bash('git stash push -- /srv/app/pool.ts'), pop]],
])('what git stashed away and gave back is not told as taken back: %s', (_how, all) => {
  const text = told(edit(), ...all);
  expect(lineOf(text, 'Last change')).toBe('Last change: changed app/pool.ts');
  expect(text).toContain('app/pool.ts (changed)');
  expect(text).not.toContain('taken back');
});

test('a check of what was there without the stashed change does not hold for it', () => {
  expect(lineOf(told(edit(), stash, lint, pop), 'Last check')).toContain('1 problem (1 file changed since)');
  expect(lineOf(told(edit(), stash, pop, lint), 'Last check')).toMatch(/1 problem$/);
});

test('what stays stashed away is told as taken back', () => {
  expect(lineOf(told(edit(), stash), 'Last change')).toBe('Last change: taken back app/pool.ts');
});

test('a file that was not changed since is as it was after a stash of it', () => {
  const text = told(edit(), bash('git commit -am x'), bash('git stash push -- /srv/app/pool.ts'), pop);
  expect(text).not.toContain('taken back');
});
