import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type FormatName, type Outcome, presets, type Summarizer } from 'epitome';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type BranchOutcome,
  compactBranch,
  compactionHandler,
  type Log,
  memoryStore,
  openJobs,
  openStore,
  type Store,
} from '../src/index.ts';
import { exchanges, linesOf, shown } from './support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'epitome-work-'));
afterAll(() => rmSync(folder, { recursive: true }));

const writes: Summarizer = () =>
  Promise.resolve({ text: 'They went through eight questions.', usage: { inputTokens: 1000, outputTokens: 100 } });
const fails: Summarizer = () => Promise.reject(new Error('503'));

async function filled(
  store: Store = memoryStore(),
  count = 40,
  format: FormatName = 'openai-chat',
): Promise<{ store: Store; log: Log }> {
  const log = store.forTenant('t');
  await log.create({ format, id: 'c' });
  await log.append({ conversation: 'c' }, exchanges(0, count));
  return { store, log };
}

describe('compacting a stored branch', () => {
  const policy = presets.epitome({ window: 8_000 });
  const manual = { conversation: 'c', policy, cause: 'manual' } as const;

  describe('while the conversation goes on', () => {
    const thinking = { type: 'thinking', thinking: 'I look.', signature: 's' };
    const answer = { role: 'assistant', content: [thinking, { type: 'text', text: 'Done.' }] };
    const step = { role: 'assistant', content: [thinking, { type: 'tool_use', id: 'u1', name: 'run', input: {} }] };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'u1', content: 'ok' }] };

    async function compactedBehind(later: readonly unknown[]): Promise<{ done: BranchOutcome; view: string }> {
      const log = memoryStore().forTenant('t');
      await log.create({ format: 'anthropic', id: 'c' });
      await log.append({ conversation: 'c' }, exchanges(0, 40));
      const summarizer: Summarizer = async (brief, signal) => {
        await log.append(
          { conversation: 'c' },
          later.map((native) => JSON.stringify(native)),
        );
        return writes(brief, signal);
      };
      const done = await compactBranch({ ...manual, log }, { summarizer });
      const { entries } = await log.viewOf({ conversation: 'c' });
      return { done, view: entries.map(({ native }) => native).join('\n') };
    }

    test('thinking that was written meanwhile does not stand behind the summary', async () => {
      const { done, view } = await compactedBehind([{ role: 'user', content: 'Go on.' }, answer]);
      expect(done.publication?.kind).toBe('published');
      expect(view).toContain('eight questions');
      expect(view).toContain('Done.');
      expect(view).not.toContain('signature');
    });

    test('nothing is published into a turn whose thinking must stay', async () => {
      const { done, view } = await compactedBehind([{ role: 'user', content: 'Go on.' }, step, result]);
      expect(done.publication).toBeUndefined();
      expect(view).not.toContain('eight questions');
      expect(view).toContain('signature');
    });
  });

  test('a message that came between the last look and the publication keeps no thinking behind the summary', async () => {
    const { log } = await filled(memoryStore(), 40, 'anthropic');
    const thinking = { type: 'thinking', thinking: 'I look.', signature: 's' };
    const answer = { role: 'assistant', content: [thinking, { type: 'text', text: 'Done.' }] };
    const publish: Log['publish'] = async (ref, input) => {
      await log.append(
        ref,
        [{ role: 'user', content: 'Go on.' }, answer].map((native) => JSON.stringify(native)),
      );
      return log.publish(ref, input);
    };
    await compactBranch({ ...manual, log: { ...log, publish } }, { summarizer: writes });
    const view = JSON.stringify(await shown(log, { conversation: 'c' }));
    expect(view).toContain('eight questions');
    expect(view).toContain('Done.');
    expect(view).not.toContain('signature');
  });

  test('keeps in the record who wrote it, by which prompt, for how much, and the facts, through export and import', async () => {
    const { log } = await filled();
    const price = { input: 3, output: 15, currency: 'USD' };
    const telemetry = ({ status }: Outcome) => ({ event: 'chat_compression', status });
    const work = { ...manual, log, model: 'm-1', price, telemetry };
    const { publication } = await compactBranch(work, { summarizer: writes });
    expect(publication?.kind).toBe('published');
    const [entry] = await log.records({ conversation: 'c' });
    expect(entry).toMatchObject({
      state: 'completed',
      record: { method: 'model', text: expect.stringContaining('eight questions'), facts: { newest: 63 } },
      details: {
        model: 'm-1',
        promptVersion: expect.stringMatching(/^epitome-[0-9a-f]{12}$/),
        cost: { amount: 0.0045, currency: 'USD' },
        telemetry: {
          durationMs: expect.any(Number),
          trigger: { reason: 'forced' },
          event: 'chat_compression',
          status: 'compressed',
        },
      },
    });
    const other = memoryStore().forTenant('t');
    await other.import(await linesOf(log));
    const [copy] = await other.records({ conversation: 'c' });
    expect({ ...copy, seq: 0 }).toEqual({ ...entry, seq: 0 });
    expect(await log.workOf({ conversation: 'c' }).then(({ input }) => input.records)).toMatchObject([
      { facts: { newest: 63 } },
    ]);
  });

  test('notes nothing where nothing is due', async () => {
    const { log } = await filled();
    const { outcome, publication } = await compactBranch({ ...manual, log, cause: 'automatic' });
    expect([outcome.status, publication]).toEqual(['noop', undefined]);
    expect(await log.records({ conversation: 'c' })).toEqual([]);
  });

  test('is noted while it runs; of two the later one is superseded and the view is one of them', async () => {
    const { log } = await filled();
    const states: string[] = [];
    const during: Summarizer = async (brief, signal) => {
      states.push(...(await log.records({ conversation: 'c' })).map(({ state }) => state));
      await compactBranch({ ...manual, log });
      return writes(brief, signal);
    };
    const { publication } = await compactBranch({ ...manual, log }, { summarizer: during });
    expect([states, publication?.kind]).toEqual([['started'], 'superseded']);
    const entries = await log.records({ conversation: 'c' });
    expect(entries.map(({ state }) => state).sort()).toEqual(['completed', 'superseded']);
  });

  test('that is aborted, or degraded where that is not wanted, leaves the view and says why', async () => {
    const { log } = await filled();
    const before = await shown(log, { conversation: 'c' });
    const abort = new AbortController();
    const stopping: Summarizer = () => {
      abort.abort(new Error('enough'));
      return Promise.reject(new Error('never mind'));
    };
    await expect(compactBranch({ ...manual, log }, { summarizer: stopping }, abort.signal)).rejects.toThrow('enough');
    const whole = { ...manual, log, whenDegraded: 'throw' } as const;
    await expect(compactBranch(whole, { summarizer: fails })).rejects.toThrow('gave nothing that could be used');
    expect(await shown(log, { conversation: 'c' })).toEqual(before);
    const entries = await log.records({ conversation: 'c' });
    expect(entries.map(({ state, details }) => [state, details.error])).toEqual([
      ['failed', 'enough'],
      ['failed', expect.stringContaining('summarizer-failed')],
    ]);
    expect((await log.workOf({ conversation: 'c' })).input.records).toEqual([]);
  });
});

