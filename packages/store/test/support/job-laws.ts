import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Attempt, Jobs, JobsOptions } from '../../src/index.ts';

/** What a queue of jobs must do, whatever it is made of. */
export function jobLaws(open: (options?: JobsOptions) => Promise<Jobs>): void {
  const until = async (isDone: () => boolean | Promise<boolean>): Promise<void> => {
    for (let waited = 0; waited < 20_000; waited += 20) {
      if (await isDone()) return;
      await sleep(20);
    }
    throw new Error('it did not happen within 20 s');
  };
  let count = 0;
  const newConversation = (): string => `c${++count}`;

  describe('jobs', () => {
    test('run with what they were given, and are gone', async () => {
      const jobs = await open();
      const seen: Attempt[] = [];
      await jobs.startWorker(async (job) => void seen.push(job));
      const conversation = newConversation();
      await jobs.enqueue({ tenant: 't', conversation, payload: { cause: 'automatic' } });
      await until(() => seen.length > 0);
      await sleep(300);
      const job = {
        tenant: 't',
        conversation,
        branch: 'main',
        payload: { cause: 'automatic' },
        attempt: 1,
        isLast: false,
      };
      expect(seen).toEqual([job]);
      await jobs.close();
    });

    test('of a queue that is closed are refused as such, and closing it again is closing it once', async () => {
      const jobs = await open();
      await jobs.close();
      await jobs.close();
      const job = { tenant: 't', conversation: newConversation() };
      for (const asked of [jobs.enqueue(job), jobs.list(), jobs.startWorker(async () => {})]) {
        await expect(asked).rejects.toMatchObject({ code: 'closed' });
      }
    });

    test('that end while their worker is stopped are done, and do not run again', async () => {
      const jobs = await open();
      const conversation = newConversation();
      let runs = 0;
      const worker = await jobs.startWorker(async (job) => {
        if (job.conversation !== conversation) return;
        runs += 1;
        await sleep(400);
      });
      await jobs.enqueue({ tenant: 't', conversation });
      await until(() => runs === 1);
      await worker.stop();
      await jobs.close();
      const again = await open();
      expect((await again.list()).filter((job) => job.conversation === conversation)).toEqual([]);
      await again.close();
    });

    test('asked for while the last try of another fails begin anew', async () => {
      const jobs = await open({ maxAttempts: 1 });
      const conversation = newConversation();
      const seen: unknown[] = [];
      await jobs.startWorker(async (job) => {
        if (job.conversation !== conversation) return;
        seen.push(job.payload);
        if (job.payload !== 'first') return;
        await jobs.enqueue({ tenant: 't', conversation, payload: 'second' });
        throw new Error('no');
      });
      await jobs.enqueue({ tenant: 't', conversation, payload: 'first' });
      await until(() => seen.length === 2);
      expect(seen).toEqual(['first', 'second']);
      await jobs.close();
    });

    test('of one branch never run at the same time, whoever works; those of others do', async () => {
      const [one, two] = [await open(), await open()];
      const running = new Map<string, number>();
      let most = 0;
      let overlaps = 0;
      let done = 0;
      const handler = async ({ conversation }: Attempt): Promise<void> => {
        running.set(conversation, (running.get(conversation) ?? 0) + 1);
        if ((running.get(conversation) ?? 0) > 1) overlaps += 1;
        most = Math.max(most, [...running.values()].filter((each) => each > 0).length);
        await sleep(60);
        running.set(conversation, (running.get(conversation) ?? 0) - 1);
        done += 1;
      };
      for (const jobs of [one, two]) await jobs.startWorker(handler, { concurrency: 3 });
      const conversations = [newConversation(), newConversation(), newConversation()];
      for (let round = 0; round < 6; round += 1) {
        for (const conversation of conversations) await one.enqueue({ tenant: 't', conversation });
        await sleep(30);
      }
      await until(() => done >= 3);
      await sleep(800);
      expect(overlaps).toBe(0);
      expect(most).toBeGreaterThan(1);
      expect(done).toBeLessThanOrEqual(18);
      await one.close();
      await two.close();
    });

    test('asked for often while they wait are one job; one asked for while it runs runs again', async () => {
      const jobs = await open();
      const conversation = newConversation();
      for (let round = 1; round <= 5; round += 1) await jobs.enqueue({ tenant: 't', conversation, payload: round });
      const seen: unknown[] = [];
      await jobs.startWorker(async ({ payload }) => {
        seen.push(payload);
        if (payload === 5) await jobs.enqueue({ tenant: 't', conversation, payload: 6 });
        await sleep(50);
      });
      await until(() => seen.length >= 2);
      await sleep(500);
      expect(seen).toEqual([5, 6]);
      await jobs.close();
    });

    test('that fail are tried again later, and rest in the end with their error', async () => {
      const jobs = await open({ maxAttempts: 2 });
      const conversation = newConversation();
      const times: number[] = [];
      const isLast: boolean[] = [];
      await jobs.startWorker(async ({ attempt, isLast: isLastOne }) => {
        times.push(performance.now());
        isLast.push(isLastOne);
        throw new Error(`no luck ${attempt}`);
      });
      await jobs.enqueue({ tenant: 't', conversation });
      const own = async () => (await jobs.list()).filter((job) => job.conversation === conversation);
      await until(async () => (await own())[0]?.error === 'no luck 1');
      expect((await own())[0]).toMatchObject({ state: 'waiting', attempts: 1, dueAt: expect.any(Number) });
      await until(async () => (await own())[0]?.state === 'dead');
      const [dead] = await own();
      expect(dead).toMatchObject({ tenant: 't', conversation, branch: 'main', attempts: 2 });
      expect(isLast).toEqual([false, true]);
      expect(dead?.error).toContain('no luck 2');
      expect(times).toHaveLength(2);
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(300);
      await jobs.enqueue({ tenant: 't', conversation });
      await until(async () => times.length >= 3);
      await jobs.close();
    });

    test('under way are finished when a worker stops, and no other is begun', async () => {
      const jobs = await open();
      const [first, second] = [newConversation(), newConversation()];
      const seen: string[] = [];
      let isDone = false;
      const worker = await jobs.startWorker(
        async ({ conversation }) => {
          seen.push(conversation);
          await sleep(300);
          isDone = true;
        },
        { concurrency: 1 },
      );
      await jobs.enqueue({ tenant: 't', conversation: first });
      await until(() => seen.length > 0);
      await jobs.enqueue({ tenant: 't', conversation: second });
      await worker.stop();
      expect({ isDone, seen }).toEqual({ isDone: true, seen: [first] });
      await jobs.close();
    });
  });
}
