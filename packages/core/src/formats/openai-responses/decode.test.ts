import { describe, expect, test } from 'vitest';
import type { Message, Part, Role } from '../../model/message.ts';
import { openaiResponses } from './index.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAC0lEQVR42mNgwA0AABoAAVOP7gIAAAAASUVORK5CYII=';
const PNG_URL = `data:image/png;base64,${PNG}`;
const PNG_MEDIA = { media: 'image', mimeType: 'image/png', bytes: 69, width: 3, height: 2 } as const;

const decode = (native: unknown, before: readonly Message[] = []): Message => openaiResponses.decode(native, before);
const call = (type: string, fields: object): object => ({ type, call_id: 'c1', ...fields });
const text = (value: string): Part => ({ kind: 'text', text: value });
const toolCall = (name: string, input: string, callId = 'c1'): Part => ({ kind: 'tool-call', callId, name, input });
const result = (fields: object): object => ({
  kind: 'tool-result',
  callId: 'c1',
  name: '',
  text: '',
  isError: false,
  media: [],
  ...fields,
});

describe('messages', () => {
  test.each<[string, unknown, Role, readonly Part[]]>([
    ['easy form', { role: 'user', content: 'hi' }, 'user', [text('hi')]],
    ['typed form', { type: 'message', role: 'assistant', content: 'yes' }, 'assistant', [text('yes')]],
    ['developer', { role: 'developer', content: 'be brief' }, 'system', [text('be brief')]],
    ['system', { role: 'system', content: 'be brief' }, 'system', [text('be brief')]],
    ['bare text', 'hello', 'user', [text('hello')]],
    ['missing content', { role: 'user' }, 'user', []],
    ['null type', { type: null, role: 'user', content: 'hi' }, 'user', [text('hi')]],
    [
      'answer with refusal',
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'a', annotations: [] },
          { type: 'refusal', refusal: 'no' },
        ],
      },
      'assistant',
      [text('a'), text('no')],
    ],
  ])('%s', (...[_, native, role, parts]) => {
    const message = decode(native);
    expect(message).toEqual({ role, parts, native });
    expect(message.native).toBe(native);
  });

  test('content blocks map to parts one to one, unknown ones as opaque', () => {
    const content = [
      { type: 'input_text', text: 'look' },
      { type: 'input_image', image_url: PNG_URL, detail: 'low' },
      { type: 'input_image', file_id: 'file_1', detail: 'auto' },
      { type: 'input_file', filename: 'a.PDF', file_data: 'AAAA' },
      { type: 'input_file', file_data: 'data:application/pdf;base64,AAAAAAAA' },
      { type: 'input_file', file_id: 'file_2' },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
      { type: 'hologram', x: 1 },
      null,
    ];
    expect(decode({ role: 'user', content }).parts).toEqual([
      text('look'),
      { kind: 'media', ...PNG_MEDIA, detail: 'low' },
      { kind: 'media', media: 'image', detail: 'auto' },
      { kind: 'media', media: 'document', bytes: 3 },
      { kind: 'media', media: 'document', mimeType: 'application/pdf', bytes: 6 },
      { kind: 'media', media: 'file' },
      { kind: 'media', media: 'audio', mimeType: 'audio/mp3', bytes: 3 },
      { kind: 'opaque', type: 'hologram', size: 25, compaction: false },
      { kind: 'opaque', type: 'object', size: 4, compaction: false },
    ]);
  });
});

