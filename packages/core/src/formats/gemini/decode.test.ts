import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message, Part } from '../../model/message.ts';
import { gemini } from './index.ts';

const LONE = /\p{Surrogate}/u;
// 1x1 GIF.
const GIF = 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=';

function decodeAll(natives: readonly unknown[]): readonly Message[] {
  const before: Message[] = [];
  for (const native of natives) before.push(gemini.decode(native, before));
  return before;
}

function onePart(part: unknown): Part | undefined {
  return gemini.decode({ role: 'model', parts: [part] }, []).parts[0];
}

const call = (name: string, id?: string) => ({ functionCall: { name, args: {}, ...(id ? { id } : {}) } });
const answer = (name: string, id?: string) => ({
  functionResponse: { name, response: { output: name }, ...(id ? { id } : {}) },
});
const results = (message: Message | undefined): readonly string[] =>
  (message?.parts ?? []).flatMap((part) => (part.kind === 'tool-result' ? [part.callId] : []));

describe('decode', () => {
  test.each<[string, unknown, Part]>([
    ['text', { text: 'hi' }, { kind: 'text', text: 'hi' }],
    ['signed text', { text: 'hi', thoughtSignature: 'x'.repeat(99) }, { kind: 'text', text: 'hi' }],
    ['a thought', { text: 'hm', thought: true }, { kind: 'reasoning', text: 'hm', bound: false }],
    ['a thought without text', { thought: true, thoughtSignature: 's' }, { kind: 'reasoning', text: '', bound: false }],
    [
      'a call',
      { functionCall: { id: 'c1', name: 'ls', args: { dir: '/' } }, thoughtSignature: 's' },
      { kind: 'tool-call', callId: 'c1', name: 'ls', input: '{"dir":"/"}' },
    ],
    [
      'a snake_case call without id and args',
      { function_call: { name: 'ls' } },
      { kind: 'tool-call', callId: '@0.0', name: 'ls', input: '{}' },
    ],
    [
      'inline media',
      { inlineData: { mimeType: 'image/gif', data: GIF }, mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' } },
      { kind: 'media', media: 'image', mimeType: 'image/gif', bytes: 30, width: 1, height: 1, detail: 'low' },
    ],
    [
      'snake_case inline media',
      { inline_data: { mime_type: 'audio/wav', data: 'AAAA' } },
      { kind: 'media', media: 'audio', mimeType: 'audio/wav', bytes: 3 },
    ],
    [
      'a file',
      { fileData: { mimeType: 'application/pdf', fileUri: 'gs://bucket/a.pdf' } },
      { kind: 'media', media: 'document', mimeType: 'application/pdf' },
    ],
    ['a file without type', { file_data: { file_uri: 'x' } }, { kind: 'media', media: 'file' }],
    [
      'code',
      { executableCode: { language: 'PYTHON', code: '1' } },
      { kind: 'opaque', type: 'executableCode', size: 32, compaction: false },
    ],
    [
      'a code result, its signature not counted',
      { code_execution_result: { outcome: 'OUTCOME_OK' }, thought_signature: 'x'.repeat(99) },
      { kind: 'opaque', type: 'codeExecutionResult', size: 24, compaction: false },
    ],
    [
      'an unknown block, its signature not counted',
      { hologram: 1, thoughtSignature: 'x'.repeat(99) },
      { kind: 'opaque', type: 'hologram', size: 14, compaction: false },
    ],
    ['an empty block', {}, { kind: 'opaque', type: 'empty', size: 2, compaction: false }],
    ['no block', 'hi', { kind: 'opaque', type: 'string', size: 2, compaction: false }],
    ['a block of wrong type', { text: 5 }, { kind: 'opaque', type: 'text', size: 1, compaction: false }],
    [
      'a call of wrong type',
      { functionCall: 'x' },
      { kind: 'opaque', type: 'functionCall', size: 1, compaction: false },
    ],
  ])('reads %s', (_, part, expected) => {
    expect(onePart(part)).toEqual(expected);
  });

  test.each<[string, unknown, { text: string; isError: boolean }]>([
    ['output', { output: 'ok' }, { text: 'ok', isError: false }],
    ['error', { error: 'no such file' }, { text: 'no such file', isError: true }],
    ['a lone text', { result: 'ok' }, { text: 'ok', isError: false }],
    ['several fields', { a: 'x', error: null }, { text: '{"a":"x","error":null}', isError: false }],
    ['output and error', { output: 'x', error: 'y' }, { text: '{"output":"x","error":"y"}', isError: true }],
    ['a nested value', { output: [1] }, { text: '{"output":[1]}', isError: false }],
    ['nothing', {}, { text: '{}', isError: false }],
    ['a string where an object should be', 'plain', { text: 'plain', isError: false }],
    ['no response', undefined, { text: '', isError: false }],
  ])('reads a response holding %s', (_, response, expected) => {
    expect(onePart({ functionResponse: { id: 'a', name: 'f', response } })).toEqual({
      kind: 'tool-result',
      callId: 'a',
      name: 'f',
      media: [],
      ...expected,
    });
  });

  test('lists the media of a response by size, not as text', () => {
    const parts = [{ inlineData: { mimeType: 'image/gif', data: GIF } }, { fileData: { mimeType: 'video/mp4' } }, 5];
    const part = onePart({ functionResponse: { name: 'shot', response: { output: 'done' }, parts } });
    expect(part).toMatchObject({
      text: 'done',
      media: [
        { media: 'image', mimeType: 'image/gif', bytes: 30 },
        { media: 'video', mimeType: 'video/mp4' },
      ],
    });
  });

  test.each<[string, unknown, Message['role']]>([
    ['user', { role: 'user', parts: [{ text: 'a' }] }, 'user'],
    ['no role', { parts: [{ text: 'a' }] }, 'user'],
    ['model', { role: 'model', parts: [{ text: 'a' }] }, 'assistant'],
    ['model without parts', { role: 'model' }, 'assistant'],
    ['function', { role: 'function', parts: [answer('f')] }, 'tool'],
    ['user with responses only', { role: 'user', parts: [answer('f'), answer('g')] }, 'tool'],
    ['user with a response and text', { role: 'user', parts: [answer('f'), { text: 'a' }] }, 'user'],
    ['function without response', { role: 'function', parts: [{ text: 'a' }] }, 'user'],
    ['user without parts', { role: 'user', parts: [] }, 'user'],
    ['one part that is not in a list', { role: 'user', parts: { text: 'a' } }, 'user'],
    ['a role of another dialect', { role: 'assistant', parts: [{ text: 'a' }] }, 'other'],
    ['parts of wrong type', { role: 'user', parts: 'a' }, 'other'],
    ['an empty object', {}, 'other'],
    ['null', null, 'other'],
    ['a string', 'hi', 'other'],
  ])('gives %s its role', (_, native, role) => {
    expect(gemini.decode(native, []).role).toBe(role);
  });

  test('keeps what is no content as one opaque part', () => {
    expect(gemini.decode(7, []).parts).toEqual([{ kind: 'opaque', type: 'content', size: 1, compaction: false }]);
  });

  test('keeps a part per native part, holes included, and the native value itself', () => {
    const native = JSON.parse(
      '{"__proto__":{"x":1},"role":"user","parts":[{"text":"a"},null,{"__proto__":{"text":"b"}}]}',
    );
    native.parts.length = 5;
    const message = gemini.decode(native, []);
    expect(message.native).toBe(native);
    expect(message.parts.map((part) => part.kind)).toEqual(['text', 'opaque', 'opaque', 'opaque', 'opaque']);
  });

  test('is total', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.anything({ withSparseArray: true }), wildContent())), (natives) => {
        for (const [at, message] of decodeAll(natives).entries()) expect(message.native).toBe(natives[at]);
      }),
    );
  });

  test('is total on cycles and depth', () => {
    const cycle: Record<string, unknown> = { name: 'f' };
    cycle['args'] = cycle;
    let deep: unknown = 'end';
    for (let level = 0; level < 50_000; level++) deep = { parts: deep };
    for (const value of [cycle, deep]) {
      expect(() =>
        gemini.decode({ role: 'model', parts: [{ functionCall: value }, { other: value }] }, []),
      ).not.toThrow();
      expect(() => gemini.decodeFixed({ system: value, tools: value })).not.toThrow();
      expect(() => gemini.validate([value, { role: 'model', parts: [{ functionCall: value }] }])).not.toThrow();
    }
  });

  test('introduces no lone surrogate', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const parts = [
          { text: a },
          { functionCall: { name: b, args: { a } } },
          { functionResponse: { response: { b } } },
        ];
        expect(LONE.test(JSON.stringify(gemini.decode({ role: 'user', parts }, []).parts))).toBe(false);
      }),
    );
  });
});

