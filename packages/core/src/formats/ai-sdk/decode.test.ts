import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Part } from '../../model/message.ts';
import { aiSdk } from './index.ts';

const PNG_3X2 = 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAC0lEQVR4nGNgQAcAABIAAeRVjecAAAAASUVORK5CYII=';
const PNG_BYTES = Uint8Array.from(atob(PNG_3X2), (char) => char.charCodeAt(0));
const PNG_SIZE = { bytes: PNG_BYTES.length, width: 3, height: 2 };

function partsOf(native: unknown): readonly Part[] {
  return aiSdk.decode(native, []).parts;
}

describe('roles', () => {
  test.each(['system', 'user', 'assistant', 'tool'])('%s is itself', (role) => {
    expect(aiSdk.decode({ role, content: 'x' }, []).role).toBe(role);
  });

  test.each([null, undefined, 7, 'text', [], {}, { role: 'data' }, new Uint8Array(9)])(
    '%j is one opaque part of role other',
    (native) => {
      const message = aiSdk.decode(native, []);
      expect(message.role).toBe('other');
      expect(message.parts).toMatchObject([{ kind: 'opaque', compaction: false }]);
      expect(message.native).toBe(native);
    },
  );
});

describe('content', () => {
  test('a string is one text part, nothing is none, any other value is carried', () => {
    expect(partsOf({ role: 'system', content: 's' })).toEqual([{ kind: 'text', text: 's' }]);
    expect(partsOf({ role: 'user' })).toEqual([]);
    expect(partsOf({ role: 'user', content: 12 })).toEqual([
      { kind: 'opaque', type: 'unknown', size: 2, compaction: false },
    ]);
  });

  test('an array is one part per entry, in order', () => {
    const content = [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'a' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a.ts' } },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'say', input: 'raw' },
      { type: 'tool-call', toolCallId: 'c3', toolName: 'now' },
      { type: 'tool-approval-request', approvalId: 'p1', toolCallId: 'c1' },
      null,
    ];
    expect(partsOf({ role: 'assistant', content })).toEqual([
      { kind: 'reasoning', text: 'hm', bound: false },
      { kind: 'text', text: 'a' },
      { kind: 'tool-call', callId: 'c1', name: 'read', input: '{"path":"a.ts"}' },
      { kind: 'tool-call', callId: 'c2', name: 'say', input: 'raw' },
      { kind: 'tool-call', callId: 'c3', name: 'now', input: '' },
      { kind: 'opaque', type: 'tool-approval-request', size: JSON.stringify(content[5]).length, compaction: false },
      { kind: 'opaque', type: 'unknown', size: 4, compaction: false },
    ]);
  });
});

test.each<[unknown, boolean]>([
  [undefined, false],
  [{ anthropic: { signature: 'c2ln' } }, true],
  [{ anthropic: { redactedData: 'ZGF0YQ' } }, true],
  [{ bedrock: { signature: 'c2ln' } }, true],
  [{ amazonBedrock: { redactedContent: 'ZGF0YQ' } }, true],
  [{ anthropic: { cacheControl: { type: 'ephemeral' } } }, false],
  [{ openai: { itemId: 'rs_1', reasoningEncryptedContent: 'ZGF0YQ' } }, false],
  [{ google: { thoughtSignature: 'c2ln' } }, false],
  [{ anthropic: null }, false],
  ['text', false],
])('thinking with options %j is bound: %s', (providerOptions, bound) => {
  const content = [{ type: 'reasoning', text: 'hm', providerOptions }];
  expect(partsOf({ role: 'assistant', content })).toMatchObject([{ kind: 'reasoning', text: 'hm', bound }]);
});

test.each([
  { type: 'text', text: 'summary', providerOptions: { anthropic: { type: 'compaction' } } },
  { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { type: 'compaction', itemId: 'cmp_1' } } },
])('the provider compaction %j is opaque', (block) => {
  expect(partsOf({ role: 'assistant', content: [block] })).toMatchObject([{ kind: 'opaque', compaction: true }]);
});