describe('calls', () => {
  test.each<[string, object, Part]>([
    ['function', call('function_call', { name: 'ls', arguments: '{"a":1}' }), toolCall('ls', '{"a":1}')],
    ['function with object', call('function_call', { name: 'ls', arguments: { a: 1 } }), toolCall('ls', '{"a":1}')],
    ['custom', call('custom_tool_call', { name: 'patch', input: '*** Begin' }), toolCall('patch', '*** Begin')],
    ['computer', call('computer_call', { action: { type: 'click' } }), toolCall('computer', '{"type":"click"}')],
    [
      'local shell',
      call('local_shell_call', { action: { command: ['ls'] } }),
      toolCall('local_shell', '{"command":["ls"]}'),
    ],
    ['shell', call('shell_call', { action: { commands: ['ls'] } }), toolCall('shell', '{"commands":["ls"]}')],
    ['patch', call('apply_patch_call', { operation: { type: 'x' } }), toolCall('apply_patch', '{"type":"x"}')],
    ['tool search', call('tool_search_call', { arguments: { q: 1 } }), toolCall('tool_search', '{"q":1}')],
    ['program', call('program', { code: 'run()' }), toolCall('program', 'run()')],
    ['unknown', call('warp_call', {}), toolCall('warp', '{"type":"warp_call","call_id":"c1"}')],
    [
      'approval',
      { type: 'mcp_approval_request', id: 'mcpr_1', name: 'rm', arguments: '{}' },
      toolCall('rm', '{}', 'mcpr_1'),
    ],
  ])('%s', (_, native, part) => {
    expect(decode(native)).toEqual({ role: 'assistant', parts: [part], native });
  });
});

describe('outputs', () => {
  test.each<[string, object, object]>([
    ['text', call('function_call_output', { output: 'ok' }), { text: 'ok' }],
    [
      'blocks',
      call('custom_tool_call_output', {
        output: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: PNG_URL },
          { type: 'input_text', text: 'b' },
        ],
      }),
      { text: 'a\nb', media: [PNG_MEDIA] },
    ],
    ['no output', call('function_call_output', {}), {}],
    ['incomplete', call('function_call_output', { output: 'x', status: 'incomplete' }), { text: 'x', isError: true }],
    ['failed patch', call('apply_patch_call_output', { output: 'x', status: 'failed' }), { text: 'x', isError: true }],
    [
      'screenshot',
      call('computer_call_output', { output: { type: 'computer_screenshot', image_url: PNG_URL } }),
      { media: [PNG_MEDIA] },
    ],
    ['local shell by id', { type: 'local_shell_call_output', id: 'c1', output: '{}' }, { text: '{}' }],
    [
      'shell',
      call('shell_call_output', {
        output: [
          { stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
          { stdout: '', stderr: 'bad', outcome: { type: 'exit', exit_code: 2 } },
        ],
      }),
      { text: 'a\nbad', isError: true },
    ],
    [
      'shell timeout',
      call('shell_call_output', { output: [{ stdout: 'a', stderr: '', outcome: { type: 'timeout' } }] }),
      { text: 'a', isError: true },
    ],
    ['tool search', call('tool_search_output', { tools: [{ name: 't' }] }), { text: '[{"name":"t"}]' }],
    ['program', call('program_output', { result: 'done', status: 'completed' }), { text: 'done' }],
    [
      'denied',
      { type: 'mcp_approval_response', approval_request_id: 'c1', approve: false, reason: 'no' },
      { text: 'denied\nno', isError: true },
    ],
  ])('%s', (_, native, fields) => {
    expect(decode(native)).toEqual({ role: 'tool', parts: [result(fields)], native });
  });

  test('an approval is no result, and the call it leads to is one', () => {
    const before = [decode({ type: 'mcp_approval_request', id: 'r1', name: 'rm', arguments: '{}' })];
    const granted = { type: 'mcp_approval_response', approval_request_id: 'r1', approve: true };
    expect(decode(granted).parts).toMatchObject([{ kind: 'opaque', approves: 'r1' }]);
    const ran = { type: 'mcp_call', id: 'm1', approval_request_id: 'r1', name: 'rm', output: 'gone', error: null };
    const answered = { kind: 'tool-result', callId: 'r1', name: 'rm', text: 'gone', isError: false };
    expect(openaiResponses.decode(ran, before).parts).toMatchObject([{ kind: 'opaque' }, answered]);
    expect(openaiResponses.decode({ ...ran, output: null, error: 'no' }, before).parts[1]).toMatchObject({
      text: 'no',
      isError: true,
    });
    expect(openaiResponses.decode(ran, []).parts).toMatchObject([{ kind: 'opaque' }]);
  });

  test('a result is named after its call', () => {
    const before = [
      decode(call('function_call', { name: 'ls', arguments: '{}' })),
      decode({ role: 'user', content: '' }),
    ];
    expect(decode(call('function_call_output', { output: 'ok' }), before).parts).toEqual([
      result({ name: 'ls', text: 'ok' }),
    ]);
  });

  test('blocks of an output that are not read follow as opaque parts', () => {
    const output = [
      { type: 'input_text', text: 'a' },
      { type: 'hologram', x: 1 },
    ];
    expect(decode(call('function_call_output', { output })).parts).toEqual([
      result({ text: 'a' }),
      { kind: 'opaque', type: 'hologram', size: 25, compaction: false },
    ]);
  });
});

