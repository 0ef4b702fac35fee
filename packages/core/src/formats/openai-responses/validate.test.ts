import { describe, expect, test } from 'vitest';
import { linesOf, recordedFiles, WITHOUT_RECORDED } from '../../../test/support/recorded.ts';
import { openaiResponses } from './index.ts';

const faultsOf = (natives: readonly unknown[]): readonly string[] =>
  openaiResponses.validate(natives).map(({ rule, severity, at }) => `${rule} ${severity} ${at}`);

const user = { role: 'user', content: 'go' };
const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] };
const call = (id: string, fields: object = {}): object => ({
  type: 'function_call',
  call_id: id,
  name: 'ls',
  arguments: '{}',
  ...fields,
});
const output = (id: string, fields: object = {}): object => ({
  type: 'function_call_output',
  call_id: id,
  output: 'x',
  ...fields,
});
const thought = (id?: string): object => ({ type: 'reasoning', summary: [], ...(id ? { id } : {}) });
const pair = (kind: string, id = 'p'): readonly object[] => [
  { type: kind, call_id: id },
  { type: `${kind}_output`, call_id: id },
];

describe('valid lists break no rule', () => {
  test.each<[string, readonly unknown[]]>([
    ['empty', []],
    ['text alone', ['hello']],
    ['a turn', [user, said, user]],
    ['parallel calls answered in any order', [user, call('a'), call('b'), output('b'), output('a'), said]],
    ['thinking before a call', [user, thought('rs_1'), call('a', { id: 'fc_1' }), output('a'), thought('rs_2'), said]],
    ['thinking in a row', [user, thought('rs_1'), thought('rs_2'), said]],
    ['thinking before a hosted call', [user, thought('rs_1'), { type: 'web_search_call', id: 'ws_1' }, said]],
    ['thinking before a reference', [user, thought('rs_1'), { type: 'item_reference', id: 'msg_1' }]],
    ['thinking without ids', [user, thought(), call('a'), output('a'), said]],
    ['call behind a reference', [{ type: 'item_reference', id: 'fc_1' }, output('a')]],
    ['call answered by a reference', [call('a'), { id: 'fco_1' }]],
    ['waiting approval', [user, { type: 'mcp_approval_request', id: 'r', name: 'x', arguments: '{}' }]],
    ['program that waits for its call', [user, { type: 'program', call_id: 'p', code: '' }, call('a'), output('a')]],
    ['computer', [user, ...pair('computer_call')]],
    [
      'local shell by id',
      [user, { type: 'local_shell_call', call_id: 'l' }, { type: 'local_shell_call_output', id: 'l' }],
    ],
    ['shell', [user, ...pair('shell_call')]],
    ['patch', [user, ...pair('apply_patch_call')]],
    [
      'tool search of the provider',
      [
        { type: 'tool_search_call', call_id: null },
        { type: 'tool_search_output', call_id: null },
      ],
    ],
    ['compaction first', [{ type: 'compaction', encrypted_content: 'x' }, user]],
    ['images', [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://x.test/a.png' }] }]],
    ['unknown item types', [{ type: 'hologram' }]],
    ['whole emoji', [{ role: 'user', content: '👩‍💻' }]],
  ])('%s', (_, natives) => {
    expect(faultsOf(natives)).toEqual([]);
  });
});

describe('each broken rule is named with its place', () => {
  test.each<[string, readonly unknown[], readonly string[]]>([
    ['output without call', [user, output('a')], ['R1 error 1']],
    ['output before its call', [output('a'), call('a')], ['R1 error 0', 'R2 error 1']],
    ['approval without request', [{ type: 'mcp_approval_response', approval_request_id: 'r' }], ['R1 portability 0']],
    ['call without output', [user, call('a'), said], ['R2 error 1']],
    ['pending call at the end', [user, call('a')], ['R2 error 1']],
    ['custom call without output', [{ type: 'custom_tool_call', call_id: 'c', name: 'x', input: '' }], ['R2 error 0']],
    ['unknown call without output', [{ type: 'warp_call', call_id: 'w' }], ['R2 portability 0']],
    ['thinking before a prompt', [user, thought('rs_1'), user], ['R3 error 1']],
    ['thinking at the end', [user, thought('rs_1')], ['R3 error 1']],
    ['thinking before an output', [call('a'), thought('rs_1'), output('a')], ['R3 error 1']],
    ['thinking without id before a prompt', [thought(), user], ['R3 portability 0']],
    ['id behind thinking that lost its own', [thought(), { ...said, id: 'msg_1' }], ['R3 portability 1']],
    ['thinking without summary', [{ type: 'reasoning', id: 'rs_1' }, said], ['R4 error 0']],
    ['second output', [call('a'), output('a'), output('a')], ['O3 error 2']],
    ['call id used again', [call('a'), output('a'), call('a'), output('a')], ['O3 portability 2']],
    [
      'item id twice',
      [
        { ...said, id: 'msg_1' },
        { ...said, id: 'msg_1' },
      ],
      ['O3 error 1'],
    ],
    ['long call id', [call('a'.repeat(65)), output('a'.repeat(65))], ['O8 portability 0', 'O8 portability 1']],
    ['unknown role', [{ role: 'tool', content: 'x' }], ['O6 error 0']],
    ['null content', [{ role: 'user', content: null }], ['O6 error 0']],
    ['block of another API', [{ role: 'user', content: [{ type: 'text', text: 'x' }] }], ['O6 error 0']],
    ['block that is no object', [{ role: 'user', content: ['x'] }], ['O6 error 0']],
    ['text block without text', [{ role: 'user', content: [{ type: 'input_text' }] }], ['O6 error 0']],
    [
      'input text of the assistant',
      [{ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }],
      ['O6 error 0'],
    ],
    ['arguments as object', [call('a', { arguments: {} }), output('a')], ['O6 error 0']],
    ['bad name', [call('a', { name: 'a b' }), output('a')], ['O6 error 0']],
    ['call without id', [{ type: 'function_call', name: 'ls', arguments: '{}' }], ['O6 error 0']],
    ['output null', [call('a'), output('a', { output: null })], ['O6 error 1']],
    ['no type', [{}], ['O6 error 0']],
    ['not an item', [null, 7], ['O6 error 0', 'O6 error 1']],
    ['bare text among items', [user, 'x'], ['O6 portability 1']],
    ['lone surrogate', [{ role: 'user', content: 'a\ud83d' }], ['U1 error 0']],
    ['lone surrogate in a call', [call('a', { arguments: '\udc00' }), output('a')], ['U1 error 0']],
  ])('%s', (_, natives, faults) => {
    expect(faultsOf(natives)).toEqual(faults);
  });

  test('faults come in order of position', () => {
    const places = openaiResponses.validate([call('a'), null, output('b'), thought('rs_1')]).map(({ at }) => at);
    expect(places).toEqual([0, 1, 2, 3]);
  });

  test('a list of 100,000 items is checked in linear time', () => {
    const natives = Array.from({ length: 50_000 }, (_, at) => [call(`c${at}`), output(`c${at}`)]).flat();
    expect(faultsOf(natives)).toEqual([]);
  });
});

const recorded = recordedFiles('raw/codex', '.jsonl');

test.skipIf(recorded.length === 0)(`recorded sessions break no rule (${WITHOUT_RECORDED})`, () => {
  for (const file of recorded) {
    const entries = linesOf<{ type: string; payload: unknown }>(file);
    const natives = entries.filter(({ type }) => type === 'response_item').map(({ payload }) => payload);
    expect(natives.length).toBeGreaterThan(10);
    expect(faultsOf(natives)).toEqual([]);
  }
});