describe('pairing', () => {
  test.each<[string, readonly unknown[], readonly unknown[], readonly string[]]>([
    ['by id', [call('f', 'x'), call('f', 'y')], [answer('f', 'y'), answer('f', 'x')], ['y', 'x']],
    [
      'by name, in order',
      [call('f'), call('g'), call('f')],
      [answer('f'), answer('f'), answer('g')],
      ['@1.0', '@1.2', '@1.1'],
    ],
    ['by order when the name is unknown', [call('f'), call('g')], [answer('z'), answer('f')], ['@1.1', '@1.0']],
    [
      'when only the response has an id',
      [call('f'), call('g')],
      [answer('g', 'inv-2'), answer('f', 'inv-1')],
      ['@1.1', '@1.0'],
    ],
    ['when only the call has an id', [call('f', 'x')], [answer('f')], ['x']],
    [
      'of too many responses leaves the rest alone',
      [call('f')],
      [answer('f'), answer('f'), answer('f', 'k')],
      ['@1.0', '@2.r1', 'k'],
    ],
  ])('%s', (...row) => {
    const [, calls, answers, expected] = row;
    const natives = [{ parts: [{ text: 'go' }] }, { role: 'model', parts: calls }, { role: 'user', parts: answers }];
    expect(results(decodeAll(natives)[2])).toEqual(expected);
  });

  test('goes on over responses split into several contents and a text between', () => {
    const messages = decodeAll([
      { role: 'model', parts: [call('f'), call('f')] },
      { role: 'user', parts: [{ text: 'wait' }] },
      { role: 'user', parts: [answer('f')] },
      { role: 'user', parts: [answer('f')] },
      { role: 'user', parts: [answer('f')] },
    ]);
    expect(messages.flatMap(results)).toEqual(['@0.0', '@0.1', '@4.r0']);
  });

  test('takes calls of model contents in a row together', () => {
    const messages = decodeAll([
      { role: 'model', parts: [call('f')] },
      { role: 'model', parts: [call('g')] },
      { role: 'function', parts: [answer('f'), answer('g')] },
    ]);
    expect(messages.flatMap(results)).toEqual(['@0.0', '@1.0']);
  });

  test('takes the name of its call where the response has none', () => {
    const messages = decodeAll([
      { role: 'model', parts: [call('f')] },
      { parts: [{ functionResponse: { response: {} } }] },
    ]);
    expect(messages[1]?.parts[0]).toMatchObject({ callId: '@0.0', name: 'f' });
  });

  test('gives each of as many shuffled responses as calls a call of its own name', () => {
    const names = fc.array(fc.constantFrom('f', 'g', 'h'), { maxLength: 8 });
    const shuffled = names.chain((given) =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.boolean(), ([given, order], withIds) => {
        const id = (name: string, at: number) => (withIds ? `${name}-${at}` : undefined);
        const messages = decodeAll([
          { role: 'model', parts: given.map((name, at) => call(name, id(name, at))) },
          { role: 'user', parts: order.map((name) => answer(name)) },
        ]);
        const calls = (messages[0]?.parts ?? []).flatMap((part) => (part.kind === 'tool-call' ? [part] : []));
        const found = (messages[1]?.parts ?? []).flatMap((part) => (part.kind === 'tool-result' ? [part] : []));
        expect(new Set(found.map((part) => part.callId)).size).toBe(given.length);
        for (const { callId, name } of found) expect(calls.find((one) => one.callId === callId)?.name).toBe(name);
      }),
    );
  });
});