describe('other items', () => {
  test('reasoning shows its summary and text, of its encrypted content only the length', () => {
    const native = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'a' }],
      content: [{ type: 'reasoning_text', text: 'b' }],
      encrypted_content: 'x'.repeat(5000),
    };
    expect(decode(native)).toEqual({
      role: 'assistant',
      parts: [{ kind: 'reasoning', text: 'a\nb', bound: false, sealed: 5000 }],
      native,
    });
    expect(decode({ type: 'reasoning', summary: [], content: null }).parts).toEqual([
      { kind: 'reasoning', text: '', bound: false },
    ]);
  });

  test.each<[string, Role, boolean]>([
    ['web_search_call', 'assistant', false],
    ['file_search_call', 'assistant', false],
    ['code_interpreter_call', 'assistant', false],
    ['image_generation_call', 'assistant', false],
    ['mcp_call', 'assistant', false],
    ['mcp_list_tools', 'assistant', false],
    ['tool_search_output', 'assistant', false],
    ['compaction', 'assistant', true],
    ['compaction_summary', 'assistant', true],
    ['context_compaction', 'assistant', true],
    ['compaction_trigger', 'assistant', true],
    ['item_reference', 'other', false],
    ['additional_tools', 'other', false],
    ['constructor', 'other', false],
  ])('%s is one opaque part of %s', (type, role, compaction) => {
    const native = { type, id: 'x' };
    const size = JSON.stringify(native).length;
    expect(decode(native)).toEqual({ role, parts: [{ kind: 'opaque', type, size, compaction }], native });
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['number', 7],
    ['list', [{ role: 'user' }]],
    ['empty object', {}],
    ['unknown role', { role: 'tool', content: 'x' }],
    ['type that is no text', { type: 7 }],
    ['bare reference', { id: 'msg_1' }],
  ])('%s is carried as other', (_, native) => {
    expect(decode(native)).toMatchObject({ role: 'other', parts: [{ kind: 'opaque', compaction: false }], native });
  });

  test('payloads weigh what the model sees, not their base64', () => {
    const big = 'A'.repeat(4_000_000);
    const size = (native: object): number => {
      const [part] = decode(native).parts;
      return part?.kind === 'opaque' ? part.size : -1;
    };
    expect(size({ type: 'image_generation_call', result: big })).toBeLessThan(8000);
    expect(
      size({ type: 'code_interpreter_call', outputs: [{ type: 'image', url: `data:image/png;base64,${big}` }] }),
    ).toBeLessThan(8000);
    expect(size({ type: 'compaction', encrypted_content: 'A'.repeat(8000) })).toBe(5350 + 44);
    expect(size({ type: 'compaction', encrypted_content: 'A' })).toBe(44);
  });
});

describe('fixed part', () => {
  test.each<[string, object, readonly Part[]]>([
    ['nothing', {}, []],
    ['empty', { system: '', tools: [] }, []],
    ['null', { system: null, tools: null }, []],
    ['text', { system: 'be brief' }, [text('be brief')]],
    ['blocks', { system: [{ type: 'input_text', text: 'a' }, 'b'] }, [text('a'), text('b')]],
    ['items', { system: [{ role: 'developer', content: [{ type: 'input_text', text: 'a' }] }] }, [text('a')]],
    ['tools', { tools: [{ type: 'function', name: 'ls' }] }, [text('[{"type":"function","name":"ls"}]')]],
  ])('%s', (_, fixed, parts) => {
    expect(openaiResponses.decodeFixed(fixed)).toEqual(parts);
  });
});
