import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartEdit } from '../../model/message.ts';
import { anthropic } from './index.ts';

const edit = (native: unknown, ...edits: PartEdit[]): unknown => anthropic.edit(anthropic.decode(native, []), edits);
const editBlock = (role: string, block: unknown, text: string | null): unknown => {
  const native = edit({ role, content: [{ type: 'text', text: 'kept' }, block, call] }, { part: 1, text });
  return Object(native).content.slice(1, -1);
};
const call = { type: 'tool_use', id: 't9', name: 'read', input: {} };
const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
const cache_control = { type: 'ephemeral' };

describe('edit', () => {
  test.each([
    ['no edits', []],
    ['a call', [{ part: 1, text: 'x' }]],
    ['a dropped call', [{ part: 1, text: null }]],
    ['a part that is not there', [{ part: 9, text: 'x' }]],
  ])('%s leaves the very same message', (_, edits) => {
    const native = { role: 'assistant', content: [{ type: 'text', text: 'a' }, call] };
    expect(edit(native, ...edits)).toBe(native);
  });

  test('untouched blocks and unknown fields are kept, the input is not changed', () => {
    const native = Object.freeze({
      role: 'user',
      content: Object.freeze([call, { type: 'text', text: 'a', x: 1 }]),
      id: 7,
    });
    const edited = edit(native, { part: 1, text: 'b' });
    expect(edited).toEqual({ role: 'user', content: [call, { type: 'text', text: 'b', x: 1 }], id: 7 });
    expect(Object(edited).content[0]).toBe(call);
  });

  test('an own key __proto__ survives', () => {
    const native: unknown = JSON.parse('{"role":"user","content":"a","__proto__":{"x":1}}');
    expect(JSON.stringify(edit(native, { part: 0, text: 'b' }))).toBe(
      '{"role":"user","content":"b","__proto__":{"x":1}}',
    );
  });

  test.each([
    ['text', { type: 'text', text: 'old', cache_control }, [{ type: 'text', text: 'new', cache_control }]],
    ['cited text', { type: 'text', text: 'old', citations: [{ x: 1 }] }, [{ type: 'text', text: 'new' }]],
    [
      'a result with its error mark',
      { type: 'tool_result', tool_use_id: 't1', is_error: true, content: [{ type: 'text', text: 'old' }], x: 1 },
      [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'new', x: 1 }],
    ],
    [
      'media',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' }, cache_control },
      [{ type: 'text', text: 'new', cache_control }],
    ],
    [
      'a plain-text document',
      { type: 'document', source: { type: 'text', data: 'old' } },
      [{ type: 'text', text: 'new' }],
    ],
    ['a block without shape', 7, [{ type: 'text', text: 'new' }]],
    ['thinking, which is dropped', thinking, []],
  ])('rewrites %s', (_, block, expected) => {
    expect(editBlock('user', block, 'new')).toEqual(expected);
  });

  test.each([
    ['mcp_tool_result', [{ type: 'text', text: 'old' }], [{ type: 'text', text: 'new' }]],
    ['mcp_tool_result', 'old', 'new'],
    ['web_search_tool_result', [{ type: 'web_search_result', encrypted_content: 'z' }], []],
    ['tool_search_tool_result', { tool_references: [1] }, { tool_references: [1] }],
    [
      'code_execution_tool_result',
      { type: 'code_execution_result', stdout: 'old', stderr: 'e', return_code: 0 },
      { type: 'code_execution_result', stdout: 'new', stderr: '', return_code: 0 },
    ],
    ['advisor_tool_result', { type: 'advisor_result', text: 'old' }, { type: 'advisor_result', text: 'new' }],
    [
      'text_editor_code_execution_tool_result',
      { content: 'old', file_type: 'text' },
      { content: 'new', file_type: 'text' },
    ],
    [
      'web_fetch_tool_result',
      { url: 'U', content: { type: 'document', title: 'T', source: { type: 'base64', data: 'AAAA' } } },
      {
        url: 'U',
        content: { type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'new' } },
      },
    ],
  ])('%s keeps its schema', (type, content, expected) => {
    const block = { type, tool_use_id: 's1', content };
    expect(editBlock('assistant', block, 'new')).toEqual([{ ...block, content: expected }]);
  });

  test.each([
    ['text', { type: 'text', text: 'old' }],
    ['a result', { type: 'tool_result', tool_use_id: 't1', content: 'old' }],
    ['media', { type: 'image', source: {} }],
    ['thinking', thinking],
    ['an opaque block', { type: 'new' }],
  ])('null leaves out %s', (_, block) => {
    expect(editBlock('user', block, null)).toEqual([]);
  });

  test.each([
    ['its only text', { role: 'user', content: 'a' }, { part: 0, text: null }],
    ['a blank text', { role: 'user', content: 'a' }, { part: 0, text: ' \n' }],
    ['its only block', { role: 'assistant', content: [thinking] }, { part: 0, text: null }],
    [
      'all but thinking',
      { role: 'assistant', content: [thinking, { type: 'text', text: 'a' }] },
      { part: 1, text: null },
    ],
    [
      'all but a blank text',
      { role: 'assistant', content: [{ type: 'text', text: '\n\n' }, thinking] },
      { part: 1, text: null },
    ],
    ['an entry of unknown shape', 7, { part: 0, text: null }],
  ])('nothing is left of a message without %s', (_, native, change) => {
    expect(edit(native, change)).toBeUndefined();
  });

  test('an entry of unknown shape is never rewritten', () => {
    const native = { role: 'tool', content: 'a' };
    expect(edit(native, { part: 0, text: 'b' })).toBe(native);
  });

  test('an edited message has no blank text and does not end in thinking', () => {
    const content = [
      { type: 'text', text: '\n\n' },
      { type: 'text', text: 'a' },
      call,
      thinking,
      { type: 'text', text: 'b' },
    ];
    expect(edit({ role: 'assistant', content }, { part: 4, text: null })).toEqual({
      role: 'assistant',
      content: content.slice(1, 3),
    });
  });

  test('assistant text loses its trailing white space', () => {
    expect(edit({ role: 'assistant', content: 'a' }, { part: 0, text: 'b \n' })).toEqual({
      role: 'assistant',
      content: 'b',
    });
  });

  test('adds no lone surrogate and no rule break, and never throws', () => {
    const block = fc.oneof(
      fc.record({ type: fc.constant('text'), text: fc.string({ unit: 'grapheme', minLength: 1 }) }),
      fc.record({ type: fc.constant('document'), source: fc.record({ type: fc.constant('text'), data: fc.string() }) }),
      fc.record({ type: fc.constant('image'), source: fc.anything() }),
      fc.record({ type: fc.string(), content: fc.anything(), tool_use_id: fc.string() }),
    );
    const change = fc.record({ part: fc.nat({ max: 5 }), text: fc.option(fc.string({ unit: 'grapheme' })) });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), fc.array(change), (content, edits) => {
        const native = { role: 'user', content };
        const edited = edit(native, ...edits);
        const rules = (value: unknown): string[] => anthropic.validate([value]).map(({ rule }) => rule);
        if (edited !== undefined) expect(rules(native)).toEqual(expect.arrayContaining(rules(edited)));
      }),
    );
  });

  test('never throws, whatever the message', () => {
    fc.assert(
      fc.property(fc.anything(), fc.option(fc.string()), (content, text) => {
        edit(content, { part: 0, text });
        edit({ role: 'assistant', content }, { part: 0, text }, { part: 1, text });
      }),
    );
  });
});