describe('media', () => {
  test.each<[string, object, Part]>([
    ['base64 image', { type: 'image', image: PNG_3X2 }, { kind: 'media', media: 'image', ...PNG_SIZE, bytes: 69 }],
    [
      'data URL image',
      { type: 'image', image: `data:image/png;base64,${PNG_3X2}` },
      { kind: 'media', media: 'image', mimeType: 'image/png', ...PNG_SIZE, bytes: 69 },
    ],
    ['image as bytes', { type: 'image', image: PNG_BYTES }, { kind: 'media', media: 'image', ...PNG_SIZE }],
    [
      'image as a Buffer',
      { type: 'image', image: Buffer.from(PNG_BYTES) },
      { kind: 'media', media: 'image', ...PNG_SIZE },
    ],
    [
      'image as an ArrayBuffer',
      { type: 'image', image: PNG_BYTES.buffer },
      { kind: 'media', media: 'image', ...PNG_SIZE },
    ],
    ['image by URL', { type: 'image', image: new URL('https://example.com/a') }, { kind: 'media', media: 'image' }],
    ['image by address', { type: 'image', image: 'https://example.com/a' }, { kind: 'media', media: 'image' }],
    [
      'data URL object',
      { type: 'file', mediaType: 'application/pdf', data: new URL('data:application/pdf;base64,AAAA') },
      { kind: 'media', media: 'document', mimeType: 'application/pdf', bytes: 3 },
    ],
    [
      'file',
      { type: 'file', mediaType: 'audio/wav', data: new Uint8Array(5) },
      { kind: 'media', media: 'audio', mimeType: 'audio/wav', bytes: 5 },
    ],
    [
      'tagged data (v7)',
      { type: 'file', mediaType: 'image', data: { type: 'data', data: PNG_BYTES } },
      { kind: 'media', media: 'image', mimeType: 'image', ...PNG_SIZE },
    ],
    [
      'tagged address (v7)',
      { type: 'file', mediaType: 'video/mp4', data: { type: 'url', url: new URL('https://example.com/a') } },
      { kind: 'media', media: 'video', mimeType: 'video/mp4' },
    ],
    [
      'provider reference (v7)',
      { type: 'file', mediaType: 'application/pdf', data: { openai: 'file-1' } },
      { kind: 'media', media: 'document', mimeType: 'application/pdf' },
    ],
    [
      'stored Buffer',
      { type: 'file', mediaType: 'text/csv', data: { type: 'Buffer', data: [1, 2, 3] } },
      { kind: 'media', media: 'file', mimeType: 'text/csv', bytes: 3 },
    ],
    [
      'thinking file (v7)',
      { type: 'reasoning-file', mediaType: 'image/png', data: PNG_BYTES },
      { kind: 'media', media: 'image', mimeType: 'image/png', ...PNG_SIZE },
    ],
    [
      'inline text document (v7)',
      { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'notes' } },
      { kind: 'text', text: 'notes' },
    ],
  ])('%s', (_, block, part) => {
    expect(partsOf({ role: 'user', content: [block] })).toEqual([part]);
  });

  test('binary data is never written out, wherever it stands', () => {
    const bytes = Object.assign(new Uint8Array(1_000_000), {
      toJSON: () => {
        throw new Error('stringified');
      },
    });
    const content = [
      { type: 'hologram', bytes },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'draw', input: { bytes, at: new URL('data:,abc') } },
      { type: 'tool-result', toolCallId: 'c1', toolName: 'draw', output: { type: 'json', value: [bytes] } },
      bytes,
    ];
    expect(partsOf({ role: 'assistant', content })).toMatchObject([
      { kind: 'opaque', size: '{"type":"hologram","bytes":"[1000000 bytes]"}'.length },
      { input: '{"bytes":"[1000000 bytes]","at":"[data URL]"}' },
      { text: '["[1000000 bytes]"]' },
      { kind: 'opaque', size: 15 },
    ]);
  });
});

describe('results', () => {
  test.each<[string, unknown, object]>([
    ['text', { type: 'text', value: 'a' }, { text: 'a' }],
    ['json', { type: 'json', value: { a: 1 } }, { text: '{"a":1}' }],
    ['json null', { type: 'json', value: null }, { text: '' }],
    ['error-text', { type: 'error-text', value: 'no' }, { text: 'no', isError: true }],
    ['error-json', { type: 'error-json', value: [1] }, { text: '[1]', isError: true }],
    ['execution-denied', { type: 'execution-denied', reason: 'not now' }, { text: 'not now', isError: true }],
    ['execution-denied without reason', { type: 'execution-denied' }, { isError: true }],
    [
      'content',
      {
        type: 'content',
        value: [
          { type: 'text', text: 'a' },
          { type: 'image-data', data: PNG_3X2, mediaType: 'image/png' },
          { type: 'file-url', url: 'https://example.com/a.pdf', mediaType: 'application/pdf' },
          { type: 'file-id', fileId: 'file-1' },
          { type: 'image-file-id', fileId: 'file-1' },
          { type: 'media', data: 'AAAA', mediaType: 'audio/wav' },
          { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'b' } },
          { type: 'custom' },
        ],
      },
      {
        text: 'a\nb\n{"type":"custom"}',
        media: [
          { media: 'image', mimeType: 'image/png', bytes: 69, width: 3, height: 2 },
          { media: 'document', mimeType: 'application/pdf' },
          { media: 'file' },
          { media: 'image' },
          { media: 'audio', mimeType: 'audio/wav', bytes: 3 },
        ],
      },
    ],
    ['an unknown output', { type: 'hologram', x: 1 }, { text: '{"type":"hologram","x":1}' }],
    ['no object', 'bare', { text: 'bare' }],
    ['nothing', undefined, {}],
  ])('%s', (_, output, expected) => {
    const content = [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output }];
    const plain = { kind: 'tool-result', callId: 'c1', name: 'read', text: '', isError: false, media: [] };
    expect(partsOf({ role: 'tool', content })).toEqual([{ ...plain, ...expected }]);
  });

  test('a tool message holds several', () => {
    const result = (toolCallId: string) => ({ type: 'tool-result', toolCallId, toolName: 'x', output: 'a' });
    const content = [result('c1'), { type: 'tool-approval-response', approvalId: 'p1', approved: true }, result('c2')];
    expect(partsOf({ role: 'tool', content }).map((part) => part.kind)).toEqual([
      'tool-result',
      'opaque',
      'tool-result',
    ]);
  });
});

