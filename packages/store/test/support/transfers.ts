import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../src/index.ts';
import { HOSTILE } from './messages.ts';
import type { Subject } from './subject.ts';
import { compactBranch, exchange, exchanges, linesOf, shown } from './world.ts';

/** Export, import and forget. */
export function transferLaws({ store, newTenant }: Subject): void {
  describe('export and import', () => {
    test('lose nothing: what is imported exports to the very same lines and has the same views', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat', settings: '{"a":1}' });
      const { ids } = await log.append({ conversation }, exchanges(0, 8));
      await log.append({ conversation }, ['{"role":"user","content":"\ud800 raw","n":1e999,"__proto__":0}']);
      await compactBranch(log, { conversation });
      await log.fork({ conversation }, { name: 'side', at: ids[6] ?? '' });
      await log.append({ conversation, branch: 'side' }, exchanges(30, 38));
      await compactBranch(log, { conversation, branch: 'side' });
      await log.undo({ conversation, branch: 'side' });
      await log.fork({ conversation, branch: 'side' }, { name: 'later' });
      await compactBranch(log, { conversation, branch: 'later' });
      await log.begin({ conversation }, 'begun');
      const lines = await linesOf(log, conversation);
      for (const target of [store().forTenant(newTenant()), memoryStore().forTenant('t')]) {
        const seen: number[] = [];
        const progress = await target.import(lines, ({ messages }) => seen.push(messages));
        expect(progress).toEqual({ lines: lines.length, messages: 33 });
        expect(seen.at(-1)).toBe(33);
        expect(await linesOf(target)).toEqual(lines);
        for (const branch of ['main', 'side', 'later']) {
          expect(await shown(target, { conversation, branch })).toEqual(await shown(log, { conversation, branch }));
        }
        await target.import(lines);
        expect(await linesOf(target)).toEqual(lines);
        expect((await target.recall('answer 3'))[0]?.snippet).toContain('answer 3');
        expect((await target.append({ conversation }, exchange(77))).added).toBe(2);
      }
    });

    test('of a conversation that has grown and was compacted since bring what is new into view', async () => {
      const [log, target] = [store().forTenant(newTenant()), store().forTenant(newTenant())];
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      await log.append({ conversation }, exchanges(0, 4));
      await target.import(await linesOf(log, conversation));
      await log.append({ conversation }, exchanges(4, 9));
      await compactBranch(log, { conversation });
      const lines = await linesOf(log, conversation);
      await target.import(lines);
      expect(await shown(target, { conversation })).toEqual(await shown(log, { conversation }));
      expect(await linesOf(target)).toEqual(lines);
    });

    test('of a conversation that went another way here bring its messages and records, and leave the way taken here', async () => {
      const [log, target] = [store().forTenant(newTenant()), store().forTenant(newTenant())];
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      await log.append({ conversation }, exchanges(0, 4));
      await target.import(await linesOf(log, conversation));
      await target.append({ conversation }, exchange(70));
      await log.append({ conversation }, exchanges(4, 9));
      const { records } = await compactBranch(log, { conversation });
      await target.import(await linesOf(log, conversation));
      expect((await target.messages({ conversation })).map(({ native }) => native)).toEqual([
        ...exchanges(0, 4),
        ...exchange(70),
      ]);
      expect(await target.stats()).toMatchObject({ messages: 20, records: 1 });
      expect(await target.expand(conversation, records[0]?.id ?? '')).toHaveLength(
        (await log.expand(conversation, records[0]?.id ?? '')).length,
      );
    });

    test('keep every character of messages that are easily changed, from any store to any other', async () => {
      const natives = HOSTILE.map(([, native]) => native);
      const [log, target, memory] = [store(), store(), memoryStore()].map((each) => each.forTenant(newTenant()));
      await log?.create({ format: 'openai-chat', id: 'c' });
      await log?.append({ conversation: 'c' }, natives);
      if (log !== undefined) await memory?.import(await linesOf(log));
      if (memory !== undefined) await target?.import(await linesOf(memory));
      for (const each of [log, memory, target]) {
        expect((await each?.messages({ conversation: 'c' }))?.map(({ native }) => native)).toEqual(natives);
      }
    });

    test('at the same time as another import and as appends lose nothing', async () => {
      const [source, target] = [memoryStore().forTenant('t'), store().forTenant(newTenant())];
      await source.create({ format: 'openai-chat', id: 'c' });
      await source.append({ conversation: 'c' }, exchanges(0, 600));
      const lines = await linesOf(source);
      let isOver = false;
      const appended: string[] = [];
      const appends = async (): Promise<void> => {
        for (let turn = 0; !isOver; turn += 1) {
          const known = await target.conversation('c');
          const said = JSON.stringify({ role: 'user', content: `meanwhile ${turn}` });
          if (known !== undefined) appended.push(...(await target.append({ conversation: 'c' }, [said])).ids);
          await new Promise(setImmediate);
        }
      };
      const imports = Promise.all([target.import(lines), target.import(lines)]).finally(() => {
        isOver = true;
      });
      await Promise.all([imports, appends()]);
      const tree = new Set((await target.tree('c')).map(({ id }) => id));
      expect(tree.size).toBe(1200 + appended.length);
      const wanted = [...(await source.messages({ conversation: 'c' })).map(({ id }) => id), ...appended];
      expect(wanted.filter((id) => !tree.has(id))).toEqual([]);
    });

    test('leave nothing of a conversation that is forgotten meanwhile', async () => {
      const [source, target] = [memoryStore().forTenant('t'), store().forTenant(newTenant())];
      await source.create({ format: 'openai-chat', id: 'c' });
      await source.append({ conversation: 'c' }, exchanges(0, 600));
      const lines = await linesOf(source);
      const forgetting = async function* (): AsyncGenerator<string> {
        for (const [index, line] of lines.entries()) {
          if (index === 800) await target.forget('c');
          yield line;
        }
      };
      await expect(target.import(forgetting())).rejects.toThrow('it was forgotten meanwhile');
      expect(await target.stats()).toMatchObject({ conversations: 0, messages: 0 });
    });

    test.each([
      ['{"kind":"message"', 'Line 2 of the import is no JSON'],
      ['{"kind":"letter"}', 'Line 2 of the import is no line of an export'],
      ['7', 'Line 2 of the import is no line of an export'],
      ['{"kind":"message","conversation":"x","id":"a","parent":null,"native":"{}"}', 'stands in front of it'],
      ['{"kind":"conversation","epitome":2,"id":"x"}', 'of a newer kind of export'],
      ['{"kind":"constructor"}', 'is no line of an export'],
      ['{"kind":"conversation","epitome":1,"id":"x","format":"morse","createdAt":0}', 'has no usable "format"'],
      ['{"kind":"conversation","epitome":1,"id":"x","format":"gemini"}', 'has no usable "createdAt"'],
      [
        '{"kind":"message","conversation":"x","id":7,"parent":null,"native":"{}"}',
        'Line 2 of the import has no usable "id"',
      ],
      ['{"kind":"message","conversation":"x","id":"a","native":"{}"}', 'has no usable "parent"'],
      ['{"kind":"message","conversation":"x","id":"a","parent":null,"native":{}}', 'has no usable "native"'],
      ['{"kind":"branch","conversation":"x","tip":null}', 'has no usable "name"'],
      ['{"kind":"branch","conversation":"x","name":"b","tip":null,"lineage":[7]}', 'has no usable "lineage"'],
      ['{"kind":"record","conversation":"x","branch":"b","state":"lost"}', 'has no usable "state"'],
      [
        '{"kind":"record","conversation":"x","branch":"b","state":"completed","details":{},"record":{"kind":"undo"}}',
        'has no usable "record"',
      ],
    ])('a line %s is refused with its number', async (line, message) => {
      const log = store().forTenant(newTenant());
      await expect(log.import(['', line])).rejects.toThrow(message);
    });
  });

  describe('forget', () => {
    test('deletes a conversation with everything made from it, and nothing else', async () => {
      const log = store().forTenant(newTenant());
      const payload = 'kept by both '.repeat(500);
      const own = 'only here '.repeat(500);
      const say = (content: string): string => JSON.stringify({ role: 'user', content });
      const [gone, stays] = [await log.create({ format: 'openai-chat' }), await log.create({ format: 'openai-chat' })];
      await log.append({ conversation: gone.id }, [say(payload), say(own), ...exchanges(0, 8)]);
      await log.append({ conversation: stays.id }, [say(payload)]);
      await compactBranch(log, { conversation: gone.id });
      const before = await linesOf(log, stays.id);
      expect(await log.forget(gone.id)).toBe(true);
      expect(await log.forget(gone.id)).toBe(false);
      expect(await log.conversation(gone.id)).toBeUndefined();
      await expect(log.append({ conversation: gone.id }, exchange(1))).rejects.toThrow('There is no conversation');
      expect(await log.recall('question')).toEqual([]);
      expect((await log.recall('kept')).map(({ conversation }) => conversation)).toEqual([stays.id]);
      expect(await linesOf(log)).toEqual(before);
      const stats = await log.stats();
      expect(stats).toMatchObject({ conversations: 1, branches: 1, messages: 1, records: 0 });
      if (store().kind !== 'memory') expect(stats).toMatchObject({ payloads: 1, payloadBytes: payload.length });
    });
  });
}