describe('decodeFixed', () => {
  const text = (value: string) => ({ kind: 'text', text: value });
  test.each<[string, Parameters<typeof gemini.decodeFixed>[0], readonly unknown[]]>([
    ['nothing', {}, []],
    ['null', { system: null, tools: null }, []],
    ['empty values', { system: '', tools: [] }, []],
    ['a string', { system: 'be kind' }, [text('be kind')]],
    ['a content', { system: { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] } }, [text('a'), text('b')]],
    ['a content with a single part', { system: { parts: { text: 'a' } } }, [text('a')]],
    ['a part', { system: { text: 'a' } }, [text('a')]],
    ['parts', { system: [{ text: 'a' }, 'b'] }, [text('a'), text('b')]],
    ['tools', { tools: [{ functionDeclarations: [] }] }, [text('[{"functionDeclarations":[]}]')]],
    ['what it does not know', { system: 5 }, [{ kind: 'opaque', type: 'number', size: 1, compaction: false }]],
  ])('reads %s', (_, fixed, expected) => {
    expect(gemini.decodeFixed(fixed)).toEqual(expected);
  });

  test('is total', () => {
    fc.assert(
      fc.property(fc.anything({ withSparseArray: true }), fc.anything(), (system, tools) => {
        expect(Array.isArray(gemini.decodeFixed({ system, tools }))).toBe(true);
      }),
    );
  });
});

function wildContent(): fc.Arbitrary<unknown> {
  const value = fc.anything();
  const keys = ['text', 'functionCall', 'function_response', 'functionResponse', 'inlineData', 'file_data', 'thought'];
  const struct = fc.record(
    { id: value, name: value, args: value, response: value, parts: value, data: value },
    { requiredKeys: [] },
  );
  const part = fc.dictionary(fc.constantFrom(...keys), fc.oneof(value, struct, fc.string()));
  const role = fc.constantFrom('user', 'model', 'function', undefined);
  return fc.record({ role, parts: fc.oneof(value, fc.array(fc.oneof(value, part))) });
}
