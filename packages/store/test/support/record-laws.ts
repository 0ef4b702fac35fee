import { compact, FORMAT_NAMES, type LogRecord, PRESET_NAMES, presets } from 'epitome';
import { builders, renderScript, soundScriptArbitrary } from 'epitome/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BranchOutcome, compactBranch as compactStored, type Log, type Overtaken } from '../../src/index.ts';
import type { Subject } from './subject.ts';
import { compactBranch, exchange, exchanges, fullView, shown } from './world.ts';

const parsed = (natives: readonly string[]): readonly unknown[] => natives.map((native): unknown => JSON.parse(native));

/** Laws 29 to 31, and the bounded view. */
export function recordLaws(subject: Subject): void {
  const { store, newTenant } = subject;
  const started = async (count: number): Promise<{ log: Log; conversation: string }> => {
    const log = store().forTenant(newTenant());
    const { id } = await log.create({ format: 'openai-chat' });
    await log.append({ conversation: id }, exchanges(0, count));
    return { log, conversation: id };
  };

  describe('records', () => {
    test('a published summary is the view, and messages that came meanwhile stand behind it', async () => {
      const { log, conversation } = await started(8);
      const { publication } = await compactBranch(log, { conversation }, async () => {
        await log.append({ conversation }, exchange(8));
      });
      expect(publication).toEqual({ kind: 'published', version: 1 });
      const view = await shown(log, { conversation });
      expect(view.length).toBeLessThan(10);
      expect(view.slice(-2)).toEqual(parsed(exchange(8)));
      expect(await log.messages({ conversation })).toHaveLength(18);
      expect(view).toEqual(await fullView(log, { conversation }));
    });

    test('an append never says that there are none where there are some', async () => {
      const { log, conversation } = await started(8);
      const before = await log.append({ conversation }, exchange(8));
      expect(before.records).not.toBe('some');
      await compactBranch(log, { conversation });
      const after = await log.append({ conversation }, exchange(9));
      expect(after.records).not.toBe('none');
    });

    test('of two computed from one state the second is superseded and changes nothing', async () => {
      const { log, conversation } = await started(8);
      let computed = 0;
      let allComputed: () => void = () => {};
      const together = new Promise<void>((resolve) => {
        allComputed = resolve;
      });
      // All three have read the branch before any of them publishes.
      const meet = (): Promise<void> => {
        computed += 1;
        if (computed === 3) allComputed();
        return together;
      };
      const outcomes = await Promise.all([1, 2, 3].map(() => compactBranch(log, { conversation }, meet)));
      const kinds = outcomes.map(({ publication }) => publication.kind);
      expect(kinds.filter((kind) => kind === 'published')).toHaveLength(1);
      expect(kinds.filter((kind) => kind === 'superseded')).toHaveLength(2);
      const states = (await log.records({ conversation })).map(({ state }) => state).sort();
      expect(states).toEqual(['completed', 'superseded', 'superseded']);
      expect(await shown(log, { conversation })).toEqual(await fullView(log, { conversation }));
    });

    test('publishing the same record again is publishing it once', async () => {
      const { log, conversation } = await started(8);
      const { snapshot } = await log.workOf({ conversation });
      const { records } = await compactBranch(log, { conversation });
      const again = await log.publish({ conversation }, { snapshot, records });
      expect(again).toEqual({ kind: 'published', version: 1 });
      expect(await log.records({ conversation })).toHaveLength(1);
    });

    describe('a compaction that expects a state', () => {
      const policy = presets.branch({ window: 100_000 });
      type Tried = { readonly done: BranchOutcome | Overtaken; readonly asked: number };

      /** Decides on a compaction, lets something happen, and compacts. */
      const decided = async (log: Log, conversation: string, between: () => Promise<unknown>): Promise<Tried> => {
        const expected = await log.snapshot({ conversation });
        await between();
        let asked = 0;
        const summarizer = async () => {
          asked += 1;
          return { text: 'They went through eight questions.' };
        };
        const done = await compactStored({ log, conversation, policy, cause: 'manual', expected }, { summarizer });
        return { done, asked };
      };

      const changes: readonly (readonly [string, (log: Log, conversation: string) => Promise<unknown>])[] = [
        ['a compaction', (log, conversation) => compactBranch(log, { conversation })],
        ['one on a sibling', (log, conversation) => compactBranch(log, { conversation, branch: 'twin' })],
        ['an undo', (log, conversation) => log.undo({ conversation })],
      ];

      test.each(changes)('asks nobody and notes nothing where %s came since', async (_, change) => {
        const { log, conversation } = await started(8);
        await compactBranch(log, { conversation });
        await log.append({ conversation }, exchanges(8, 16));
        await log.fork({ conversation }, { name: 'twin' });
        let after: readonly unknown[] = [];
        const { done, asked } = await decided(log, conversation, async () => {
          await change(log, conversation);
          after = [await log.records({ conversation }), await shown(log, { conversation })];
        });
        expect(done).toEqual({ publication: { kind: 'superseded', version: 2 } });
        expect(asked).toBe(0);
        expect([await log.records({ conversation }), await shown(log, { conversation })]).toEqual(after);
      });

      test('begins where only messages came since, and attempts that came to nothing', async () => {
        const { log, conversation } = await started(8);
        const { done, asked } = await decided(log, conversation, async () => {
          await log.append({ conversation }, exchange(8));
          await log.begin({ conversation }, 'r-1');
          await log.abandon(conversation, 'r-1');
        });
        expect([done.publication, asked]).toEqual([{ kind: 'published', version: 1 }, 1]);
      });
    });

    test('keep what is given beside them, and every id they cover', async () => {
      const { log, conversation } = await started(8);
      const { input, snapshot } = await log.workOf({ conversation });
      const { records: made } = await compact({ ...input, policy: 'branch', window: 100_000, cause: 'manual' });
      const details = { model: 'm', promptVersion: '3', cost: { amount: 0.01, currency: 'USD' }, telemetry: { ms: 4 } };
      await log.publish({ conversation }, { snapshot, records: made, details });
      const [entry] = await log.records({ conversation });
      expect(entry).toMatchObject({ state: 'completed', branch: 'main', details });
      expect(entry?.record).toEqual(made[0]);
      expect(await log.findSummaryForBranch({ conversation })).toEqual(entry);
    });

    test('begun and not ended change no view; ending gives them their state', async () => {
      const { log, conversation } = await started(8);
      const snapshot = await log.begin({ conversation }, 'r-1');
      await log.begin({ conversation }, 'r-2');
      expect((await log.records({ conversation })).map(({ state }) => state)).toEqual(['started', 'started']);
      expect(await shown(log, { conversation })).toEqual(parsed(exchanges(0, 8)));
      await log.abandon(conversation, 'r-2');
      const work = await log.workOf({ conversation });
      expect(work.snapshot).toEqual(snapshot);
      const { records } = await compact(
        { ...work.input, policy: 'branch', window: 100_000, cause: 'manual' },
        { newId: () => 'r-1' },
      );
      await log.publish({ conversation }, { snapshot, records });
      const entries = await log.records({ conversation });
      expect(entries.map(({ record, state }) => [record.id, state])).toEqual([
        ['r-2', 'failed'],
        ['r-1', 'completed'],
      ]);
    });

    test('a failed attempt is kept and changes nothing', async () => {
      const { log, conversation } = await started(8);
      const work = await log.workOf({ conversation });
      const { records, status } = await compact(
        { ...work.input, policy: 'snapshot', window: 100_000, cause: 'manual' },
        { summarizer: () => Promise.resolve({ text: '' }) },
      );
      expect(status).toBe('failed-empty-summary');
      await log.publish({ conversation }, { snapshot: work.snapshot, records });
      expect((await log.records({ conversation })).map(({ state }) => state)).toEqual(['failed']);
      expect(await shown(log, { conversation })).toEqual(parsed(exchanges(0, 8)));
      expect((await log.workOf({ conversation })).input.records.map(({ id }) => id)).toEqual(
        records.map(({ id }) => id),
      );
    });

    test('undo peels one after the other, redo puts them back, views are the earlier ones', async () => {
      const { log, conversation } = await started(8);
      const views = [await shown(log, { conversation })];
      await compactBranch(log, { conversation });
      views.push(await shown(log, { conversation }));
      await log.append({ conversation }, exchanges(8, 16));
      await compactBranch(log, { conversation });
      const last = await shown(log, { conversation });
      const more = parsed(exchanges(8, 16));
      await log.undo({ conversation });
      expect(await shown(log, { conversation })).toEqual([...(views[1] ?? []), ...more]);
      expect((await log.records({ conversation })).map(({ state }) => state)).toEqual([
        'completed',
        'undone',
        'completed',
      ]);
      await log.undo({ conversation });
      expect(await shown(log, { conversation })).toEqual([...(views[0] ?? []), ...more]);
      await expect(log.undo({ conversation })).rejects.toThrow('The log holds no compaction in force.');
      await log.redo({ conversation });
      await log.redo({ conversation });
      expect(await shown(log, { conversation })).toEqual(last);
      await expect(log.redo({ conversation })).rejects.toThrow('The log holds no undo in force.');
    });

    test('redo takes back no undo behind which something was compacted or restored', async () => {
      const { log, conversation } = await started(8);
      const what = { conversation };
      const { ids } = await log.append(what, exchanges(8, 9));
      await compactBranch(log, what);
      await log.undo(what);
      await compactBranch(log, what);
      const again = await shown(log, what);
      await expect(log.redo(what)).rejects.toMatchObject({ code: 'unknown-record' });
      expect(await shown(log, what)).toEqual(again);
      const covered = (await log.messages(what)).find(({ id }) => !ids.includes(id))?.id ?? '';
      await log.restore(what, [covered]);
      await expect(log.redo(what)).rejects.toMatchObject({ code: 'unknown-record' });
      await log.undo(what);
      await log.redo(what);
      const restored = await shown(log, what);
      await expect(log.redo(what)).rejects.toMatchObject({ code: 'unknown-record' });
      expect(await shown(log, what)).toEqual(restored);
    });

    test('restore refuses a message of another branch', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      await log.append({ conversation }, exchanges(0, 9));
      await log.fork({ conversation }, { name: 'other' });
      const { ids } = await log.append({ conversation, branch: 'other' }, exchanges(20, 21));
      await log.append({ conversation }, exchanges(9, 11));
      await compactBranch(log, { conversation });
      await expect(log.restore({ conversation }, ids)).rejects.toThrow('is on another branch; restore it there');
    });

    test('restore brings chosen messages back with their counterparts; undo hides them again', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const { call, result, user } = builders['openai-chat'];
      const middle = [
        user('look it up'),
        call('c1', 'read', { path: 'a' }),
        result('c1', 'read', 'the answer is 42 '.repeat(40)),
      ];
      const natives = [...exchanges(0, 3), ...middle.map((native) => JSON.stringify(native)), ...exchanges(3, 9)];
      const { ids } = await log.append({ conversation }, natives);
      const { records } = await compactBranch(log, { conversation });
      const compacted = await shown(log, { conversation });
      await log.restore({ conversation }, [ids[8] ?? '']);
      const restored = await shown(log, { conversation });
      // The summary needs no acknowledgement in front of a call.
      expect(restored).toHaveLength(compacted.length + 2 - 1);
      expect(restored).toEqual(expect.arrayContaining(middle.slice(1)));
      expect(restored).toEqual(await fullView(log, { conversation }));
      expect(await log.expand(conversation, records[0]?.id ?? '')).not.toHaveLength(0);
      await log.undo({ conversation });
      expect(await shown(log, { conversation })).toEqual(compacted);
      await log.redo({ conversation });
      expect(await shown(log, { conversation })).toEqual(restored);
      await expect(log.restore({ conversation }, [ids.at(-1) ?? ''])).rejects.toThrow('in view already');
      await expect(log.restore({ conversation }, ['nobody'])).rejects.toThrow('no message "nobody"');
    });

    test('restore is refused for no cache marks, which clients had moved on with every turn (A9)', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'anthropic' });
      const marked = exchanges(0, 20).map((native) => {
        const { role, content: text } = JSON.parse(native);
        const mark = role === 'user' ? { cache_control: { type: 'ephemeral' } } : {};
        return JSON.stringify({ role, content: [{ type: 'text', text, ...mark }] });
      });
      const { ids } = await log.append({ conversation }, marked.slice(0, 24));
      await compactBranch(log, { conversation });
      await log.append({ conversation }, marked.slice(24));
      const compacted = await shown(log, { conversation });
      await log.restore({ conversation }, [ids[0] ?? '']);
      const restored = await shown(log, { conversation });
      expect(restored).toHaveLength(compacted.length + 1);
      expect(restored).toContainEqual(JSON.parse(marked[0] ?? ''));
    });

    test('history tells what went into a summary, expand gives all it stands for', async () => {
      const { log, conversation } = await started(8);
      const made: LogRecord[] = [];
      for (let round = 0; round < 3; round += 1) {
        made.push(...(await compactBranch(log, { conversation })).records);
        await log.append({ conversation }, exchanges(10 * round + 10, 10 * round + 16));
      }
      const last = made.at(-1)?.id ?? '';
      const history = await log.history(conversation, last);
      expect(history.map(({ record }) => record.id)).toEqual(made.map(({ id }) => id));
      const covered = history.flatMap(({ record }) => (record.kind === 'compaction' ? record.covers : []));
      const expanded = await log.expand(conversation, last);
      expect(expanded.map(({ id }) => id)).toEqual(covered);
      const all = await log.messages({ conversation });
      expect(expanded.map(({ native }) => native)).toEqual(all.slice(0, covered.length).map(({ native }) => native));
      await expect(log.history(conversation, 'none')).rejects.toThrow('no record "none"');
    });

    boundedViews(subject);
  });
}

