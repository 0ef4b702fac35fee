import { describe, expect, test } from 'vitest';
import type { Subject } from './subject.ts';
import { compactBranch, exchanges } from './world.ts';

/** Recall finds everything, compacted or not. */
export function recallLaws({ store, newTenant }: Subject): void {
  const say = (content: string): string => JSON.stringify({ role: 'user', content });

  describe('recall', () => {
    test.each([
      ['a word', 'zeppelin', 'the zeppelin lands at noon'],
      ['case and accents', 'resume CAFE', 'The Résumé of the café owner'],
      ['a path', 'src/parser/tokens.ts', 'edit src/parser/tokens.ts line 40'],
      ['Chinese without spaces', '压缩率', '我们测量了上下文压缩率，结果很好'],
      ['Japanese', 'データベース', '新しいデータベースを作りました'],
      ['Russian', 'СЕРВЕР', 'Перезапусти сервер вечером'],
      ['an id', 'a1b2c3d4', 'the commit a1b2c3d4 broke it'],
      ['quotes and operators', '"zeppelin" AND (NOT -noon*', 'the zeppelin lands at noon and not later'],
    ])('finds a message by %s, after it was compacted', async (_name, query, text) => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const { ids } = await log.append({ conversation }, [say(text), ...exchanges(0, 8)]);
      await compactBranch(log, { conversation });
      const [hit] = await log.recall(query);
      expect(hit).toMatchObject({ conversation, messageId: ids[0], role: 'user' });
      expect(text).toContain(hit?.snippet.replaceAll('…', '') ?? '?');
    });

    test('finds every word of a message, however many and long they are', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const many = Array.from({ length: 40_000 }, (_, index) => `слово${'ы'.repeat(index % 40)}${index}`);
      const { ids } = await log.append({ conversation }, [say(many.join(' ')), ...exchanges(0, 2)]);
      for (const word of [many[0], many[13_000], many[39_999]]) {
        expect((await log.recall(word ?? '')).map(({ messageId }) => messageId)).toEqual([ids[0]]);
      }
      // Words far apart.
      expect((await log.recall(`${many[3]} ${many[39_998]}`))[0]?.messageId).toBe(ids[0]);
      await log.forget(conversation);
      expect(await log.recall(many[39_999] ?? '')).toEqual([]);
    });

    test('puts the message first that holds the very words', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const texts = ['timeout of the gateway, set to 30', 'the gateway timeout is 30 s', 'timeout', 'gateway'];
      const { ids } = await log.append({ conversation }, texts.map(say));
      const hits = await log.recall('gateway timeout is 30');
      expect(hits[0]?.messageId).toBe(ids[1]);
      expect(hits.map(({ messageId }) => messageId)).toContain(ids[3]);
      expect(await log.recall('gateway', { limit: 2 })).toHaveLength(2);
    });

    test('shows the place in a long text', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      await log.append({ conversation }, [say(`${'noise '.repeat(900)} the needle 😀 is here ${'more '.repeat(900)}`)]);
      const [hit] = await log.recall('needle');
      expect(hit?.snippet).toContain('the needle 😀 is here');
      expect(hit?.snippet.length).toBeLessThan(260);
      expect(hit?.snippet.isWellFormed()).toBe(true);
    });

    test('finds what was appended one by one just now, and nothing of it once it is forgotten', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      for (let index = 0; index < 12; index += 1) {
        const { ids } = await log.append({ conversation }, [say(`pebble${index} among many`)]);
        if (index % 4 !== 3) continue;
        expect((await log.recall(`pebble${index}`)).map(({ messageId }) => messageId)).toEqual(ids);
      }
      await log.append({ conversation }, [say('never looked for')]);
      expect(await log.recall('among', { limit: 50 })).toHaveLength(12);
      await log.forget(conversation);
      expect(await log.recall('among')).toEqual([]);
      expect(await log.recall('looked')).toEqual([]);
    });

    test('stays within a conversation where one is named, and finds nothing by nothing', async () => {
      const log = store().forTenant(newTenant());
      const [one, two] = [await log.create({ format: 'openai-chat' }), await log.create({ format: 'openai-chat' })];
      await log.append({ conversation: one.id }, [say('shared secret plan')]);
      await log.append({ conversation: two.id }, [say('shared public plan')]);
      expect(await log.recall('shared plan')).toHaveLength(2);
      expect((await log.recall('shared plan', { conversation: two.id })).map((hit) => hit.conversation)).toEqual([
        two.id,
      ]);
      expect(await log.recall('')).toEqual([]);
      expect(await log.recall('?!')).toEqual([]);
      expect(await log.recall('absent')).toEqual([]);
    });
  });
}
