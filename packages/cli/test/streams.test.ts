import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { session } from './conversations.ts';
import { binary, ensureBuilt, run, scratch, start } from './kit.ts';
import { type ModelServer, startModelServer } from './server.ts';

beforeAll(ensureBuilt, 120_000);
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
const { path, file } = scratch();

test('a reader that has seen enough ends it quietly', () => {
  const many = file(
    'many.json',
    JSON.stringify(Array.from({ length: 100 }, () => session('anthropic')).flat(), null, 1),
  );
  const shell = `"${process.execPath}" "${binary}" compact "${many}" -w 10m -q | head -1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', shell], { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['[\n0\n', '']);
});

test('a large conversation goes through a pipe whole', async () => {
  const text = JSON.stringify(Array.from({ length: 400 }, () => session('openai-chat')).flat());
  const { stdout } = await run(['compact', '-w', '10m', '-q'], { input: text });
  expect(stdout === text).toBe(true);
});

async function whenStarted(args: readonly string[], env = {}): Promise<ReturnType<typeof start>> {
  const child = start(args, { env });
  child.stdin?.on('error', () => undefined);
  return child;
}

test('an interrupt while a model works ends with 130 and leaves nothing half', async () => {
  server.play({ kind: 'hang' });
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${server.url}/v1` };
  const input = file('interrupted.json', session('openai-chat'));
  const args = [
    'compact',
    input,
    '--force',
    '--summarizer',
    'openai/m',
    '-o',
    path('o.json'),
    '--report',
    path('r.json'),
  ];
  const child = await whenStarted(args, env);
  const ended = new Promise((resolve) => child.on('close', resolve));
  while (server.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect([existsSync(path('o.json')), existsSync(path('r.json'))]).toEqual([false, false]);
});

test('an interrupt while the input is open ends with 130', async () => {
  const child = await whenStarted(['compact']);
  const ended = new Promise((resolve) => child.on('close', resolve));
  // More than a pipe holds: once it is gone, the command is reading.
  await new Promise((resolve) => child.stdin?.write(' '.repeat(1_000_000), resolve));
  child.kill('SIGINT');
  expect(await ended).toBe(130);
});

test('a terminal without input is a mistake, not a wait', (context) => {
  const shell = `command -v script > /dev/null || exit 77; script -qec '"${process.execPath}" "${binary}" compact' /dev/null`;
  const { status, stdout } = spawnSync('bash', ['-c', shell], { encoding: 'utf8' });
  if (status === 77) context.skip('there is no script command to make a terminal with');
  expect(stdout).toContain('No input: name a file');
  expect(status).toBe(2);
});

test('a terminal sees how long the model works, and the line is gone afterwards', (context) => {
  const input = file('watched.json', session('openai-chat'));
  const command = `"${process.execPath}" "${binary}" compact "${input}" --force --summarizer openai-compatible/m --timeout 5`;
  const shell = `command -v script > /dev/null || exit 77; script -qec '${command}' /dev/null`;
  const env = { ...process.env, OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1' };
  const { status, stdout } = spawnSync('bash', ['-c', shell], { encoding: 'utf8', env });
  if (status === 77) context.skip('there is no script command to make a terminal with');
  const shown = stdout.split('\r\u001b[K');
  expect(shown).toContain('summarizing… 1 s');
  expect(shown.at(-1)).not.toContain('summarizing');
  expect(status).toBe(0);
});
