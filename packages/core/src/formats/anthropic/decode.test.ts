import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../model/message.ts';
import { anthropic } from './index.ts';

const decode = (native: unknown, before: readonly Message[] = []): Message => anthropic.decode(native, before);
const partsOf = (...content: unknown[]): Message['parts'] => decode({ role: 'assistant', content }).parts;
const gif = btoa(`GIF89a\x80\x02\xe0\x01${'\0'.repeat(60)}`);
const base64 = (media_type: string, data: string): object => ({ type: 'base64', media_type, data });

describe('decode', () => {
  test.each(['user', 'assistant', 'system'])('string content of role %s is one text part', (role) => {
    const native = { role, content: 'hello' };
    const message = decode(native);
    expect(message).toEqual({ role, parts: [{ kind: 'text', text: 'hello' }], native });
    expect(message.native).toBe(native);
  });

  test.each([
    ['text', { type: 'text', text: 'a' }, { kind: 'text', text: 'a' }],
    [
      'thinking, without its signature',
      { type: 'thinking', thinking: 'hm', signature: 'x'.repeat(99) },
      { kind: 'reasoning', text: 'hm', bound: true },
    ],
    [
      'redacted thinking',
      { type: 'redacted_thinking', data: 'xx' },
      { kind: 'reasoning', text: '', bound: true, sealed: 2 },
    ],
    [
      'tool_use',
      { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a.ts' } },
      { kind: 'tool-call', callId: 't1', name: 'read', input: '{"path":"a.ts"}' },
    ],
    [
      'server_tool_use',
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
      { kind: 'tool-call', callId: 's1', name: 'web_search', input: '{}' },
    ],
    [
      'mcp_tool_use',
      { type: 'mcp_tool_use', id: 'm1', name: 'find', server_name: 's', input: {} },
      { kind: 'tool-call', callId: 'm1', name: 'find', input: '{}' },
    ],
    [
      'inline image',
      { type: 'image', source: base64('image/gif', gif) },
      { kind: 'media', media: 'image', mimeType: 'image/gif', bytes: (gif.length * 3) / 4, width: 640, height: 480 },
    ],
    [
      'image by URL',
      { type: 'image', source: { type: 'url', url: 'https://e.com/a' } },
      { kind: 'media', media: 'image' },
    ],
    [
      'PDF',
      { type: 'document', source: base64('application/pdf', 'JVBERi0x') },
      { kind: 'media', media: 'document', mimeType: 'application/pdf', bytes: 6 },
    ],
    [
      'document of plain text, which is text',
      { type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
      { kind: 'text', text: 'T\nwords' },
    ],
    [
      'document of text blocks, which is text',
      {
        type: 'document',
        source: {
          type: 'content',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      },
      { kind: 'text', text: 'a\nb' },
    ],
    [
      'document of other blocks',
      { type: 'document', source: { type: 'content', content: [{ type: 'image' }] } },
      { kind: 'media', media: 'document' },
    ],
    [
      'search result, which is text',
      { type: 'search_result', title: 'T', source: 'https://e.com', content: [{ type: 'text', text: 'hit' }] },
      { kind: 'text', text: 'T\nhttps://e.com\nhit' },
    ],
    [
      'compaction',
      { type: 'compaction', content: 'so far' },
      { kind: 'opaque', type: 'compaction', size: 40, compaction: true },
    ],
    [
      'container_upload, which no decoder knows',
      { type: 'container_upload', file_id: 'f' },
      { kind: 'opaque', type: 'container_upload', size: 41, compaction: false },
    ],
    ['number', 7, { kind: 'opaque', type: 'unknown', size: 1, compaction: false }],
    ['tool_use without id', { type: 'tool_use' }, { kind: 'opaque', type: 'tool_use', size: 19, compaction: false }],
    ['text that is none', { type: 'text', text: 1 }, { kind: 'opaque', type: 'text', size: 24, compaction: false }],
  ])('%s', (_, block, part) => {
    expect(partsOf(block)).toEqual([part]);
  });

  test.each([
    ['a string', 'out', { text: 'out' }],
    ['nothing', undefined, { text: '' }],
    [
      'text and media',
      [
        { type: 'text', text: 'a' },
        { type: 'image', source: base64('image/png', 'AAAA') },
        { type: 'text', text: 'b' },
      ],
      { text: 'a\nb', media: [{ media: 'image', mimeType: 'image/png', bytes: 3 }] },
    ],
    [
      'a tool reference',
      [{ type: 'tool_reference', tool_name: 'x' }],
      { text: '{"type":"tool_reference","tool_name":"x"}' },
    ],
  ])('a tool_result of %s gives its words and media', (_, content, expected) => {
    expect(partsOf({ type: 'tool_result', tool_use_id: 't1', content })).toEqual([
      { kind: 'tool-result', callId: 't1', name: '', isError: false, media: [], ...expected },
    ]);
  });

  test.each([
    [
      'web_search_tool_result',
      [{ type: 'web_search_result', title: 'T', url: 'U', encrypted_content: 'zzz' }],
      { text: '{"type":"web_search_result","title":"T","url":"U"}' },
    ],
    [
      'web_search_tool_result',
      { type: 'web_search_tool_result_error', error_code: 'unavailable' },
      { text: '{"type":"web_search_tool_result_error","error_code":"unavailable"}', isError: true },
    ],
    [
      'web_fetch_tool_result',
      { type: 'web_fetch_result', url: 'U', content: { type: 'document', source: base64('application/pdf', 'AAAA') } },
      { text: 'U', media: [{ media: 'document', mimeType: 'application/pdf', bytes: 3 }] },
    ],
    [
      'web_fetch_tool_result',
      { type: 'web_fetch_result', url: 'U', content: { type: 'document', source: { type: 'text', data: 'page' } } },
      { text: 'U\npage' },
    ],
    ['advisor_tool_result', { type: 'advisor_result', text: 'do it' }, { text: 'do it' }],
    ['mcp_tool_result', [{ type: 'text', text: 'ok' }], { text: 'ok' }],
    ['some_future_tool_result', { answer: 42 }, { text: '{"answer":42}' }],
  ])('%s stands in the assistant message as a result', (type, content, expected) => {
    expect(partsOf({ type, tool_use_id: 's1', content })).toEqual([
      { kind: 'tool-result', callId: 's1', name: '', isError: false, media: [], ...expected },
    ]);
  });

  test('a result has the name of its call, in the turn before or in its own message', () => {
    const call = { type: 'tool_use', id: 't1', name: 'read', input: {} };
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'x', is_error: true };
    const before = [
      { role: 'assistant', content: [call] },
      { role: 'user', content: [] },
    ].map((native) => decode(native));
    const names = [decode({ role: 'user', content: [result] }, before).parts, partsOf(call, result)].map((parts) =>
      parts.at(-1),
    );
    expect(names).toMatchObject([
      { name: 'read', isError: true },
      { name: 'read', isError: true },
    ]);
  });

  test.each([
    null,
    7,
    'text',
    [],
    {},
    { role: 'user' },
    { role: 'user', content: null },
    { role: 'tool', content: 'x' },
    { role: '__proto__', content: 'x' },
  ])('what is no message is carried as one opaque part: %j', (native) => {
    const message = decode(native);
    expect(message).toMatchObject({ role: 'other', parts: [{ kind: 'opaque', compaction: false }] });
    expect(message.native).toBe(native);
  });

  test('loses no block and never throws', () => {
    const block = fc.oneof(fc.anything(), fc.record({ type: anyType, source: fc.anything(), content: fc.anything() }));
    fc.assert(
      fc.property(fc.oneof(fc.array(block), fc.anything()), (content) => {
        const native = { role: 'user', content };
        const message = decode(native, [decode(content)]);
        expect(message.native).toBe(native);
        if (Array.isArray(content)) expect(message.parts).toHaveLength(content.length);
      }),
    );
  });

  test('nesting without bound is carried, not followed', () => {
    let deep: unknown = 'x';
    for (let depth = 0; depth < 50_000; depth += 1) {
      deep = { type: 'document', content: [deep], source: { type: 'content', content: [deep] } };
    }
    expect(partsOf(deep, { type: 'new', deep })).toHaveLength(2);
    expect(anthropic.validate([{ role: 'user', content: [deep] }])).toEqual([]);
  });
});

describe('decodeFixed', () => {
  test.each([
    ['nothing', {}, []],
    ['a string', { system: 'be kind' }, ['be kind']],
    ['empty values', { system: '', tools: [] }, []],
    [
      'text blocks',
      {
        system: [
          { type: 'text', text: 'a', cache_control: {} },
          { type: 'text', text: 'b' },
        ],
      },
      ['a', 'b'],
    ],
    ['tools', { tools: [{ name: 'read' }] }, ['[{"name":"read"}]']],
    ['both', { system: 'a', tools: { any: 1 } }, ['a', '{"any":1}']],
  ])('%s', (_, fixed, texts) => {
    expect(anthropic.decodeFixed(fixed)).toEqual(texts.map((text) => ({ kind: 'text', text })));
  });

  test('never throws', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.anything(),
        (system, tools) => anthropic.decodeFixed({ system, tools }).length >= 0,
      ),
    );
  });
});

test('a message of ours is plain, and reads back as it was', () => {
  const native = anthropic.compose({ role: 'user', text: 'summary' });
  expect(native).toEqual({ role: 'user', content: 'summary' });
  expect(decode(native)).toMatchObject({ role: 'user', parts: [{ kind: 'text', text: 'summary' }] });
});

const anyType = fc.constantFrom(
  'text',
  'thinking',
  'tool_use',
  'tool_result',
  'web_fetch_tool_result',
  'document',
  'image',
  'search_result',
  'compaction',
);
