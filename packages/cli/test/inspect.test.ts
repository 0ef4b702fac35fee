import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt, root, run, scratch } from './kit.ts';

beforeAll(ensureBuilt, 180_000);
const { file } = scratch();
const fixture = (name: string): string => join(root, 'packages/transcripts/test/fixtures', name);

test('inspect shows turns, tools over time, compactions and what they lost', async () => {
  const { code, stdout } = await run(['inspect', fixture('claude-code-compacted.jsonl'), '--prices', '3,15,0.3,3.75']);
  expect(code).toBe(0);
  for (const words of [
    '12 messages in 3 turns, 3 calls, 1 of them failed',
    'first prompt: Why does parseDate',
    'Tools, with their tokens over time',
    '█',
    'behind message 8, auto',
    '1.2k tokens as reported',
    'lost, and likely to be needed',
    '$',
  ]) {
    expect(stdout).toContain(words);
  }
  expect(stdout).toMatch(/path \d+\/\d+/);
  const { stdout: json } = await run(['inspect', fixture('claude-code-compacted.jsonl'), '--json']);
  const { inspection } = JSON.parse(json);
  expect(inspection).toMatchObject({ source: 'claude-code', messages: 12, turns: 3, calls: 3 });
  expect(inspection.compactions[0].facts.path.total).toBeGreaterThan(inspection.compactions[0].facts.path.kept);
});

test('inspect knows the prices of well-known models, and says when it does not', async () => {
  const known = await run(['inspect', fixture('claude-code.jsonl'), '--model', 'claude-sonnet-4-5']);
  expect(known.stdout).toMatch(/\$\d+\.\d+ for the tokens that were reported/);
  expect((await run(['inspect', fixture('claude-code.jsonl')])).stdout).toContain(
    'no prices are known for claude-test-1',
  );
  expect(await run(['inspect', fixture('claude-code.jsonl'), '--prices', '3'])).toMatchObject({ code: 2 });
});

const withModels = (...models: readonly string[]): string => {
  let answers = 0;
  const text = readFileSync(fixture('pi.jsonl'), 'utf8').replaceAll('claude-test-1', () => {
    answers += 1;
    return models[answers % models.length] ?? '';
  });
  return file(`${models.join('-')}.jsonl`, text);
};

test('a session with several models is priced by each request’s own', async () => {
  const costOf = async (name: string): Promise<number> => {
    const { costs } = JSON.parse((await run(['inspect', name, '--json'])).stdout);
    return costs.reported.total;
  };
  const [opus, haiku] = [await costOf(withModels('claude-opus-4-5')), await costOf(withModels('claude-haiku-4-5'))];
  const mixed = await costOf(withModels('claude-opus-4-5', 'claude-haiku-4-5'));
  expect(mixed).toBeGreaterThan(haiku);
  expect(mixed).toBeLessThan(opus);
  const { stdout } = await run(['inspect', withModels('claude-opus-4-5', 'claude-test-9')]);
  expect(stdout).toMatch(/reported: claude-opus-4-5 \$[\d.]+, no prices\s+are known for claude-test-9/);
});

test('the window is that of the model where the table has it; an option comes first', async () => {
  const session = withModels('claude-haiku-4-5');
  const windowOf = async (...args: readonly string[]): Promise<unknown> => {
    const { stdout, stderr } = await run(['plan', session, '--json', ...args]);
    return [JSON.parse(stdout).window, stderr.split('\n').find((line) => line.startsWith('window'))];
  };
  expect(await windowOf()).toEqual([
    200_000,
    'window of 200000 tokens, that of claude-haiku-4-5; --window sets another',
  ]);
  expect(await windowOf('-m', 'openai/gpt-4o')).toEqual([128_000, expect.stringContaining('that of openai/gpt-4o')]);
  expect(await windowOf('-m', 'nobody-1')).toEqual([
    128_000,
    expect.stringContaining('nobody-1 unknown, assuming 128k'),
  ]);
  expect(await windowOf('-w', '9k')).toEqual([9000, undefined]);
});

test('broken records are listed with their lines', async () => {
  const lines = readFileSync(fixture('pi.jsonl'), 'utf8').trimEnd().split('\n');
  const broken = file('broken.jsonl', lines.toSpliced(3, 0, '{"type":').join('\n'));
  const { stdout } = await run(['inspect', broken]);
  expect(stdout).toContain('Could not be read:\n  line 4: not JSON: it ends too early; passed over');
});

test.each([80, 40])('at %i columns no line is wider', async (width) => {
  for (const name of ['claude-code-compacted.jsonl', 'pi-branches.jsonl', 'copilot-cli.jsonl']) {
    const { stdout } = await run(['inspect', fixture(name), '-m', 'claude-haiku-4-5'], {
      env: { COLUMNS: String(width) },
    });
    expect(stdout.split('\n').filter((line) => line.length > width)).toEqual([]);
  }
});
