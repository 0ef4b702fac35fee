import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message, Part } from '../../model/message.ts';
import { openaiChat } from './index.ts';

const PNG_3X2 = 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAC0lEQVR4nGNgQAcAABIAAeRVjecAAAAASUVORK5CYII=';

function decodeAll(natives: readonly unknown[]): readonly Message[] {
  const messages: Message[] = [];
  for (const native of natives) messages.push(openaiChat.decode(native, messages));
  return messages;
}

function partsOf(native: unknown): readonly Part[] {
  return openaiChat.decode(native, []).parts;
}

const call = (id: string, name = 'read', args: unknown = '{"path":"a.ts"}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

describe('roles', () => {
  test.each([
    ['system', 'system'],
    ['developer', 'system'],
    ['user', 'user'],
    ['assistant', 'assistant'],
    ['tool', 'tool'],
    ['function', 'tool'],
    ['narrator', 'other'],
  ])('%s is %s', (role, expected) => {
    expect(openaiChat.decode({ role, content: 'x' }, []).role).toBe(expected);
  });

  test.each([null, undefined, 7, 'text', [], [{ role: 'user' }], {}, { role: null }, { role: '__proto__' }])(
    '%j is one opaque part of role other',
    (native) => {
      const message = openaiChat.decode(native, []);
      expect(message.role).toBe('other');
      expect(message.parts).toMatchObject([{ kind: 'opaque', compaction: false }]);
      expect(message.native).toBe(native);
    },
  );
});

describe('content', () => {
  test('a string is one text part, null is none', () => {
    expect(partsOf({ role: 'user', content: 'hello' })).toEqual([{ kind: 'text', text: 'hello' }]);
    expect(partsOf({ role: 'user', content: '' })).toEqual([{ kind: 'text', text: '' }]);
    expect(partsOf({ role: 'assistant', content: null })).toEqual([]);
    expect(partsOf({ role: 'user' })).toEqual([]);
  });

  test.each<[string, unknown, Part]>([
    ['text', { type: 'text', text: 'a' }, { kind: 'text', text: 'a' }],
    ['bare string', 'a', { kind: 'text', text: 'a' }],
    ['refusal', { type: 'refusal', refusal: 'no' }, { kind: 'text', text: 'no' }],
    [
      'image by address',
      { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
      { kind: 'media', media: 'image', detail: 'low' },
    ],
    [
      'inline image',
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG_3X2}` } },
      { kind: 'media', media: 'image', mimeType: 'image/png', bytes: (PNG_3X2.length * 3) / 4, width: 3, height: 2 },
    ],
    [
      'image as a string',
      { type: 'image_url', image_url: 'https://example.com/a.png' },
      { kind: 'media', media: 'image' },
    ],
    [
      'video',
      { type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } },
      { kind: 'media', media: 'video', mimeType: 'video/mp4', bytes: 3 },
    ],
    [
      'audio by address',
      { type: 'audio_url', audio_url: { url: 'https://example.com/a.ogg' } },
      { kind: 'media', media: 'audio' },
    ],
    [
      'audio',
      { type: 'input_audio', input_audio: { data: 'AAAAAAAA', format: 'wav' } },
      { kind: 'media', media: 'audio', mimeType: 'audio/wav', bytes: 6 },
    ],
    [
      'inline file',
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
      { kind: 'media', media: 'document', mimeType: 'application/pdf', bytes: 3 },
    ],
    ['stored file', { type: 'file', file: { file_id: 'file-1' } }, { kind: 'media', media: 'file' }],
    [
      'thinking of Mistral',
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { kind: 'reasoning', text: 'hm', bound: false },
    ],
    [
      'signed thinking',
      { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
      { kind: 'reasoning', text: 'hm', bound: true },
    ],
    [
      'unknown block',
      { type: 'hologram', depth: 3 },
      { kind: 'opaque', type: 'hologram', size: 29, compaction: false },
    ],
    ['no block', 12, { kind: 'opaque', type: 'unknown', size: 2, compaction: false }],
    ['text without text', { type: 'text', text: 4 }, { kind: 'opaque', type: 'text', size: 24, compaction: false }],
    [
      'image without address',
      { type: 'image_url' },
      { kind: 'opaque', type: 'image_url', size: 20, compaction: false },
    ],
  ])('%s', (_, block, part) => {
    expect(partsOf({ role: 'user', content: [block] })).toEqual([part]);
  });
});

describe('assistant', () => {
  test('parts stand as thinking, content, refusal, audio, calls, legacy call', () => {
    const native = {
      role: 'assistant',
      function_call: { name: 'old', arguments: '{}' },
      tool_calls: [call('c1'), { id: 'c2', type: 'custom', custom: { name: 'sql', input: 'select 1' } }, { id: 'c3' }],
      audio: { id: 'audio_1' },
      refusal: 'no',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      reasoning_content: 'because',
    };
    expect(partsOf(native)).toEqual([
      { kind: 'reasoning', text: 'because', bound: false },
      { kind: 'text', text: 'one' },
      { kind: 'text', text: 'two' },
      { kind: 'text', text: 'no' },
      { kind: 'media', media: 'audio' },
      { kind: 'tool-call', callId: 'c1', name: 'read', input: '{"path":"a.ts"}' },
      { kind: 'tool-call', callId: 'c2', name: 'sql', input: 'select 1' },
      { kind: 'opaque', type: 'unknown', size: 11, compaction: false },
      { kind: 'tool-call', callId: 'function:old', name: 'old', input: '{}' },
    ]);
  });

  test('arguments that are an object become JSON text', () => {
    const native = { role: 'assistant', tool_calls: [call('c1', 'read', { path: 'a' })] };
    expect(partsOf(native)).toMatchObject([{ input: '{"path":"a"}' }]);
  });

  test.each<[string, object, Part]>([
    ['vLLM', { reasoning: 'because' }, { kind: 'reasoning', text: 'because', bound: false }],
    [
      'OpenRouter, signed',
      { reasoning: 'a', reasoning_details: [{ type: 'reasoning.text', text: 'a', signature: 'c2ln' }] },
      { kind: 'reasoning', text: 'a', bound: true },
    ],
    [
      'OpenRouter, encrypted',
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x'.repeat(999), format: 'openai-responses-v1' }] },
      { kind: 'reasoning', text: '', bound: false },
    ],
    [
      'LiteLLM',
      { reasoning_content: 'a', thinking_blocks: [{ type: 'thinking', thinking: 'a', signature: 'c2ln' }] },
      { kind: 'reasoning', text: 'a', bound: true },
    ],
  ])('thinking of %s is one part without its seals', (_, fields, part) => {
    expect(partsOf({ role: 'assistant', content: 'x', ...fields })).toEqual([part, { kind: 'text', text: 'x' }]);
  });

  test.each([null, '', [], 3])('empty thinking %j is no part', (reasoning_content) => {
    expect(partsOf({ role: 'assistant', content: 'x', reasoning_content })).toEqual([{ kind: 'text', text: 'x' }]);
  });
});

describe('results', () => {
  test('take the name of their call, across a parallel batch', () => {
    const messages = decodeAll([
      { role: 'assistant', content: null, tool_calls: [call('c1', 'read'), call('c2', 'write')] },
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: 'two', is_error: true },
      { role: 'tool', tool_call_id: 'c3', content: 'three' },
      { role: 'tool', tool_call_id: 'c4', name: 'own', content: null },
    ]);
    expect(messages.slice(1).map((message) => message.parts[0])).toEqual([
      { kind: 'tool-result', callId: 'c1', name: 'read', text: 'one', isError: false, media: [] },
      { kind: 'tool-result', callId: 'c2', name: 'write', text: 'two', isError: true, media: [] },
      { kind: 'tool-result', callId: 'c3', name: '', text: 'three', isError: false, media: [] },
      { kind: 'tool-result', callId: 'c4', name: 'own', text: '', isError: false, media: [] },
    ]);
  });

  test('legacy results pair with their call by name', () => {
    const [asked, answered] = decodeAll([
      { role: 'assistant', content: null, function_call: { name: 'old', arguments: '{}' } },
      { role: 'function', name: 'old', content: 'done' },
    ]);
    expect(asked?.parts[0]).toMatchObject({ kind: 'tool-call', callId: 'function:old' });
    expect(answered?.parts[0]).toMatchObject({
      kind: 'tool-result',
      callId: 'function:old',
      name: 'old',
      text: 'done',
    });
  });

  test('join their texts and list their media', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'text', text: 'b' },
      { type: 'hologram' },
    ];
    expect(partsOf({ role: 'tool', tool_call_id: 'c1', content })).toMatchObject([
      { text: 'a\nb\n{"type":"hologram"}', media: [{ media: 'image' }] },
    ]);
  });
});

describe('fixed', () => {
  test.each<[string, object, readonly Part[]]>([
    ['nothing', {}, []],
    ['empty', { system: '', tools: [] }, []],
    ['null', { system: null, tools: null }, []],
    ['a string', { system: 'be brief' }, [{ kind: 'text', text: 'be brief' }]],
    [
      'blocks',
      { system: [{ type: 'text', text: 'a' }, 'b'] },
      [
        { kind: 'text', text: 'a' },
        { kind: 'text', text: 'b' },
      ],
    ],
    ['a message', { system: { role: 'system', content: 'a' } }, [{ kind: 'text', text: 'a' }]],
    [
      'messages',
      { system: [{ role: 'developer', content: [{ type: 'text', text: 'a' }] }] },
      [{ kind: 'text', text: 'a' }],
    ],
    ['tools', { tools: [{ type: 'function' }] }, [{ kind: 'text', text: '[{"type":"function"}]' }]],
  ])('%s', (_, fixed, parts) => {
    expect(openaiChat.decodeFixed(fixed)).toEqual(parts);
  });
});

describe('totality', () => {
  const field = fc.oneof(fc.anything(), fc.jsonValue(), fc.array(fc.record({ type: fc.string() })));
  const nearly = fc.record(
    {
      role: fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 'function', 'x'),
      content: field,
      tool_calls: field,
      function_call: field,
      tool_call_id: field,
      reasoning_details: field,
      audio: field,
      name: field,
    },
    { requiredKeys: ['role'] },
  );

  test('decodes anything to one message with the very same native', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.anything(), fc.jsonValue(), nearly)), (natives) => {
        const messages = decodeAll(natives);
        expect(messages.map((message) => message.native)).toEqual(natives);
        for (const [at, message] of messages.entries()) expect(Object.is(message.native, natives[at])).toBe(true);
      }),
    );
  });

  test('reads any system and tools', () => {
    fc.assert(
      fc.property(field, field, (system, tools) => {
        expect(Array.isArray(openaiChat.decodeFixed({ system, tools }))).toBe(true);
      }),
    );
  });

  test('survives deep and long input', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(partsOf({ role: 'user', content: deep })).toHaveLength(1);
    expect(partsOf({ role: 'user', content: Array.from({ length: 200_000 }, () => 'a') })).toHaveLength(200_000);
  });

  test('own keys named __proto__ change nothing but the native', () => {
    const native: unknown = JSON.parse('{"role":"user","content":"a","__proto__":{"role":"system"}}');
    expect(openaiChat.decode(native, [])).toMatchObject({ role: 'user', parts: [{ text: 'a' }] });
    expect(Object.keys(Object(openaiChat.edit(openaiChat.decode(native, []), [{ part: 0, text: 'b' }])))).toContain(
      '__proto__',
    );
  });
});
