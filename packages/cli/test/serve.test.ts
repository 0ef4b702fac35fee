import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ensureBuilt, root, run } from './kit.ts';

beforeAll(ensureBuilt, 120_000);

const bin = join(root, 'packages/cli/bin/epitome.js');
const folder = mkdtempSync(join(tmpdir(), 'epitome-serve-'));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

async function serving(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
  });
  running.push(child);
  let [out, err] = ['', ''];
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const [, found] = /listens on (http:\S+)/.exec(out) ?? [];
      if (found && out.includes('Ctrl-C')) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${err}`)));
  });
  return { child, url, out: () => out, err: () => err };
}

type Started = {
  readonly child: ChildProcess;
  readonly url: string;
  readonly out: () => string;
  readonly err: () => string;
};

describe('epitome serve', () => {
  test('what npm start does: a store, a bundled session, what to set in a client; Ctrl-C ends it well', async () => {
    const store = join(folder, 'start.db');
    const args = ['--tenant', 'local', '--store', store, '--import', 'examples/sessions/reminders.json'];
    const { child, url, out } = await serving(args);
    for (const name of ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'])
      expect(out()).toContain(`export ${name}=${url}`);
    const listed = (await (await fetch(`${url}/v1/conversations`)).json()) as { conversations: { id: string }[] };
    expect(listed.conversations).toHaveLength(1);
    const id = listed.conversations[0]?.id ?? '';
    const view = await fetch(`${url}/v1/conversations/${encodeURIComponent(id)}/view`);
    expect([view.status, id]).toEqual([200, expect.stringContaining('/')]);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('sends requests on to the upstream it is configured with, and reads its configuration again', async () => {
    const provider = createServer((request, response) => {
      request.resume().on('end', () => response.end(JSON.stringify({ at: request.url })));
    });
    await once(provider.listen(0, '127.0.0.1'), 'listening');
    const { port } = provider.address() as AddressInfo;
    const config = join(folder, 'gateway.yaml');
    const written = (base: string): string =>
      `upstreams:\n  - { name: own, baseUrl: "http://127.0.0.1:${port}${base}", dialects: [openai-chat] }\n`;
    writeFileSync(config, written('/one'));
    const { child, url, err } = await serving(['--config', config, '--store', join(folder, 'config.db')]);
    const ask = async (): Promise<unknown> =>
      (await fetch(`${url}/v1/models`, { headers: { authorization: 'Bearer k' } })).json();
    expect(await ask()).toEqual({ at: '/one/v1/models' });
    writeFileSync(config, written('/two'));
    child.kill('SIGHUP');
    while (!err().includes('config changed')) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await ask()).toEqual({ at: '/two/v1/models' });
    child.kill('SIGTERM');
    await once(child, 'exit');
    provider.close();
  });

  test('a new configuration that cannot be put in force is told, and the old one goes on', async () => {
    const config = join(folder, 'reload.yaml');
    writeFileSync(config, 'log: info\n');
    const store = join(folder, 'reload.db');
    const { child, url, err } = await serving(['--config', config, '--store', store, '--tenant', 'local'], {
      OPENAI_API_KEY: 'sk-none',
    });
    const told = async (written: string): Promise<unknown> => {
      const count = err().split('\n').length;
      writeFileSync(config, written);
      child.kill('SIGHUP');
      while (err().split('\n').length === count) await new Promise((resolve) => setTimeout(resolve, 20));
      return JSON.parse(err().split('\n')[count - 1] ?? '');
    };
    const kept = (...patterns: readonly RegExp[]): unknown =>
      expect.objectContaining({
        message: 'config kept',
        problems: patterns.map((pattern) => expect.stringMatching(pattern)),
      });
    expect(await told('summarizer: clever/model\n')).toEqual(kept(/clever/));
    const keys = `keys: [{ id: a, hash: ${'a'.repeat(64)} }]`;
    const keyed =
      '{ name: own, baseUrl: "https://api.openai.com", dialects: [openai-chat], key: { env: OPENAI_API_KEY } }';
    expect(await told(`${keys}\nupstreams: [${keyed}]\n`)).toEqual(kept(/--tenant/));
    expect(await told('log: loud\nnonsense: 1\n')).toEqual(kept(/reload.yaml:$/, /log/, /nonsense/));
    expect(await told('summarizer: openai/gpt-5-mini\n')).toMatchObject({
      level: 'info',
      restart: [],
      message: 'config changed',
    });
    expect((await fetch(`${url}/v1/conversations`)).status).toBe(200);
  });

  test.each([
    [['--host', '0.0.0.0'], /listen.host is "0.0.0.0"/],
    [['--port', '99999'], /listen.port/],
    [['--config', 'nowhere.yaml'], /nowhere.yaml/],
    [['--summarizer', 'clever'], /no summarizer "clever"/],
    [['--window', 'wide'], /--window/],
    [['--store', 'redis://x'], /no store at redis:.*postgres:/],
    [['--tenant', ''], /--tenant is empty/],
    [['--preset', 'nope'], /"nope"/],
    [['--store', join(folder, 'x.db'), '--log', 'loud'], /log/],
  ])('%j is refused with a sentence', async (args, pattern) => {
    const { code, stderr } = await run(['serve', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(pattern)]);
    expect(stderr).not.toContain('    at ');
  });
});
