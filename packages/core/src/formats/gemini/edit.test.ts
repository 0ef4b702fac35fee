import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartEdit } from '../../model/message.ts';
import { gemini } from './index.ts';

const IMAGE = { inlineData: { mimeType: 'image/png', data: 'AAAA' }, mediaResolution: { level: 'X' } };

function edited(native: unknown, ...edits: readonly PartEdit[]): unknown {
  return gemini.edit(gemini.decode(native, []), edits);
}

describe('edit', () => {
  test.each<[string, unknown, string | null, unknown]>([
    [
      'text, its signature and unknown fields kept',
      { text: 'a', thoughtSignature: 's', x: 1 },
      'b',
      { text: 'b', thoughtSignature: 's', x: 1 },
    ],
    ['a thought', { text: 'a', thought: true }, 'b', { text: 'b', thought: true }],
    ['media into text', IMAGE, '[image]', { text: '[image]' }],
    ['an unknown block into text', { hologram: 1 }, 'b', { text: 'b' }],
    ['a null block into text', null, 'b', { text: 'b' }],
    [
      'a response, its name, id and unknown fields kept, its media gone',
      { functionResponse: { id: 'a', name: 'f', response: { x: [1] }, parts: [IMAGE], willContinue: false }, y: 1 },
      'b',
      { functionResponse: { id: 'a', name: 'f', response: { output: 'b' }, willContinue: false }, y: 1 },
    ],
    [
      'a response in its own spelling',
      { function_response: { name: 'f', response: { output: 'a' } } },
      'b',
      { function_response: { name: 'f', response: { output: 'b' } } },
    ],
    [
      'a failed response, which stays failed',
      { functionResponse: { name: 'f', response: { error: 'a' } } },
      'b',
      { functionResponse: { name: 'f', response: { error: 'b' } } },
    ],
    [
      'a response into nothing',
      { functionResponse: { name: 'f', response: { output: 'a' } } },
      '',
      { functionResponse: { name: 'f', response: { output: '' } } },
    ],
    ['no call', { functionCall: { name: 'f' } }, 'b', { functionCall: { name: 'f' } }],
    ['no call away', { functionCall: { name: 'f' } }, null, { functionCall: { name: 'f' } }],
  ])('rewrites %s', (...row) => {
    const [, part, text, expected] = row;
    const native = { role: 'user', parts: [part, { text: 'stays' }] };
    expect(edited(native, { part: 0, text })).toEqual({ role: 'user', parts: [expected, { text: 'stays' }] });
  });

  test.each<[string, unknown]>([
    ['text', { text: 'a' }],
    ['a thought', { text: 'a', thought: true }],
    ['media', IMAGE],
    ['a response', { functionResponse: { name: 'f', response: {} } }],
    ['an unknown block', { hologram: 1 }],
  ])('leaves %s out', (_, part) => {
    const stays = { text: 'stays' };
    const result = edited({ role: 'user', parts: [part, stays], z: 1 }, { part: 0, text: null });
    expect(result).toEqual({ role: 'user', parts: [stays], z: 1 });
    expect((result as { parts: readonly unknown[] }).parts[0]).toBe(stays);
  });

  test('leaves out a text that becomes empty', () => {
    expect(edited({ parts: [{ text: 'a' }, { text: 'b' }] }, { part: 0, text: '' })).toEqual({
      parts: [{ text: 'b' }],
    });
  });

  test.each<[string, readonly unknown[]]>([
    ['the only part', [{ text: 'a' }]],
    ['all but thoughts', [{ text: 'a' }, { text: 'b', thought: true }]],
    ['all but an empty text', [{ text: 'a' }, { text: '', thoughtSignature: 's' }]],
  ])('leaves nothing when %s is left out', (_, parts) => {
    expect(edited({ role: 'model', parts }, { part: 0, text: null })).toBeUndefined();
  });

  test('leaves out or keeps whole what is no content', () => {
    expect(edited('hi', { part: 0, text: null })).toBeUndefined();
    expect(edited('hi', { part: 0, text: 'b' })).toBe('hi');
  });

  test('writes a list where the only part stood alone', () => {
    expect(edited({ role: 'user', parts: { text: 'a' } }, { part: 0, text: 'b' })).toEqual({
      role: 'user',
      parts: [{ text: 'b' }],
    });
  });

  test.each<[string, readonly PartEdit[]]>([
    ['no edits', []],
    ['a call', [{ part: 1, text: 'x' }]],
    ['a part that is not there', [{ part: 9, text: 'x' }]],
  ])('returns the very same native for %s', (_, edits) => {
    const native = { role: 'model', parts: [{ text: 'a' }, { functionCall: { name: 'f' } }] };
    expect(edited(native, ...edits)).toBe(native);
  });

  test('is total, changes no input, and keeps untouched parts as they are', () => {
    const edits = fc.array(fc.record({ part: fc.integer({ min: -1, max: 4 }), text: fc.option(fc.string()) }));
    const parts = fc.array(fc.oneof(fc.jsonValue(), fc.record({ text: fc.string() }), fc.constant(IMAGE)));
    const native = fc.oneof(fc.jsonValue(), fc.record({ role: fc.constantFrom('user', 'model'), parts }));
    fc.assert(
      fc.property(native, edits, (value, changes) => {
        const before = JSON.stringify(value);
        const result = gemini.edit(gemini.decode(value, []), changes);
        expect(JSON.stringify(value)).toBe(before);
        if (changes.length === 0) expect(result).toBe(value);
      }),
    );
  });

  test('makes from a valid content a valid content', () => {
    const edits = fc.array(
      fc.record({ part: fc.integer({ min: 0, max: 3 }), text: fc.option(fc.string({ unit: 'grapheme' })) }),
    );
    const part = fc.constantFrom<unknown>(
      { text: 'a' },
      IMAGE,
      { text: 'b', thought: true },
      { text: '', thoughtSignature: 's' },
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), edits, (parts, changes) => {
        const result = gemini.edit(gemini.decode({ role: 'user', parts }, []), changes);
        expect(result === undefined ? [] : gemini.validate([result])).toEqual([]);
      }),
    );
  });
});

test.each([
  ['user', 'user'],
  ['assistant', 'model'],
] as const)('compose writes %s as %s, plain and valid, and decode reads it back', (role, native) => {
  const composed = gemini.compose({ role, text: 'hello' });
  expect(composed).toEqual({ role: native, parts: [{ text: 'hello' }] });
  expect(gemini.decode(composed, [])).toMatchObject({ role, parts: [{ kind: 'text', text: 'hello' }] });
});
