import { readFileSync } from 'node:fs';
import { FORMAT_NAMES, formats } from 'epitome';
import { beforeAll, expect, test } from 'vitest';
import { session } from './conversations.ts';
import { ensureBuilt, run, scratch } from './kit.ts';

const { path } = scratch();

beforeAll(ensureBuilt, 120_000);

test.each(FORMAT_NAMES)('without a preset old results of %s become placeholders first', async (format) => {
  const report = path(`default-${format}.json`);
  const input = JSON.stringify(session(format));
  const { code, stdout } = await run(['compact', '-w', '6k', '--report', report], { input });
  expect(code).toBe(0);
  const told = JSON.parse(readFileSync(report, 'utf8'));
  expect(told).toMatchObject({ status: 'compressed', preset: 'epitome', method: 'mask', reason: 'utilization' });
  expect(told.tokens.after).toBeLessThanOrEqual(2100);
  expect(stdout).toMatch(/kept in the log as \w+/);
  expect(formats[format].validate(JSON.parse(stdout)).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('where placeholders do not do, a digest stands for what is old', async () => {
  const input = JSON.stringify(session('openai-chat'));
  const { stdout, stderr } = await run(['compact', '-w', '6k', '-t', '900'], { input });
  expect(stderr).toContain('digest of the conversation, no model');
  expect(stdout).toContain('<state_snapshot>');
});

test('a conversation far below the limit is compacted when it is asked for', async () => {
  const { stderr } = await run(['compact', '-w', '1m', '--force'], { input: JSON.stringify(session('openai-chat')) });
  expect(stderr).toContain('Chat history compressed from');
});

test('the plan says how many results would become placeholders', async () => {
  const { stdout } = await run(['plan', '-w', '6k'], { input: JSON.stringify(session('openai-chat')) });
  expect(stdout).toMatch(/\d+ tool results would become placeholders, \d+ tokens less\./);
});

test('a request that stays above its window ends with 3, and says what stands in the way', async () => {
  const input = JSON.stringify([{ role: 'user', content: 'read this: '.repeat(2000) }]);
  const { code, stdout, stderr } = await run(['compact', '-w', '2k'], { input });
  expect([code, stdout]).toEqual([3, input]);
  expect(stderr).toContain('a limit cannot be met');
});
