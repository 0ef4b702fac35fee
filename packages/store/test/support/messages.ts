import { FORMAT_NAMES } from 'epitome';
import { builders, renderScript, scriptArbitrary } from 'epitome/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Subject } from './subject.ts';
import { exchange, exchanges } from './world.ts';

const said = (inside: string): string => `{"role":"user","content":"${inside}"}`;
/** Messages that a store could be tempted to change. */
export const HOSTILE: readonly [string, string][] = [
  ['an escaped NUL', said('a\\u0000b')],
  ['a raw line separator', said('a\u2028b\u2029c')],
  ['a key __proto__', '{"__proto__":{"x":1},"role":"user","content":"hi","constructor":{"prototype":1}}'],
  ['a number beyond doubles', '{"role":"user","content":"x","n":1e400}'],
  ['negative zero', '{"role":"user","content":"x","n":-0,"m":-0.0}'],
  ['an integer above 2^53', '{"role":"user","content":"x","n":9007199254740993123456789}'],
  ['keys twice', '{"role":"user","role":"user","content":"a","content":"b"}'],
  ['120 levels', `{"role":"user","content":"x","deep":${'['.repeat(120)}${']'.repeat(120)}}`],
  ['half a surrogate pair, escaped', said('\\ud800 \\udc00x')],
  ['half a surrogate pair, raw', said('\ud800 and \udc00')],
  ['a byte order mark', said('\ufeffa')],
  ['white space around', ` \n\t${said('x')}\r\n `],
  ['emoji of several code points', said('👩‍👩‍👧‍👦 é')],
  ['a long payload with quotes', said(`${'\\"line\\" \\\\ \\n'.repeat(2000)}`)],
  ['two long payloads', `{"role":"user","content":"${'a'.repeat(5000)}","more":["${'b'.repeat(9000)}\\\\"]}`],
  ['a long payload with half a pair', said(`${'x'.repeat(4000)}\ud800`)],
  ['SQL', said("'); DROP TABLE messages; --")],
  ['no message at all', '[1,2,{"a":null}]'],
];

