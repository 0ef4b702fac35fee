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

test('a program that noted its last request alone made as many as there are answers', async () => {
  const answers = Array.from({ length: 30 }, (_, at) => [
    { message: { text: { role: 'User', content: `Step ${at}` } } },
    { message: { text: { role: 'Assistant', content: `Done with ${at}.`, model: 'claude-sonnet-4-5' } } },
  ]).flat();
  const usage = { prompt_tokens: 9000, completion_tokens: 40, cached_tokens: 0 };
  const messages = answers.map((answer, at) => (at === answers.length - 1 ? { ...answer, usage } : answer));
  const whole = { id: 'c-1', context: { conversation_id: 'c-1', messages } };
  const { stdout } = await run(['inspect', file('last-request.json', whole), '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ inspection: { answers: 30, requests: 1 }, costs: { calls: 30 } });
});

test('where a large window is never filled, the cost of compacting earlier is told', async () => {
  const long = 'A line of output that nobody will ever read again. '.repeat(400);
  const messages = Array.from({ length: 60 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${index} ${long}`,
  }));
  const session = file('long.json', messages);
  const args = ['inspect', session, '--prices', '3,15,0.3,3.75', '--window', '1m'];
  const { costs } = JSON.parse((await run([...args, '--json'])).stdout);
  expect(costs).toMatchObject({ compactions: 0, window: 1_000_000, cheapest: { window: expect.any(Number) } });
  const { window, compacted } = costs.cheapest;
  expect(compacted).toBeLessThan(costs.plain);
  // What is told for it is what asking for that window gives.
  const asked = JSON.parse((await run([...args.slice(0, -1), String(window), '--json'])).stdout);
  expect(asked.costs).toMatchObject(costs.cheapest);
  expect((await run(args)).stdout).toMatch(/would not compact: .*\n.* already \(--window \d+k\): \d+% less/);
});

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

test('of a path the end is shown, and the folder of the session goes without saying', async () => {
  const folder = '/home/ada/dates';
  const far = `/elsewhere/${'deep/'.repeat(20)}parser.ts`;
  const text = readFileSync(fixture('claude-code.jsonl'), 'utf8')
    .replaceAll('"src/date.ts"', `"${folder}/src/date.ts"`)
    .replaceAll('"lib"', `"${far}"`);
  const { stdout } = await run(['inspect', file('paths.jsonl', text)], { env: { COLUMNS: '40' } });
  expect(stdout).toMatch(/ {2}src\/date\.ts$/m);
  expect(stdout).toMatch(/ {2}….*deep\/parser\.ts$/m);
  expect(stdout).not.toContain(`${folder}/src`);
});

test.each([80, 40])('at %i columns no line is wider', async (width) => {
  for (const name of ['claude-code-compacted.jsonl', 'pi-branches.jsonl', 'copilot-cli.jsonl']) {
    const { stdout } = await run(['inspect', fixture(name), '-m', 'claude-haiku-4-5'], {
      env: { COLUMNS: String(width) },
    });
    expect(stdout.split('\n').filter((line) => line.length > width)).toEqual([]);
  }
});
