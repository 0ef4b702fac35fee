import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formats } from 'epitome';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt, root, run } from './kit.ts';

beforeAll(ensureBuilt, 120_000);
const bundled = join(root, 'examples/sessions/reminders.json');

test('the example compacts the bundled session and says what happened', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['examples/session.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/Chat history compressed from \d+ to \d+ tokens\./);
  expect(stdout).toContain('The summary begins:');
});

test('the commands that the example proposes work', async () => {
  const { stdout } = spawnSync(process.execPath, ['examples/session.mjs'], { cwd: root, encoding: 'utf8' });
  const proposed = [...stdout.matchAll(/^ {2}npx epitome (.*)$/gm)].map(([, line = '']) => line.split(' > ')[0] ?? '');
  expect(proposed.length).toBeGreaterThan(2);
  for (const line of proposed.filter((text) => !text.includes('--summarizer'))) {
    expect(await run(line.split(' '))).toMatchObject({ code: 0 });
  }
});

test('the bundled session breaks no rule of its format', () => {
  expect(formats['openai-chat'].validate(JSON.parse(readFileSync(bundled, 'utf8')))).toEqual([]);
});