/** Law 19 and 41: what was appended is what is read. */
export function messageLaws({ store, newTenant, runs }: Subject): void {
  describe('messages', () => {
    test.each(HOSTILE)('come back character for character: %s', async (_name, native) => {
      const log = store().forTenant(newTenant());
      const { id } = await log.create({ format: 'openai-chat' });
      await log.append({ conversation: id }, [native, ...exchange(1)]);
      const [first] = await log.messages({ conversation: id });
      expect(first?.native).toBe(native);
      const view = await log.viewOf({ conversation: id });
      expect(view.entries[0]?.native).toBe(native);
      expect((await log.expand(id, first?.id ?? ''))[0]?.native).toBe(native);
    });

    test('have the same ids whether they come at once or one by one, or are sent again', async () => {
      const scripts = scriptArbitrary({ maxSteps: 10 });
      const property = fc.asyncProperty(scripts, fc.constantFrom(...FORMAT_NAMES), async (script, format) => {
        const { messages } = renderScript(script, format);
        const natives = messages.map((native) => JSON.stringify(native));
        const log = store().forTenant(newTenant());
        const [one, other] = [await log.create({ format }), await log.create({ format })];
        const atOnce = await log.append({ conversation: one.id }, natives);
        for (const native of natives) await log.append({ conversation: other.id }, [native]);
        const expected = atOnce.ids;
        expect(new Set(expected).size).toBe(natives.length);
        const stored = await log.messages({ conversation: other.id });
        expect(stored.map(({ id }) => id)).toEqual(expected);
        expect(stored.map(({ native }) => native)).toEqual(natives);
        expect(stored.map(({ parentId }) => parentId)).toEqual([undefined, ...expected].slice(0, expected.length));
        const again = await log.append({ conversation: other.id, after: null }, natives);
        expect(again).toMatchObject({ branch: 'main', added: 0, ids: expected });
      });
      await fc.assert(property, { numRuns: runs });
    });

    test.each([
      ['a field no model sees', '{"role":"user","content":"x","name":"a"}', '{"role":"user","content":"x","name":"b"}'],
      [
        'a number beyond doubles',
        '{"role":"user","content":"x","n":9007199254740993}',
        '{"role":"user","content":"x","n":9007199254740992}',
      ],
      [
        'a key that stands twice',
        '{"role":"user","content":"x","n":1,"n":2}',
        '{"role":"user","content":"x","n":3,"n":2}',
      ],
      [
        'a signature',
        '{"role":"user","content":[{"type":"text","text":"x","signature":"s1"}]}',
        '{"role":"user","content":[{"type":"text","text":"x","signature":"s2"}]}',
      ],
    ])('of which %s was edited are a branch when they are sent again', async (_what, before, after) => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'anthropic' });
      await log.append({ conversation }, [before]);
      const edited = await log.append({ conversation, after: null }, [after]);
      expect(edited).toMatchObject({ added: 1 });
      expect(edited.branch).not.toBe('main');
      expect((await log.messages({ conversation })).map(({ native }) => native)).toEqual([before]);
    });

    test('whose marks for the cache were moved are the ones that were sent before', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'anthropic' });
      const text = (words: string, mark: object) =>
        JSON.stringify({ role: 'user', content: [{ type: 'text', text: words, ...mark }] });
      const mark = { cache_control: { type: 'ephemeral' } };
      await log.append({ conversation }, [text('one', {}), text('two', mark)]);
      const again = [text('one', mark), text('two', {}), text('three', mark)];
      expect(await log.append({ conversation, after: null }, again)).toMatchObject({ branch: 'main', added: 1 });
    });

    test('of two branches that differ in a field no model sees go to their own branch when they are sent again', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const say = (content: string, name = 'n') => JSON.stringify({ role: 'user', content, name });
      await log.append({ conversation }, [say('start')]);
      await log.fork({ conversation }, { name: 'f' });
      await log.append({ conversation }, [say('x', 'alice'), say('answer')]);
      await log.append({ conversation, branch: 'f' }, [say('x', 'bob'), say('answer')]);
      const sent = [say('start'), say('x', 'bob'), say('answer'), say('next')];
      expect(await log.append({ conversation, branch: 'f', after: null }, sent)).toMatchObject({
        branch: 'f',
        added: 1,
      });
    });

    test('that were sent before are known by their prefix; an edited history is a branch', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const history = exchanges(0, 20);
      await log.append({ conversation, after: null }, history);
      const longer = await log.append({ conversation, after: null }, [...history, ...exchange(20)]);
      expect(longer).toMatchObject({ branch: 'main', added: 2 });
      const edited = [...history.slice(0, 10), ...exchange(99), ...history.slice(12)];
      const branched = await log.append({ conversation, after: null }, edited);
      expect(branched).toMatchObject({ branch: 'b2', added: 30 });
      expect((await log.messages({ conversation, branch: 'b2' })).map(({ native }) => native)).toEqual(edited);
      expect((await log.messages({ conversation })).length).toBe(42);
      const prefix = await log.append({ conversation, after: null }, history.slice(0, 7));
      expect(prefix).toMatchObject({ branch: 'b3', added: 0 });
      expect(await log.append({ conversation, after: null }, history.slice(0, 7))).toMatchObject({ branch: 'b3' });
      expect((await log.stats()).messages).toBe(42 + 30);
      const root = await log.append({ conversation, after: null }, exchange(7));
      expect(root).toMatchObject({ branch: 'b4', added: 2 });
      expect((await log.messages({ conversation, branch: 'b4' })).map(({ native }) => native)).toEqual(exchange(7));
    });

    test('of a client that moves cache marks are known again, and the first writing stays', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'anthropic' });
      const block = (mark: boolean): string =>
        JSON.stringify({
          role: 'user',
          content: [{ type: 'text', text: 'hi', ...(mark ? { cache_control: { type: 'ephemeral' } } : {}) }],
        });
      const answer = JSON.stringify(builders.anthropic.assistant('yes'));
      await log.append({ conversation, after: null }, [block(true)]);
      const again = await log.append({ conversation, after: null }, [block(false), answer]);
      expect(again).toMatchObject({ branch: 'main', added: 1 });
      expect((await log.messages({ conversation })).map(({ native }) => native)).toEqual([block(true), answer]);
    });

    test('that read alike but are written otherwise are kept apart where they are appended', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      await log.append({ conversation }, ['{"role":"user","content":"go"}']);
      await log.fork({ conversation }, { name: 'second' });
      await log.fork({ conversation }, { name: 'third' });
      const writings = ['{"role":"assistant","content":"ok"}', '{ "role": "assistant", "content": "ok" }'];
      const tail = '{"role":"user","content":"next"}';
      await log.append({ conversation }, [writings[0] ?? '', tail]);
      await log.append({ conversation, branch: 'second' }, [writings[1] ?? '', tail]);
      const third = await log.append({ conversation, branch: 'third' }, [writings[1] ?? '', tail]);
      expect(third.added).toBe(0);
      const read = async (branch: string) => (await log.messages({ conversation, branch })).map(({ native }) => native);
      expect((await read('main')).slice(1)).toEqual([writings[0], tail]);
      expect((await read('second')).slice(1)).toEqual([writings[1], tail]);
      expect((await read('third')).slice(1)).toEqual([writings[1], tail]);
      expect((await log.stats()).messages).toBe(5);
    });

    test('keep the ids their caller gives them; an id in use is refused', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const native = exchange(0)[0] ?? '';
      const first = await log.append({ conversation }, [{ id: 'm-1', native }]);
      expect(first.ids).toEqual(['m-1']);
      expect(await log.append({ conversation, after: null }, [{ id: 'm-1', native }])).toMatchObject({ added: 0 });
      await expect(log.append({ conversation }, [{ id: 'm-1', native }])).rejects.toThrow('already names another');
      await expect(log.append({ conversation }, ['{"role":'])).rejects.toThrow('Message 1 of 1 is no JSON text');
      // @ts-expect-error: what a caller without types passes first.
      await expect(log.append({ conversation }, [{ role: 'user', content: 'hi' }])).rejects.toThrow(
        'Message 1 of 1 is no text; pass its JSON as it came',
      );
      expect((await log.messages({ conversation })).length).toBe(1);
    });

    test('with the same large payload store it once', async () => {
      if (store().kind === 'memory') return;
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const output = 'a line of a long log\\n'.repeat(5000);
      const results = [1, 2, 3, 4].map((n) => `{"role":"tool","tool_call_id":"c${n}","content":"${output}"}`);
      await log.append({ conversation }, results);
      const stats = await log.stats();
      expect(stats).toMatchObject({ messages: 4, payloads: 1 });
      expect(stats.payloadBytes).toBe(output.length);
      expect(stats.messageBytes).toBeLessThan(400);
      expect((await log.messages({ conversation })).map(({ native }) => native)).toEqual(results);
    });

    test('appended by many at once to one branch are all there, each once, in one order', async () => {
      const log = store().forTenant(newTenant());
      const { id: conversation } = await log.create({ format: 'openai-chat' });
      const texts = Array.from({ length: 40 }, (_, index) => `{"role":"user","content":"${index}"}`);
      await Promise.all(texts.map((native) => log.append({ conversation }, [native])));
      const stored = await log.messages({ conversation });
      expect(stored.map(({ native }) => native).sort()).toEqual([...texts].sort());
      expect(await log.branches(conversation)).toHaveLength(1);
    });
  });
}
