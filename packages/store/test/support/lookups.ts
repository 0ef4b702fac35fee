import { compact, FORMAT_NAMES } from 'epitome';
import { renderScript, soundScriptArbitrary } from 'epitome/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainedId } from '../../src/index.ts';
import type { Subject } from './subject.ts';
import { compactBranch, exchange, exchanges } from './world.ts';

/** What a server of many clients asks: whose history is this, what is there, what is new. */
export function lookupLaws({ store, newTenant, runs }: Subject): void {
  describe('a history that is sent again', () => {
    const format = 'openai-chat' as const;

    test('is found in whichever conversation, as far as it is known', async () => {
      const log = store().forTenant(newTenant());
      const history = exchanges(0, 40);
      expect(await log.find({ format, messages: history })).toBeUndefined();
      const [first, second] = [await log.create({ format }), await log.create({ format })];
      const { ids } = await log.append({ conversation: first.id }, history);
      await log.append({ conversation: second.id }, [...history.slice(0, 10), ...exchange(90)]);
      const found = await log.find({ format, messages: [...history, ...exchange(40)] });
      expect(found).toMatchObject({ conversation: first.id, branch: 'main', isTip: true, known: 80 });
      expect(found?.messageId).toBe(ids.at(-1));
      expect(found?.ids.slice(0, 80)).toEqual(ids);
      const after = { conversation: first.id, branch: 'main', after: found?.messageId ?? '' };
      expect(await log.append(after, exchange(40))).toMatchObject({
        branch: 'main',
        added: 2,
        ids: found?.ids.slice(80),
      });
      const edited = [...history.slice(0, 20), ...exchange(50)];
      expect(await log.find({ format, messages: edited })).toMatchObject({
        conversation: first.id,
        branch: 'main',
        isTip: false,
        known: 20,
      });
      // Both begin alike: the newer conversation is the likelier one.
      expect(await log.find({ format, messages: history.slice(0, 10) })).toMatchObject({ conversation: second.id });
      expect(await log.find({ format: 'anthropic', messages: history })).toBeUndefined();
      expect(await log.find({ format, messages: [] })).toBeUndefined();
      expect(await store().forTenant(newTenant()).find({ format, messages: history })).toBeUndefined();
    });

    test('has ids that anybody can compute', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format });
      const { ids } = await log.append({ conversation }, exchanges(0, 3));
      let previous = '';
      for (const [index, native] of exchanges(0, 3).entries()) {
        previous = chainedId(previous, native);
        expect(previous).toBe(ids[index]);
      }
    });
  });

  describe('names that nothing can have', () => {
    test.each(['\0', 'a\0b', '\ud800'])('are as unknown as others: %j', async (name) => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      await log.append({ conversation }, exchanges(0, 1));
      expect(await log.conversation(name)).toBeUndefined();
      expect(await log.forget(name)).toBe(false);
      await expect(log.messages({ conversation: name })).rejects.toThrow('There is no conversation');
      await expect(log.viewOf({ conversation, branch: name })).rejects.toThrow('has no branch');
      await expect(log.append({ conversation, after: name }, exchange(1))).rejects.toThrow('has no message');
      await expect(log.expand(conversation, name)).rejects.toThrow('has no message');
      await expect(log.abandon(conversation, name)).rejects.toThrow('has no record');
    });
  });

  describe('lists', () => {
    test('of conversations come in pages, newest first', async () => {
      const log = store().forTenant(newTenant());
      const made: string[] = [];
      for (let index = 0; index < 7; index += 1) made.unshift((await log.create({ format: 'openai-chat' })).id);
      const listed: string[] = [];
      for (let before: string | undefined; ; before = listed.at(-1)) {
        const page = await log.conversations({ limit: 3, ...(before === undefined ? {} : { before }) });
        if (page.length === 0) break;
        listed.push(...page.map(({ id }) => id));
      }
      expect(listed).toEqual(made);
      await expect(log.conversations({ before: 'nobody' })).rejects.toThrow('There is no conversation "nobody"');
    });

    test.each([-1, 0.5, Number.NaN])('of %d entries are refused alike', async (limit) => {
      const log = store().forTenant(newTenant());
      const { id } = await log.create({ format: 'openai-chat' });
      const asks = [
        () => log.conversations({ limit }),
        () => log.tree(id, { limit }),
        () => log.recall('hi', { limit }),
      ];
      for (const ask of asks) {
        await expect(ask()).rejects.toThrow(`A limit must be a whole number from 0 on, not ${limit}.`);
      }
    });

    test('of a tree name every message once, behind its parent, in pages', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const { ids } = await log.append({ conversation }, exchanges(0, 5));
      await log.fork({ conversation }, { name: 'side', at: ids[3] ?? '' });
      await log.append({ conversation, branch: 'side' }, exchanges(20, 23));
      await log.append({ conversation, after: null }, exchange(60));
      const nodes = [];
      for (let after: string | undefined; ; after = nodes.at(-1)?.id) {
        const page = await log.tree(conversation, { limit: 4, ...(after === undefined ? {} : { after }) });
        if (page.length === 0) break;
        nodes.push(...page);
      }
      expect(await log.tree(conversation)).toEqual(nodes);
      expect(nodes).toHaveLength(18);
      const seen = new Set<string | undefined>([undefined]);
      for (const { id, parentId } of nodes) {
        expect(seen.has(parentId)).toBe(true);
        seen.add(id);
      }
      const byId = new Map(nodes.map((node) => [node.id, node]));
      for (const { name } of await log.branches(conversation)) {
        for (const [depth, message] of (await log.messages({ conversation, branch: name })).entries()) {
          const { id, role, seq, parentId } = message;
          expect(byId.get(id)).toEqual({ id, role, seq, depth, ...(parentId === undefined ? {} : { parentId }) });
        }
      }
      await expect(log.tree(conversation, { after: 'nobody' })).rejects.toThrow('no message "nobody"');
    });

    test('a snapshot is what work and view are read in', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      await log.append({ conversation }, exchanges(0, 8));
      await compactBranch(log, { conversation });
      const snapshot = await log.snapshot({ conversation });
      expect(snapshot).toMatchObject({ branch: 'main', version: 1 });
      expect((await log.viewOf({ conversation })).snapshot).toEqual(snapshot);
      expect((await log.workOf({ conversation })).snapshot).toEqual(snapshot);
    });
  });

  test('work that goes on from earlier work is the work read anew', async () => {
    const step = fc.constantFrom('append', 'append', 'append', 'compact', 'undo', 'look');
    const property = fc.asyncProperty(
      soundScriptArbitrary({ maxSteps: 24 }),
      fc.constantFrom(...FORMAT_NAMES),
      fc.array(step, { minLength: 4, maxLength: 14 }),
      async (script, format, steps) => {
        const natives = renderScript(script, format).messages.map((native) => JSON.stringify(native));
        const log = store().forTenant(newTenant());
        const { id: conversation } = await log.create({ format });
        let next = 0;
        let work = await log.workOf({ conversation });
        for (const each of steps) {
          if (each === 'append') {
            await log.append({ conversation }, natives.slice(next, next + 2));
            next += 2;
          }
          if (each === 'undo') await log.undo({ conversation }).catch(() => {});
          if (each === 'compact') {
            const { input, snapshot } = await log.workOf({ conversation });
            const { records } = await compact({ ...input, policy: 'branch', window: 4_000, cause: 'manual' });
            await log.publish({ conversation }, { snapshot, records });
          }
          if (each === 'look') continue;
          work = await log.workOf({ conversation }, { since: work });
          expect(work).toEqual(await log.workOf({ conversation }));
        }
      },
    );
    await fc.assert(property, { numRuns: Math.ceil(runs / 2) });
  });
}
