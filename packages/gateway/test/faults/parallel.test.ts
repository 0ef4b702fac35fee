import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '@epitome/store/sqlite';
import { expect, test } from 'vitest';
import { hashOf } from '../../src/config/load.ts';
import { answerOf, ask, historyOf, type Running, run, userOf } from './running.ts';

const TENANT = `key-${hashOf('test-key').slice(0, 32)}`;

async function onDisk(work: (running: Running) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'epitome-parallel-'));
  const running = await run({
    store: await sqliteStore(join(folder, 'e.db')),
    yaml: 'policies: [{ window: 6000 }]',
    upstream: { window: 6000 },
  });
  try {
    await work(running);
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('64 requests at once on one conversation: each its own branch, no turn lost, one compaction', async () => {
  await onDisk(async ({ url, upstream, store }) => {
    const base = historyOf('openai-chat', 30, 'the fork');
    expect((await ask(url, 'openai-chat', { messages: base })).status).toBe(200);
    const log = store.forTenant(TENANT);
    const [conversation] = await log.conversations();
    const before = (await log.records({ conversation: conversation?.id ?? '' })).length;
    const grown = [...base, answerOf('openai-chat', 'An answer.')];
    const responses = await Promise.all(
      Array.from({ length: 64 }, (_, at) =>
        ask(url, 'openai-chat', { messages: [...grown, userOf('openai-chat', `try ${at}`)] }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(upstream.refused()).toEqual([]);
    expect(upstream.requests.filter(({ verdict }) => verdict !== 'answered')).toEqual([]);
    expect(await log.conversations()).toHaveLength(1);
    const branches = await log.branches(conversation?.id ?? '');
    const tips = await Promise.all(
      branches.map(({ name }) => log.messages({ conversation: conversation?.id ?? '', branch: name })),
    );
    const last = new Set(tips.map((messages) => messages.at(-1)?.native));
    for (let at = 0; at < 64; at += 1) expect(last).toContain(JSON.stringify(userOf('openai-chat', `try ${at}`)));
    const compactions = (await log.records({ conversation: conversation?.id ?? '' })).filter(
      ({ state }) => state === 'completed',
    );
    expect(compactions.length).toBeLessThanOrEqual(before + 1);
    // Everybody was shown the same past: prompt caches live.
    const pasts = upstream.requests.slice(-64).map(({ units }) =>
      units
        .slice(0, -1)
        .map(({ text }) => text)
        .join('\n'),
    );
    expect(new Set(pasts).size).toBe(1);
  });
});

test('64 times the same request at once is one turn', async () => {
  await onDisk(async ({ url, store, upstream }) => {
    const messages = historyOf('anthropic', 40, 'the same');
    const responses = await Promise.all(Array.from({ length: 64 }, () => ask(url, 'anthropic', { messages })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const log = store.forTenant(TENANT);
    expect(await log.conversations()).toHaveLength(1);
    const [conversation] = await log.conversations();
    const branches = await log.branches(conversation?.id ?? '');
    expect(branches.map(({ length }) => length)).toEqual([81]);
    const records = await log.records({ conversation: conversation?.id ?? '' });
    expect(records.filter(({ state }) => state === 'completed')).toHaveLength(1);
    expect(new Set(upstream.requests.map(({ raw }) => raw.toString())).size).toBe(1);
  });
});

test('two tenants with the very same words share nothing', async () => {
  await onDisk(async ({ url, store }) => {
    const messages = historyOf('openai-chat', 30, 'whose?');
    const keys = ['alice-key', 'bob-key'];
    const answers = await Promise.all(
      keys.map((key) => ask(url, 'openai-chat', { messages, headers: { authorization: `Bearer ${key}` } })),
    );
    const ids = answers.map((response) => response.headers.get('x-epitome-conversation'));
    expect(new Set(ids).size).toBe(2);
    for (const [at, key] of keys.entries()) {
      const own = await store.forTenant(`key-${hashOf(key).slice(0, 32)}`).conversations();
      expect(own.map(({ id }) => id)).toEqual([ids[at]]);
      const foreign = await fetch(`${url}/v1/conversations/${ids[1 - at]}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(foreign.status).toBe(404);
    }
  });
});
