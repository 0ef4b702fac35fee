import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linesOf, recordedFiles, WITHOUT_RECORDED } from '../../../test/support/recorded.ts';
import { openaiChat } from './index.ts';

const user = { role: 'user', content: 'go' };
const call = (id: unknown, name: unknown = 'read', args: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const asks = (...calls: readonly unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const tool = (tool_call_id: unknown, content: unknown = 'ok') => ({ role: 'tool', tool_call_id, content });
const says = (content: unknown) => ({ role: 'assistant', content });
const image = (url: string) => ({ type: 'image_url', image_url: { url } });
const many = Array.from({ length: 129 }, (_, at) => `c${at}`);

function broken(natives: readonly unknown[]): readonly string[] {
  return openaiChat.validate(natives).map(({ rule, severity, at }) => `${rule} ${severity} ${at}`);
}

test.each<[string, readonly unknown[]]>([
  ['an empty list', []],
  ['a conversation', [{ role: 'system', content: 's' }, user, says('a'), user]],
  ['two system messages in front', [{ role: 'system', content: 's' }, { role: 'developer', content: 'd' }, user]],
  ['a call and its result', [user, asks(call('c1')), tool('c1'), says('done')]],
  ['a parallel batch answered in another order', [user, asks(call('c1'), call('c2')), tool('c2'), tool('c1')]],
  ['the same id in a later batch', [user, asks(call('c1')), tool('c1'), asks(call('c1')), tool('c1')]],
  ['128 calls', [user, asks(...many.slice(1).map((id) => call(id))), ...many.slice(1).map((id) => tool(id))]],
  ['a custom call', [user, asks({ id: 'c1', type: 'custom', custom: { name: 'sql', input: 'x' } }), tool('c1')]],
  [
    'a legacy call',
    [
      user,
      { role: 'assistant', content: null, function_call: { name: 'old', arguments: '{}' } },
      { role: 'function', name: 'old', content: null },
    ],
  ],
  ['null fields of a replayed answer', [user, { ...says('a'), tool_calls: null, function_call: null, refusal: null }]],
  ['a refusal without content', [user, { ...says(null), refusal: 'no' }]],
  ['audio without content', [user, { ...says(null), audio: { id: 'a1' } }]],
  ['images', [{ role: 'user', content: [image('data:image/png;base64,AAAA'), image('https://example.com/a')] }]],
  ['a whole surrogate pair', [{ role: 'user', content: '\u{1f600}' }]],
])('accepts %s', (_, natives) => {
  expect(broken(natives)).toEqual([]);
});

describe('errors', () => {
  test.each<[string, string, readonly unknown[]]>([
    ['O1', 'a call without result', [user, asks(call('c1')), user]],
    ['O1', 'a pending call at the end', [user, asks(call('c1'))]],
    ['O1', 'a result missing from a batch', [user, asks(call('c1'), call('c2')), tool('c1'), says('x')]],
    ['O2', 'a result without call', [user, tool('c1')]],
    ['O2', 'a result first', [tool('c1')]],
    ['O2', 'a result for an unknown id', [user, asks(call('c1')), tool('c1'), tool('c2')]],
    ['O2', 'a result behind the block', [user, asks(call('c1')), tool('c1'), says('x'), tool('c1')]],
    ['O2', 'a result without id', [user, tool(undefined)]],
    ['O3', 'a second result', [user, asks(call('c1')), tool('c1'), tool('c1')]],
    ['O3', 'an id used twice', [user, asks(call('c1'), call('c1')), tool('c1')]],
    ['O4', 'no calls in the array', [user, { ...says('a'), tool_calls: [] }]],
    ['O4', '129 calls', [user, asks(...many.map((id) => call(id))), ...many.map((id) => tool(id))]],
    ['O5', 'an empty assistant', [user, says(null)]],
    ['O5', 'an assistant of thinking only', [user, { role: 'assistant', reasoning_content: 'hm' }]],
    ['O6', 'null content of a user', [{ role: 'user', content: null }]],
    ['O6', 'missing content of a system message', [{ role: 'system' }]],
    ['O6', 'null content of a result', [user, asks(call('c1')), tool('c1', null)]],
    ['O6', 'an empty parts array', [{ role: 'user', content: [] }]],
    ['O6', 'content that is an object', [{ role: 'user', content: { text: 'a' } }]],
    ['O6', 'a text block without text', [{ role: 'user', content: [{ type: 'text' }] }]],
    ['O6', 'a block that is no object', [{ role: 'user', content: [3] }]],
    ['O6', 'arguments that are an object', [user, asks(call('c1', 'read', {})), tool('c1')]],
    ['O6', 'a name with a dot', [user, asks(call('c1', 'fs.read')), tool('c1')]],
    ['O6', 'a name of 65 characters', [user, asks(call('c1', 'n'.repeat(65))), tool('c1')]],
    ['O6', 'a call without id', [user, asks(call(undefined))]],
    ['O6', 'a call without function', [user, asks({ id: 'c1' }), tool('c1')]],
    ['O6', 'an unknown role', [{ role: 'narrator', content: 'a' }]],
    ['O6', 'an entry that is no object', [null]],
    ['O7', 'an image of the assistant', [user, says([image('https://example.com/a')])]],
    ['O7', 'an image in a result', [user, asks(call('c1')), tool('c1', [image('https://example.com/a')])]],
    ['O7', 'a data URL that is no image', [{ role: 'user', content: [image('data:text/plain;base64,AAAA')] }]],
    ['O7', 'a data URL that is not base64', [{ role: 'user', content: [image('data:image/svg+xml,<svg/>')] }]],
    ['U1', 'half a pair in content', [{ role: 'user', content: 'a\ud83d' }]],
    ['U1', 'half a pair in arguments', [user, asks(call('c1', 'read', '\udc00')), tool('c1')]],
  ])('%s: %s', (rule, _, natives) => {
    const found = openaiChat.validate(natives).filter(({ severity }) => severity === 'error');
    expect(found.map((violation) => violation.rule)).toEqual([rule]);
  });

  test('O1 stands at the call and names the open ids', () => {
    const [violation] = openaiChat.validate([user, asks(call('c1'), call('c2')), tool('c1'), user]);
    expect(violation).toMatchObject({ rule: 'O1', at: 1, detail: 'no result for c2' });
  });
});

test.each<[string, readonly unknown[], readonly string[]]>([
  ['a long id', [user, asks(call('c'.repeat(41))), tool('c'.repeat(41))], ['O8 portability 1']],
  ['repeated users', [user, user], ['O9 portability 1']],
  ['repeated assistants', [user, says('a'), says('b')], ['O9 portability 2']],
  ['a system message inside', [user, { role: 'developer', content: 'd' }, says('a')], ['O9 portability 1']],
  ['a user after a result', [user, asks(call('c1')), tool('c1'), user], ['O9 portability 3']],
  ['an assistant in front', [{ role: 'system', content: 's' }, says('a')], ['O9 portability 1']],
  ['an empty answer', [user, says('')], ['O5 portability 1']],
  [
    'a foreign block',
    [
      user,
      says([
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'a' },
      ]),
    ],
    ['O6 portability 1'],
  ],
])('%s is a matter of portability', (_, natives, expected) => {
  expect(broken(natives)).toEqual(expected);
});

describe('totality', () => {
  const role = fc.constantFrom('system', 'user', 'assistant', 'tool', 'function');
  const nearly = fc.record({ role, content: fc.anything(), tool_calls: fc.anything(), tool_call_id: fc.anything() });

  test('any list is judged without throwing, in order of position', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.anything(), fc.jsonValue(), nearly)), (natives) => {
        const places = openaiChat.validate(natives).map(({ at }) => at);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }),
    );
  });

  test('cyclic, deep and long lists are judged', () => {
    const cyclic: Record<string, unknown> = { role: 'user', content: 'a' };
    cyclic['self'] = cyclic;
    const deep = { role: 'user', content: 'a', x: JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) };
    expect(broken([cyclic])).toEqual([]);
    expect(broken([deep])).toEqual([]);
    expect(broken(Array.from({ length: 200_000 }, () => null))).toHaveLength(200_000);
  });
});

const recorded = recordedFiles('', '.jsonl');

test.skipIf(recorded.length === 0)(`recorded conversations break no error rule (${WITHOUT_RECORDED})`, () => {
  for (const { id, messages } of recorded.flatMap((file) => linesOf<{ id: string; messages: unknown[] }>(file))) {
    const errors = openaiChat.validate(messages).filter(({ severity }) => severity === 'error');
    expect({ id, errors }).toEqual({ id, errors: [] });
  }
});