describe('a worker', () => {
  const location = { kind: 'sqlite', path: join(folder, 'own', 'deep', 'epitome.db') } as const;

  test('tries again where the summarizer failed, does without it in the end, and passes over what was forgotten', async () => {
    const { store, log } = await filled(await openStore(location));
    const jobs = await openJobs(location, { maxAttempts: 2 });
    const ends: (BranchOutcome | 'gone')[] = [];
    const policyOf = () => presets.branch({ window: 100_000 });
    const handler = compactionHandler({ store, policyOf, onEnd: (_, end) => ends.push(end) }, { summarizer: fails });
    await jobs.enqueue({ tenant: 't', conversation: 'c', payload: { cause: 'manual', goal: 7 } });
    await jobs.enqueue({ tenant: 't', conversation: 'forgotten' });
    await jobs.startWorker(handler);
    await expect.poll(() => ends.length, { timeout: 10_000 }).toBe(2);
    expect(ends[0]).toBe('gone');
    expect(ends[1]).toMatchObject({ outcome: { degraded: true }, publication: { kind: 'published' } });
    await expect.poll(() => jobs.list()).toEqual([]);
    const states = (await log.records({ conversation: 'c' })).map(({ state }) => state);
    expect(states).toEqual(['failed', 'completed']);
    await jobs.close();
    await store.close();
  });

  test('finds a folder and a file that belong to their user alone', () => {
    expect(statSync(location.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(location.path)).mode & 0o777).toBe(0o700);
  });
});
