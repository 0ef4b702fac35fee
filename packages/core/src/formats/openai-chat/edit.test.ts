import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartEdit } from '../../model/message.ts';
import { openaiChat } from './index.ts';

const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } };
const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };

function edited(native: unknown, edits: readonly PartEdit[]): unknown {
  return openaiChat.edit(openaiChat.decode(native, []), edits);
}

describe('identity', () => {
  test('composes the plainest message', () => {
    expect(openaiChat.compose({ role: 'user', text: 'a' })).toEqual({ role: 'user', content: 'a' });
    expect(openaiChat.compose({ role: 'assistant', text: 'a' })).toEqual({ role: 'assistant', content: 'a' });
  });

  test('no edits give the very same object', () => {
    fc.assert(
      fc.property(fc.anything(), (native) => {
        expect(Object.is(edited(native, []), native)).toBe(true);
      }),
    );
  });

  test('edits that do not apply give the very same object', () => {
    const native = { role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: [call] };
    const edits = [
      { part: 0, text: 'rewritten thinking' },
      { part: 1, text: null },
      { part: 9, text: 'x' },
    ];
    expect(edited(native, edits)).toBe(native);
  });

  test('untouched blocks are shared, unknown fields survive, the input stays as it was', () => {
    const text = { type: 'text', text: 'old', cache_control: { type: 'ephemeral' } };
    const native = { role: 'user', name: 'ann', content: [text, image], custom: { a: 1 } };
    const before = structuredClone(native);
    const result = edited(native, [{ part: 0, text: 'new' }]);
    expect(result).toEqual({ ...native, content: [{ ...text, text: 'new' }, image] });
    expect(Object(result).content[1]).toBe(image);
    expect(Object(result).custom).toBe(native.custom);
    expect(native).toEqual(before);
  });
});

describe('each kind of part', () => {
  test.each<[string, unknown, readonly PartEdit[], unknown]>([
    [
      'string content',
      { role: 'user', content: 'a', name: 'n' },
      [{ part: 0, text: 'b' }],
      { role: 'user', content: 'b', name: 'n' },
    ],
    ['string content left out', { role: 'user', content: 'a' }, [{ part: 0, text: null }], undefined],
    ['string content emptied', { role: 'user', content: 'a' }, [{ part: 0, text: '' }], undefined],
    [
      'media becomes text',
      { role: 'user', content: [image] },
      [{ part: 0, text: '[image]' }],
      { role: 'user', content: [{ type: 'text', text: '[image]' }] },
    ],
    ['the last block left out', { role: 'user', content: [image] }, [{ part: 0, text: null }], undefined],
    [
      'a result keeps its id and unknown fields',
      { role: 'tool', tool_call_id: 'c1', is_error: true, content: [{ type: 'text', text: 'long' }], x: 1 },
      [{ part: 0, text: 'short' }],
      { role: 'tool', tool_call_id: 'c1', is_error: true, content: 'short', x: 1 },
    ],
    ['a result left out', { role: 'tool', tool_call_id: 'c1', content: 'a' }, [{ part: 0, text: null }], undefined],
    [
      'an emptied result is still a result',
      { role: 'tool', tool_call_id: 'c1', content: 'a' },
      [{ part: 0, text: '' }],
      { role: 'tool', tool_call_id: 'c1', content: '' },
    ],
    [
      'thinking goes in all its spellings',
      { role: 'assistant', reasoning: 'a', reasoning_details: [{ text: 'a' }], content: 'x' },
      [{ part: 0, text: null }],
      { role: 'assistant', content: 'x' },
    ],
    [
      'an unread block left out',
      { role: 'user', content: [{ type: 'hologram' }, { type: 'text', text: 'a' }] },
      [{ part: 0, text: null }],
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
    ],
    ['an unknown entry left out', { type: 'marker' }, [{ part: 0, text: null }], undefined],
    ['an unknown entry is not rewritten', { type: 'marker' }, [{ part: 0, text: 'x' }], { type: 'marker' }],
    [
      'a refusal block',
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
      [{ part: 0, text: 'never' }],
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'never' }] },
    ],
    [
      'a refusal',
      { role: 'assistant', content: null, refusal: 'no' },
      [{ part: 0, text: 'never' }],
      { role: 'assistant', content: null, refusal: 'never' },
    ],
    [
      'audio becomes content',
      { role: 'assistant', content: null, audio: { id: 'a1' } },
      [{ part: 0, text: '[audio]' }],
      { role: 'assistant', content: [{ type: 'text', text: '[audio]' }] },
    ],
    [
      'audio becomes content behind the text',
      { role: 'assistant', content: 'hi', audio: { id: 'a1' } },
      [{ part: 1, text: '[audio]' }],
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'text', text: '[audio]' },
        ],
      },
    ],
  ])('%s', (...row) => {
    const [, native, edits, expected] = row;
    expect(edited(native, edits)).toEqual(expected);
  });
});

describe('an assistant stays valid (rule O5)', () => {
  test('content left out beside calls is null, and null fields stay', () => {
    const native = { role: 'assistant', content: 'a', tool_calls: [call], refusal: null, audio: null };
    expect(edited(native, [{ part: 0, text: null }])).toEqual({ ...native, content: null });
  });

  test.each([
    [{ role: 'assistant', content: 'a', reasoning_content: 'hm' }, 1],
    [{ role: 'assistant', content: [{ type: 'text', text: 'a' }] }, 0],
    [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'a' },
        ],
      },
      1,
    ],
    [{ role: 'assistant', content: '', refusal: 'no' }, 1],
  ])('%j without part %i is no message', (native, part) => {
    expect(edited(native, [{ part, text: null }])).toBeUndefined();
  });

  test('any edits of a valid message give a valid message or none', () => {
    const block = fc.constantFrom<object>({ type: 'text', text: 'a' }, { type: 'refusal', refusal: 'b' });
    const assistant = fc
      .record({
        content: fc.oneof(fc.constant(null), fc.constant('a'), fc.array(block, { minLength: 1, maxLength: 3 })),
        tool_calls: fc.constantFrom<unknown>(null, [call]),
        refusal: fc.constantFrom(null, 'no'),
        audio: fc.constantFrom(null, { id: 'a1' }),
        reasoning_content: fc.constantFrom(null, 'hm'),
      })
      .map((fields) => ({ role: 'assistant', ...fields }));
    const edits = fc.array(fc.record({ part: fc.nat(6), text: fc.constantFrom(null, '', 'new') }));
    fc.assert(
      fc.property(assistant, edits, (native, some) => {
        const shape = (value: unknown) => openaiChat.validate([value]).filter(({ rule }) => !/O1|O9/.test(rule));
        const result = edited(native, some);
        if (shape(native).length === 0 && result !== undefined) expect(shape(result)).toEqual([]);
      }),
    );
  });
});

test('edits bring in no lone surrogate', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }), (before, after) => {
      const result = edited({ role: 'user', content: [{ type: 'text', text: before }, image] }, [
        { part: 0, text: after },
      ]);
      expect(openaiChat.validate([result])).toEqual([]);
      expect(Object(result).content[0].text).toBe(after);
    }),
  );
});

test('edits of anything never throw', () => {
  const edits = fc.array(fc.record({ part: fc.integer(), text: fc.option(fc.string()) }));
  fc.assert(
    fc.property(
      fc.record({ role: fc.constantFrom('user', 'assistant', 'tool'), content: fc.anything() }),
      edits,
      (native, some) => {
        expect(() => edited(native, some)).not.toThrow();
      },
    ),
  );
});