test('an approval, granted or denied, belongs to the call its request names', () => {
  const request = { type: 'tool-approval-request', approvalId: 'p1', toolCallId: 'c1' };
  const before = [aiSdk.decode({ role: 'assistant', content: [request] }, [])];
  const response = { type: 'tool-approval-response', approvalId: 'p1', approved: false };
  const { parts } = aiSdk.decode({ role: 'tool', content: [response] }, before);
  expect(parts).toMatchObject([{ kind: 'opaque', approves: 'c1' }]);
  expect(partsOf({ role: 'tool', content: [response] })).toMatchObject([{ kind: 'opaque', approves: '' }]);
});

describe('fixed', () => {
  const schema = { type: 'object', properties: { path: { type: 'string' } } };
  const sent = `[{"name":"read","description":"Reads","inputSchema":${JSON.stringify(schema)}}]`;
  const standard = { '~standard': { version: 1, jsonSchema: { input: () => schema } } };
  const failing = {
    get jsonSchema(): unknown {
      throw new Error('no schema');
    },
  };

  test.each<[string, object, readonly Part[]]>([
    ['nothing', {}, []],
    ['empty', { system: '', tools: {} }, []],
    ['null', { system: null, tools: null }, []],
    ['a string', { system: 's' }, [{ kind: 'text', text: 's' }]],
    ['a message', { system: { role: 'system', content: 's' } }, [{ kind: 'text', text: 's' }]],
    [
      'messages',
      { system: [{ role: 'system', content: 's' }, 't'] },
      [
        { kind: 'text', text: 's' },
        { kind: 'text', text: 't' },
      ],
    ],
    ['plain schemas', { tools: [{ name: 'read' }] }, [{ kind: 'text', text: '[{"name":"read"}]' }]],
    [
      'a tool set',
      { tools: { read: { description: 'Reads', inputSchema: { jsonSchema: schema }, execute: () => 1 } } },
      [{ kind: 'text', text: sent }],
    ],
    [
      'a standard schema',
      { tools: { read: { description: 'Reads', inputSchema: standard } } },
      [{ kind: 'text', text: sent }],
    ],
    [
      'a failing schema',
      { tools: { read: { inputSchema: failing } } },
      [{ kind: 'text', text: '[{"name":"read","description":""}]' }],
    ],
    [
      'a provider tool',
      { tools: { web: { type: 'provider', id: 'openai.web', args: { a: 1 } } } },
      [{ kind: 'text', text: '[{"name":"web","id":"openai.web","args":{"a":1}}]' }],
    ],
  ])('%s', (_, fixed, parts) => {
    expect(aiSdk.decodeFixed(fixed)).toEqual(parts);
  });
});

describe('totality', () => {
  const anything = fc.anything({
    withTypedArray: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withBigInt: true,
  });
  const block = fc.record({
    type: fc.constantFrom('text', 'image', 'file', 'reasoning', 'tool-call', 'tool-result', 'custom', 'x'),
    text: anything,
    image: anything,
    data: anything,
    input: anything,
    output: anything,
    mediaType: anything,
    providerOptions: anything,
  });
  const role = fc.constantFrom('system', 'user', 'assistant', 'tool');
  const nearly = fc.record({ role, content: fc.oneof(anything, fc.array(block)) });

  test('decodes anything to one message with the very same native', () => {
    fc.assert(
      fc.property(fc.oneof(anything, fc.jsonValue(), nearly), (native) => {
        expect(Object.is(aiSdk.decode(native, []).native, native)).toBe(true);
      }),
    );
  });

  test('reads any system and tools', () => {
    fc.assert(
      fc.property(anything, anything, (system, tools) => {
        expect(Array.isArray(aiSdk.decodeFixed({ system, tools }))).toBe(true);
      }),
    );
  });

  test('survives deep, cyclic and detached input', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const cyclic: Record<string, unknown> = { bytes: new Uint8Array(3) };
    cyclic['self'] = cyclic;
    const detached = new Uint8Array(3);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    const content = [deep, cyclic, { type: 'image', image: detached }];
    expect(partsOf({ role: 'user', content })).toHaveLength(3);
  });
});
