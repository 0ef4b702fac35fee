import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';
import { withoutDirectives, withoutDrawn } from './markup.ts';

const user = (text: string): Message => ({ role: 'user', parts: [{ kind: 'text', text }], native: undefined });
const assistant = (text: string): Message => ({
  role: 'assistant',
  parts: [{ kind: 'text', text }],
  native: undefined,
});
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

test('no bullet is longer than can be read, and later rounds know them all', () => {
  const claims = Array.from({ length: 40 }, (_, at) => `The moduleNumber${at} keeps its cache in cacheFolder${at}.`);
  const first = digest([user('Look at the caches.'), assistant(claims.join(' '))], { maxTokens: 1500 });
  const said = first.text.split('\n').filter((line) => line.startsWith('- Assistant: '));
  expect(said.length).toBeGreaterThan(1);
  expect(Math.max(...said.map((line) => line.length))).toBeLessThan(800);
  const { text } = digest([user('And now?')], { maxTokens: 2500, prior: first.text, ledger: first.ledger, first: 2 });
  for (const line of said) expect(text).toContain(line.slice('- Assistant: '.length));
});

test('what a program is told by the way is no sentence', () => {
  const text = [
    'I found one thing.',
    '::code-comment{title="[P2] Old tests run" body="Deleting src/test leaves compiled files." file="/srv/package.json" start=186 end=188 priority=2}',
    '::git-commit{cwd="/srv/app"}',
  ].join('\n');
  expect(withoutDirectives(text).trimEnd()).toBe(
    'I found one thing.\n[P2] Old tests run. Deleting src/test leaves compiled files. (/srv/package.json:186)',
  );
  expect(page([user('Review it.'), assistant(text)])).not.toMatch(/priority=|::git/);
});

test('a map of files that was drawn into a message stands with its files', () => {
  const map =
    'These are the files:\n\napp/args.py:\n⋮...\n│def default_env_file(git_root):\n⋮...\n│def get_parser(files):\n';
  const { text, drawn } = withoutDrawn(map);
  expect(text).toBe('These are the files:\n\n');
  expect(drawn).toEqual([
    { path: 'app/args.py', lines: ['...', 'def default_env_file(git_root):', '...', 'def get_parser(files):'] },
  ]);
  const shown = page([user('Look around.'), assistant(map)]);
  expect(shown).toContain('- app/args.py\n  def default_env_file(git_root):');
  expect(shown).not.toContain('│');
});

test('what was being written when a text ended is not quoted', () => {
  const text = page([
    user('Write the tests of runAll.'),
    ...ran('Write', { file_path: '/srv/a.py', content: 'def test_run_all():\n    runAll(["--git"])\n    self.' }, 'ok'),
  ]);
  expect(text).not.toMatch(/^ {2}self\.$/m);
});

test('of a failure that is settled no by-the-way is told', () => {
  const failed = `Exit code 1\nerror TS2304: Cannot find name 'limit'.\n[fmt] Finished in 44.0ms\n`;
  const more = Array.from({ length: 30 }, (_, at) => `The moduleNumber${at} keeps its cache in cacheFolder${at}.`);
  const text = page(
    [
      user('Fix the build.'),
      ...ran('Bash', { command: 'npm run build' }, failed),
      ...ran('Edit', { file_path: '/srv/a.ts', old_string: 'x', new_string: 'const limit = 1;' }, 'ok'),
      ...ran('Bash', { command: 'npm run build' }, 'built'),
      assistant(more.join(' ')),
    ],
    600,
  );
  expect(text).toContain("error TS2304: Cannot find name 'limit'.");
  expect(text).not.toContain('Finished in');
});

test('rounds keep the order of what is carried', () => {
  const read = (name: string): readonly Message[] =>
    ran('Read', { file_path: `/srv/app/${name}.md` }, `The ${name} explains how the ${name}Service is set up.`);
  const order = (text: string): readonly string[] => text.match(/^- (?:\S*\/)?(?:alpha|beta|gamma)\.md/gm) ?? [];
  let last = digest([user('Read.'), ...read('alpha'), ...read('beta'), ...read('gamma')], { maxTokens: 900 });
  const first = order(last.text);
  expect(first).toHaveLength(3);
  for (let round = 0; round < 3; round += 1) {
    last = digest([user(`Go on with ${round}.`)], {
      maxTokens: 900,
      prior: last.text,
      ledger: last.ledger,
      first: 9 + round,
    });
    expect(order(last.text)).toEqual(first);
  }
});

test('a purpose that would go with any file is none', () => {
  const change = (file: string): readonly Message[] =>
    ran(
      'Edit',
      { file_path: `/srv/app/${file}`, old_string: 'x', new_string: `const ${file.replace('.ts', 'Limit')} = 4;` },
      'ok',
    );
  const said = (text: string, [call, result]: readonly Message[]): readonly Message[] => [
    { role: 'assistant', parts: [{ kind: 'text', text }, ...(call?.parts ?? [])], native: undefined },
    ...(result === undefined ? [] : [result]),
  ];
  const messages = [
    user('Bound the queue.'),
    assistant('The worker drops jobs because `queue.ts` never bounds its backlog.'),
    ...said('Let me fix it:', change('queue.ts')),
    ...said('Bound the retries of failed jobs:', change('retry.ts')),
  ];
  expect(page(messages)).toMatch(/^- \S*queue\.ts \(changed\)$/m);
  expect(page(messages)).toMatch(/^- \S*retry\.ts \(changed\) — Bound the retries of failed jobs$/m);
  expect(page(messages, 6000)).toMatch(
    /^- \S*queue\.ts \(changed\) — The worker drops jobs because `queue\.ts` never/m,
  );
});

test('what was left out between two lines makes no expression of them', () => {
  const code = [
    "await executeCommand('view.focus');",
    '}',
    '? target.commitSha === givenSha',
    ': typeof target.checkpointId === "string"',
  ];
  const text = page([user('Focus it.'), ...ran('Read', { file_path: '/srv/app/focus.ts' }, code.join('\n'))]);
  expect(text).toContain("executeCommand('view.focus');\n");
});
