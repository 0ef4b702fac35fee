import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartEdit } from '../../model/message.ts';
import { aiSdk } from './index.ts';

const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a' } };
const image = { type: 'image', image: new Uint8Array(4), mediaType: 'image/png' };
const result = (output: unknown) => ({ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output, x: 1 });

function edited(native: unknown, edits: readonly PartEdit[]): unknown {
  return aiSdk.edit(aiSdk.decode(native, []), edits);
}

describe('identity', () => {
  test('composes the plainest message', () => {
    expect(aiSdk.compose({ role: 'user', text: 'a' })).toEqual({ role: 'user', content: 'a' });
    expect(aiSdk.compose({ role: 'assistant', text: 'a' })).toEqual({ role: 'assistant', content: 'a' });
  });

  test('no edits give the very same object', () => {
    fc.assert(
      fc.property(fc.anything(), (native) => {
        expect(Object.is(edited(native, []), native)).toBe(true);
      }),
    );
  });

  test('calls, thinking, unread blocks and the provider own results are never rewritten', () => {
    const content = [
      call,
      { type: 'reasoning', text: 'hm' },
      { type: 'custom', kind: 'a.b' },
      result({ type: 'json', value: [] }),
    ];
    const native = { role: 'assistant', content };
    expect(
      edited(
        native,
        [0, 1, 2, 3, 9].map((part) => ({ part, text: 'x' })),
      ),
    ).toBe(native);
    expect(edited(native, [{ part: 0, text: null }])).toBe(native);
  });

  test('untouched blocks are shared, unknown fields survive, the input stays as it was', () => {
    const text = {
      type: 'text',
      text: 'old',
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
      x: 1,
    };
    const native = { role: 'user', content: [text, image], providerOptions: { a: {} }, y: 2 };
    const before = structuredClone(native);
    const now = edited(native, [{ part: 0, text: 'new' }]);
    expect(now).toEqual({ ...native, content: [{ ...text, text: 'new' }, image] });
    expect(Object(now).content[1]).toBe(image);
    expect(Object(now).providerOptions).toBe(native.providerOptions);
    expect(native).toEqual(before);
  });
});

describe('each kind of part', () => {
  test.each<[string, unknown, readonly PartEdit[], unknown]>([
    [
      'string content',
      { role: 'user', content: 'a', x: 1 },
      [{ part: 0, text: 'b' }],
      { role: 'user', content: 'b', x: 1 },
    ],
    ['string content left out', { role: 'user', content: 'a' }, [{ part: 0, text: null }], undefined],
    ['string content emptied', { role: 'user', content: 'a' }, [{ part: 0, text: '' }], undefined],
    [
      'media becomes text and keeps its options',
      { role: 'user', content: [{ ...image, providerOptions: { a: { b: 1 } } }] },
      [{ part: 0, text: '[image]' }],
      { role: 'user', content: [{ type: 'text', text: '[image]', providerOptions: { a: { b: 1 } } }] },
    ],
    [
      'an inline text document becomes text',
      { role: 'user', content: [{ type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'long' } }] },
      [{ part: 0, text: 'short' }],
      { role: 'user', content: [{ type: 'text', text: 'short' }] },
    ],
    [
      'new text is no reference to the stored item',
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'a', providerOptions: { openai: { itemId: 'msg_1', phase: 'x' } } }],
      },
      [{ part: 0, text: 'b' }],
      { role: 'assistant', content: [{ type: 'text', text: 'b', providerOptions: { openai: { phase: 'x' } } }] },
    ],
    [
      'thinking left out',
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, call] },
      [{ part: 0, text: null }],
      { role: 'assistant', content: [call] },
    ],
    [
      'only thinking left',
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'a' },
        ],
      },
      [{ part: 1, text: null }],
      undefined,
    ],
    ['an unknown entry left out', { type: 'marker' }, [{ part: 0, text: null }], undefined],
    ['an unknown entry is not rewritten', { type: 'marker' }, [{ part: 0, text: 'x' }], { type: 'marker' }],
    [
      'one of two results',
      { role: 'tool', content: [result({ type: 'text', value: 'a' }), result({ type: 'text', value: 'b' })] },
      [{ part: 1, text: 'c' }],
      { role: 'tool', content: [result({ type: 'text', value: 'a' }), result({ type: 'text', value: 'c' })] },
    ],
    ['the only result left out', { role: 'tool', content: [result('a')] }, [{ part: 0, text: null }], undefined],
  ])('%s', (...row) => {
    const [, native, edits, expected] = row;
    expect(edited(native, edits)).toEqual(expected);
  });

  test.each<[unknown, unknown]>([
    [
      { type: 'text', value: 'a', providerOptions: { p: {} } },
      { type: 'text', value: 'new', providerOptions: { p: {} } },
    ],
    [
      { type: 'json', value: { a: 1 } },
      { type: 'text', value: 'new' },
    ],
    [
      { type: 'content', value: [{ type: 'text', text: 'a' }] },
      { type: 'text', value: 'new' },
    ],
    [
      { type: 'error-text', value: 'a' },
      { type: 'error-text', value: 'new' },
    ],
    [
      { type: 'error-json', value: {} },
      { type: 'error-text', value: 'new' },
    ],
    [{ type: 'execution-denied' }, { type: 'execution-denied', reason: 'new' }],
    ['bare', { type: 'text', value: 'new' }],
  ])('the output %j becomes %j', (before, after) => {
    const native = { role: 'tool', content: [result(before)] };
    expect(edited(native, [{ part: 0, text: 'new' }])).toEqual({ role: 'tool', content: [result(after)] });
  });
});

test('edits bring in no lone surrogate', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }), (before, after) => {
      const now = edited({ role: 'user', content: [{ type: 'text', text: before }, image] }, [
        { part: 0, text: after },
      ]);
      expect(aiSdk.validate([now])).toEqual([]);
      expect(Object(now).content[0].text).toBe(after);
    }),
  );
});

test('edits of anything never throw', () => {
  const edits = fc.array(fc.record({ part: fc.integer(), text: fc.option(fc.string()) }));
  const native = fc.record({ role: fc.constantFrom('user', 'assistant', 'tool'), content: fc.anything() });
  fc.assert(
    fc.property(native, edits, (message, some) => {
      expect(() => edited(message, some)).not.toThrow();
    }),
  );
});
