import { describe, expect, test } from 'vitest';
import type { PartEdit } from '../../model/message.ts';
import { openaiResponses } from './index.ts';

const edit = (native: unknown, ...edits: readonly PartEdit[]): unknown =>
  openaiResponses.edit(openaiResponses.decode(native, []), edits);
const to = (text: string | null, part = 0): PartEdit => ({ part, text });

const image = { type: 'input_image', image_url: 'https://x.test/a.png', prompt_cache_breakpoint: { mode: 'explicit' } };
const hello = { type: 'input_text', text: 'hello', extra: 1 };
const mixed = { type: 'message', role: 'user', content: [hello, image, { type: 'hologram' }], extra: { a: 1 } };
const answer = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'long', annotations: [{ start_index: 3 }], logprobs: [1] }],
};
const chunk = (exit_code: number): object => ({ stdout: 'out', stderr: 'err', outcome: { type: 'exit', exit_code } });

describe('edits', () => {
  test.each<[string, unknown, readonly PartEdit[], unknown]>([
    ['bare text', 'long', [to('short')], 'short'],
    ['text content', { role: 'user', content: 'long', x: 1 }, [to('short')], { role: 'user', content: 'short', x: 1 }],
    [
      'text block keeps unknown fields',
      mixed,
      [to('hi')],
      { ...mixed, content: [{ ...hello, text: 'hi' }, image, { type: 'hologram' }] },
    ],
    [
      'media becomes text and keeps the cache mark',
      mixed,
      [to('[image]', 1)],
      {
        ...mixed,
        content: [
          hello,
          { type: 'input_text', text: '[image]', prompt_cache_breakpoint: { mode: 'explicit' } },
          { type: 'hologram' },
        ],
      },
    ],
    ['null leaves a block out', mixed, [to(null, 1), to(null, 2)], { ...mixed, content: [hello] }],
    ['the empty text leaves a block out', mixed, [to('')], { ...mixed, content: [image, { type: 'hologram' }] }],
    [
      'what points into old text is cleared',
      answer,
      [to('short')],
      { ...answer, content: [{ type: 'output_text', text: 'short', annotations: [], logprobs: [] }] },
    ],
    [
      'refusal',
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'long' }] },
      [to('no')],
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
    ],
    [
      'media of the assistant becomes output text',
      { role: 'assistant', content: [image] },
      [to('[image]')],
      { role: 'assistant', content: [{ type: 'output_text', text: '[image]' }] },
    ],
    [
      'function output',
      { type: 'function_call_output', call_id: 'c', id: 'fco', status: 'completed', output: [hello, image] },
      [to('masked')],
      { type: 'function_call_output', call_id: 'c', id: 'fco', status: 'completed', output: 'masked' },
    ],
    [
      'shell output stays a list and keeps how it failed',
      { type: 'shell_call_output', call_id: 'c', max_output_length: 9, output: [chunk(0), chunk(2)] },
      [to('masked')],
      {
        type: 'shell_call_output',
        call_id: 'c',
        max_output_length: 9,
        output: [{ stdout: 'masked', stderr: '', outcome: { type: 'exit', exit_code: 2 } }],
      },
    ],
    [
      'empty shell output',
      { type: 'shell_call_output', call_id: 'c', output: [] },
      [to('masked')],
      {
        type: 'shell_call_output',
        call_id: 'c',
        output: [{ outcome: { type: 'exit', exit_code: 0 }, stdout: 'masked', stderr: '' }],
      },
    ],
    [
      'program output',
      { type: 'program_output', call_id: 'c', result: 'long' },
      [to('masked')],
      { type: 'program_output', call_id: 'c', result: 'masked' },
    ],
    [
      'the last edit of a part wins',
      { role: 'user', content: 'a' },
      [to('b'), to('c')],
      { role: 'user', content: 'c' },
    ],
  ])('%s', (...[_, native, edits, expected]) => {
    const before = JSON.stringify(native);
    expect(edit(native, ...edits)).toEqual(expected);
    expect(JSON.stringify(native)).toBe(before);
  });

  test.each<[string, unknown, readonly PartEdit[]]>([
    ['no edits', mixed, []],
    ['a part that is not there', mixed, [to('x', 9)]],
    ['text for an opaque block', mixed, [to('x', 2)]],
    ['a call', { type: 'function_call', call_id: 'c', name: 'ls', arguments: '{}' }, [to('x')]],
    ['a call to leave out', { type: 'function_call', call_id: 'c', name: 'ls', arguments: '{}' }, [to(null)]],
    ['compaction', { type: 'compaction', encrypted_content: 'x' }, [to(null)]],
    ['text for thinking', { type: 'reasoning', summary: [], encrypted_content: 'x' }, [to('x')]],
    ['text for a hosted call', { type: 'web_search_call', id: 'ws' }, [to('x')]],
    [
      'a screenshot',
      { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot' } },
      [to('x')],
    ],
    ['an approval', { type: 'mcp_approval_response', approval_request_id: 'c', approve: true }, [to('x')]],
    ['found tools', { type: 'tool_search_output', call_id: 'c', tools: [{}] }, [to('x')]],
    ['a list of an unknown output', { type: 'warp_call_output', call_id: 'c', output: [1] }, [to('x')]],
    ['garbage', 7, [to('x')]],
  ])('%s: the very same object', (_, native, edits) => {
    expect(edit(native, ...edits)).toBe(native);
  });

  test.each<[string, unknown, readonly PartEdit[]]>([
    ['bare text', 'a', [to(null)]],
    ['empty bare text', 'a', [to('')]],
    ['text content', { role: 'user', content: 'a' }, [to(null)]],
    ['all blocks', mixed, [to(null), to(null, 1), to(null, 2)]],
    ['thinking', { type: 'reasoning', summary: [] }, [to(null)]],
    ['output', { type: 'function_call_output', call_id: 'c', output: 'a' }, [to(null)]],
    ['hosted call', { type: 'web_search_call', id: 'ws' }, [to(null)]],
    ['garbage', null, [to(null)]],
    ['item of an unknown role', { role: 'tool', content: [hello, image] }, [to(null)]],
    ['content of no known shape', { role: 'user', content: 7 }, [to(null)]],
  ])('%s left out: nothing is left', (_, native, edits) => {
    expect(edit(native, ...edits)).toBeUndefined();
  });

  test('untouched blocks are shared', () => {
    const edited = edit(mixed, to('hi'));
    expect(edited).toMatchObject({ content: [{ text: 'hi' }, {}, {}] });
    expect((edited as typeof mixed).content[1]).toBe(image);
    expect((edited as typeof mixed).extra).toBe(mixed.extra);
  });

  test.each(['user', 'assistant'] as const)('a composed %s message reads back and is valid', (role) => {
    const native = openaiResponses.compose({ role, text: 'summary' });
    expect(openaiResponses.decode(native, [])).toEqual({ role, parts: [{ kind: 'text', text: 'summary' }], native });
    expect(openaiResponses.validate([native])).toEqual([]);
  });
});
