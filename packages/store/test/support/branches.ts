import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../src/index.ts';
import type { Subject } from './subject.ts';
import { compactBranch, exchange, exchanges, fullView, shown } from './world.ts';

/** Laws 23, 31 and 38. */
export function branchLaws({ store, newTenant }: Subject): void {
  describe('branches', () => {
    test('share what is in front of a fork and nothing behind it', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const { ids } = await log.append({ conversation }, exchanges(0, 6));
      const at = ids[5] ?? '';
      const fork = await log.fork({ conversation }, { name: 'other', at });
      expect(fork).toEqual({ name: 'other', tip: at, length: 6, version: 0 });
      await log.append({ conversation, branch: 'other' }, exchange(50));
      await log.append({ conversation }, exchange(6));
      const texts = async (branch: string) =>
        (await log.messages({ conversation, branch })).map(({ native }) => native);
      expect(await texts('other')).toEqual([...exchanges(0, 3), ...exchange(50)]);
      expect(await texts('main')).toEqual(exchanges(0, 7));
      await log.fork({ conversation, branch: 'other' }, { name: 'third', at: ids[1] ?? '' });
      await log.append({ conversation, branch: 'third' }, exchange(60));
      expect(await texts('third')).toEqual([...exchanges(0, 1), ...exchange(60)]);
      expect((await log.branches(conversation)).map(({ name }) => name).sort()).toEqual(['main', 'other', 'third']);
    });

    test('a branch that becomes the main one changes names with it, and nothing computed before goes through', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const { ids } = await log.append({ conversation }, exchanges(0, 6));
      await log.fork({ conversation }, { name: 'other', at: ids[3] ?? '' });
      await log.append({ conversation, branch: 'other' }, exchanges(50, 60));
      const [main, other] = [await shown(log, { conversation }), await shown(log, { conversation, branch: 'other' })];
      const between = async (): Promise<void> => {
        expect(await log.promote({ conversation, branch: 'other' })).toMatchObject({ name: 'main', length: 24 });
      };
      const { publication } = await compactBranch(log, { conversation }, between);
      expect(publication.kind).toBe('superseded');
      expect(await shown(log, { conversation })).toEqual(other);
      expect(await shown(log, { conversation, branch: 'other' })).toEqual(main);
      await log.append({ conversation }, exchange(70));
      expect(await log.messages({ conversation })).toHaveLength(26);
      expect(await log.messages({ conversation, branch: 'other' })).toHaveLength(12);
      expect((await compactBranch(log, { conversation })).publication.kind).toBe('published');
      await expect(log.promote({ conversation, branch: 'none' })).rejects.toThrow('no branch "none"');
    });

    test('a fork sees what stood at its place; what is summarized elsewhere later does not reach it', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const { ids } = await log.append({ conversation }, exchanges(0, 8));
      await compactBranch(log, { conversation });
      const before = await shown(log, { conversation });
      await log.fork({ conversation }, { name: 'late' });
      await log.fork({ conversation }, { name: 'early', at: ids[3] ?? '' });
      expect(await shown(log, { conversation, branch: 'late' })).toEqual(before);
      expect(await shown(log, { conversation, branch: 'early' })).toEqual(
        exchanges(0, 2).map((native): unknown => JSON.parse(native)),
      );
      await log.append({ conversation, branch: 'late' }, exchanges(20, 30));
      const { publication } = await compactBranch(log, { conversation, branch: 'late' });
      expect(publication.kind).toBe('published');
      expect(await shown(log, { conversation })).toEqual(before);
      await log.undo({ conversation, branch: 'late' });
      await log.undo({ conversation, branch: 'late' });
      expect(await shown(log, { conversation, branch: 'late' })).toHaveLength(16 + 20);
      expect(await shown(log, { conversation })).toEqual(before);
      for (const branch of ['main', 'late', 'early']) {
        expect(await shown(log, { conversation, branch })).toEqual(await fullView(log, { conversation, branch }));
      }
    });

    test('an answer asked for again keeps the summary and what was undone', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const { ids } = await log.append({ conversation }, exchanges(0, 8));
      await compactBranch(log, { conversation });
      const regenerate = async (name: string): Promise<number> => {
        await log.fork({ conversation }, { name, at: ids.at(-2) ?? '' });
        return (await shown(log, { conversation, branch: name })).length;
      };
      const { length } = await shown(log, { conversation });
      expect(await regenerate('again')).toBe(length - 1);
      await log.undo({ conversation });
      expect(await regenerate('once more')).toBe(15);
    });

    test('come from divergent appends at once, and none is lost', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const { tip } = await log.append({ conversation }, exchanges(0, 3));
      const answers = Array.from({ length: 8 }, (_, index) => `{"role":"user","content":"way ${index}"}`);
      const appended = await Promise.all(
        answers.map((native) => log.append({ conversation, after: tip ?? '' }, [native])),
      );
      expect(new Set(appended.map(({ branch }) => branch)).size).toBe(8);
      for (const [index, { branch }] of appended.entries()) {
        const messages = await log.messages({ conversation, branch });
        expect(messages.map(({ native }) => native)).toEqual([...exchanges(0, 3), answers[index]]);
      }
    });

    test('100 of them off one trunk cost no copies', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      await log.append({ conversation }, exchanges(0, 50));
      for (let index = 0; index < 100; index += 1) {
        const branch = `branch ${index}`;
        await log.fork({ conversation }, { name: branch });
        await log.append({ conversation, branch }, [`{"role":"user","content":"on ${index}"}`]);
      }
      expect(await log.stats()).toMatchObject({ messages: 200, branches: 101 });
      const last = await log.messages({ conversation, branch: 'branch 99' });
      expect(last).toHaveLength(101);
      expect(last.at(-1)?.native).toContain('on 99');
    });

    test('that do not exist are said so, with those that do', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      await expect(log.viewOf({ conversation: 'nowhere' })).rejects.toThrow('There is no conversation "nowhere"');
      await expect(log.viewOf({ conversation, branch: 'x' })).rejects.toThrow('no branch "x"; there are "main"');
      await expect(log.fork({ conversation }, { name: 'y', at: 'm' })).rejects.toThrow('no message "m"');
      await expect(log.fork({ conversation }, { name: 'main' })).rejects.toThrow('a branch "main" already');
      await expect(log.create({ format: 'openai-chat', id: conversation })).rejects.toThrow('already');
      expect((await log.viewOf({ conversation })).entries).toEqual([]);
    });

    test('settings come back as they were set, and changes made at once are all made', async () => {
      const log = store().forTenant(newTenant());
      const { id } = await log.create({ format: 'gemini', settings: '{"model":"a"}' });
      expect(await log.conversation(id)).toMatchObject({ format: 'gemini', settings: '{"model":"a"}' });
      await log.setSettings(id, '{"model":"b","big":12345678901234567890}');
      expect((await log.conversation(id))?.settings).toBe('{"model":"b","big":12345678901234567890}');
      await Promise.all(
        Array.from({ length: 8 }, () => log.setSettings(id, (before = '0') => String((Number(before) || 0) + 1))),
      );
      expect((await log.conversation(id))?.settings).toBe('8');
      const second = await log.create({ format: 'anthropic' });
      expect((await log.conversations()).map((each) => each.id)).toEqual([second.id, id]);
    });
  });
}

/** Law 38, of the shared code alone: no order comes from the clock. */
export function clockLaws(): void {
  test('a clock that jumps changes no view', async () => {
    const ticks = [5, -86_400_000, 1e15, 0, 3];
    const views: unknown[] = [];
    for (const clock of [() => 0, () => ticks.shift() ?? -1]) {
      let id = 0;
      const log = memoryStore({ now: clock, newId: () => `r${++id}` }).forTenant('t');
      await log.create({ format: 'openai-chat', id: 'c' });
      await log.append({ conversation: 'c' }, exchanges(0, 8));
      await compactBranch(log, { conversation: 'c' });
      await log.undo({ conversation: 'c' });
      await log.redo({ conversation: 'c' });
      views.push(await shown(log, { conversation: 'c' }));
    }
    expect(views[0]).toEqual(views[1]);
  });
}