function boundedViews({ store, newTenant, runs }: Subject): void {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 6 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('compact' as const),
        policy: fc.constantFrom(...PRESET_NAMES),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('redo' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('fork' as const), at: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), at: fc.nat() }) },
  );
  const script = soundScriptArbitrary({ maxSteps: 24 });

  test('a view that reads only what it shows is the projection of the whole branch', async () => {
    const property = fc.asyncProperty(
      script,
      fc.constantFrom(...FORMAT_NAMES),
      fc.array(step, { minLength: 3, maxLength: 14 }),
      async (conversationScript, format, steps) => {
        const natives = renderScript(conversationScript, format).messages.map((native) => JSON.stringify(native));
        const log = store().forTenant(newTenant());
        const { id: conversation } = await log.create({ format });
        const branches = ['main'];
        let next = 0;
        for (const each of steps) {
          const ref = { conversation, branch: branches.at(-1) ?? 'main' };
          switch (each.kind) {
            case 'append': {
              await log.append(ref, natives.slice(next, next + each.count));
              next += each.count;
              break;
            }
            case 'compact': {
              const { snapshot, input } = await log.workOf(ref);
              const { records } = await compact({
                ...input,
                policy: each.policy as 'branch',
                window: 4_000,
                cause: 'manual',
              });
              await log.publish(ref, { snapshot, records });
              break;
            }
            case 'fork': {
              const { length } = await log.messages(ref);
              const at = (await log.messages(ref))[each.at % Math.max(1, length)]?.id;
              const name = `f${branches.length}`;
              await log.fork(ref, { name, ...(at === undefined ? {} : { at }) });
              branches.push(name);
              break;
            }
            case 'restore': {
              const all = await log.messages(ref);
              const chosen = all[each.at % Math.max(1, all.length)]?.id;
              if (chosen !== undefined) await log.restore(ref, [chosen]).catch(ignoreRefusal);
              break;
            }
            case 'undo':
            case 'redo':
              await log[each.kind](ref).catch(ignoreRefusal);
              break;
            default:
              each satisfies never;
          }
        }
        for (const branch of branches) {
          const view = await shown(log, { conversation, branch });
          expect(view).toEqual(await fullView(log, { conversation, branch }));
        }
      },
    );
    await fc.assert(property, { numRuns: runs });
  });
}

function ignoreRefusal(error: unknown): void {
  const code = (error as { code?: string }).code;
  if (!['unknown-record', 'cannot-restore', 'bound-reasoning'].includes(code ?? '')) throw error;
}
