import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aiSdk } from './index.ts';

const user = { role: 'user', content: 'go' };
const call = (toolCallId: unknown, fields: object = {}) => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read',
  input: {},
  ...fields,
});
const result = (toolCallId: unknown, output: unknown = { type: 'text', value: 'ok' }) => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'read',
  output,
});
const says = (...content: readonly unknown[]) => ({ role: 'assistant', content });
const tool = (...content: readonly unknown[]) => ({ role: 'tool', content });
const text = { type: 'text', text: 'a' };
const asksApproval = { type: 'tool-approval-request', approvalId: 'p1', toolCallId: 'c1' };
const approves = { type: 'tool-approval-response', approvalId: 'p1', approved: true };

function broken(natives: readonly unknown[]): readonly string[] {
  return aiSdk.validate(natives).map(({ rule, severity, at }) => `${rule} ${severity} ${at}`);
}

test.each<[string, readonly unknown[]]>([
  ['an empty list', []],
  ['strings', [user, { role: 'assistant', content: 'a' }]],
  ['a call and its result', [user, says(text, call('c1')), tool(result('c1')), says(text)]],
  ['results in two messages', [user, says(call('c1'), call('c2')), tool(result('c2')), tool(result('c1'))]],
  ['an id used again later', [user, says(call('c1')), tool(result('c1')), says(call('c1')), tool(result('c1'))]],
  ['a call the provider ran', [user, says(call('c1', { providerExecuted: true }), result('c1'), text), user]],
  ['a call the provider still runs', [user, says(call('c1', { providerExecuted: true })), user]],
  ['a deferred result of the provider', [says(call('c1', { providerExecuted: true })), says(result('c1'), text)]],
  ['an approval to be carried out', [user, says(call('c1'), asksApproval), tool(approves)]],
  ['an approval carried out', [user, says(call('c1'), asksApproval), tool(approves), tool(result('c1')), says(text)]],
  ['media', [{ role: 'user', content: [{ type: 'image', image: new Uint8Array(3) }, text] }]],
  [
    'blocks of v7',
    [user, says({ type: 'custom', kind: 'a.b' }, { type: 'reasoning-file', mediaType: 'a/b', data: '' })],
  ],
])('accepts %s', (_, natives) => {
  expect(broken(natives)).toEqual([]);
});

test.each<[string, string, readonly unknown[]]>([
  ['S1 error 1', 'a call without result before a user', [user, says(call('c1')), user]],
  ['S1 error 1', 'a pending call at the end', [user, says(call('c1'))]],
  ['S1 error 1', 'a result missing from a batch', [user, says(call('c1'), call('c2')), tool(result('c1')), user]],
  ['S1 error 1', 'a client call answered by the assistant itself', [user, says(call('c1'), result('c1')), user]],
  ['S1 error 1', 'a call that waits for approval', [user, says(call('c1'), asksApproval)]],
  [
    'S1 error 1',
    'an approval that was never carried out',
    [user, says(call('c1'), asksApproval), tool(approves), user],
  ],
  ['S1 portability 1', 'an answer before the result', [user, says(call('c1')), says(text), tool(result('c1'))]],
  ['S2 error 1', 'a result without call', [user, tool(result('c1'))]],
  ['S2 error 1', 'a result of the provider without call', [user, says(result('c1'), text)]],
  ['S3 error 3', 'a second result', [user, says(call('c1')), tool(result('c1')), tool(result('c1'))]],
  ['S3 error 1', 'an id used twice', [user, says(call('c1'), call('c1')), tool(result('c1'))]],
  ['S4 error 0', 'an empty user message', [{ role: 'user', content: [] }]],
  ['S4 error 1', 'an empty assistant message', [user, says()]],
  ['S4 portability 1', 'an empty tool message', [user, tool()]],
  ['S5 error 0', 'an entry that is no object', [null]],
  ['S5 error 0', 'an unknown role', [{ role: 'data', content: 'a' }]],
  ['S5 error 0', 'a user without content', [{ role: 'user' }]],
  ['S5 error 0', 'a tool message of text', [{ role: 'tool', content: 'a' }]],
  ['S5 error 0', 'a block without a type', [{ role: 'user', content: [{}] }]],
  ['S5 error 0', 'a text block without text', [{ role: 'user', content: [{ type: 'text' }] }]],
  ['S5 error 1', 'a call without name', [user, says(call('c1', { toolName: 1 })), tool(result('c1'))]],
  ['S5 error 2', 'a result without output', [user, says(call('c1')), tool(result('c1', null))]],
  ['S5 error 1', 'an image of the assistant', [user, says({ type: 'image', image: '' })]],
  ['S5 portability 0', 'a foreign block', [{ role: 'user', content: [{ type: 'hologram' }] }]],
  ['S6 portability 0', 'a system message', [{ role: 'system', content: 's' }, user]],
  ['S7 error 1', 'an approval nobody asked for', [user, tool(approves)]],
  ['S7 error 2', 'an approval without its call', [user, says(text, asksApproval), tool(approves)]],
  ['U1 error 0', 'half a pair in text', [{ role: 'user', content: '\ud83d' }]],
  ['U1 error 1', 'half a pair in an input', [user, says(call('c1', { input: { a: ['\udc00'] } })), tool(result('c1'))]],
])('%s: %s', (expected, _, natives) => {
  expect(broken(natives)).toEqual([expected]);
});

test('a call left behind by an assistant and never answered is an error too', () => {
  expect(broken([user, says(call('c1')), says(text), user])).toEqual(['S1 portability 1', 'S1 error 1']);
});

describe('totality', () => {
  const role = fc.constantFrom('system', 'user', 'assistant', 'tool');
  const type = fc.constantFrom('text', 'tool-call', 'tool-result', 'tool-approval-request', 'tool-approval-response');
  const block = fc.record({ type, toolCallId: fc.anything(), approvalId: fc.anything(), output: fc.anything() });
  const nearly = fc.record({ role, content: fc.oneof(fc.anything(), fc.array(block)) });

  test('any list is judged without throwing, in order of position', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.anything({ withTypedArray: true }), fc.jsonValue(), nearly)), (natives) => {
        const places = aiSdk.validate(natives).map(({ at }) => at);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }),
    );
  });

  test('long lists of open calls are judged in linear time', () => {
    const natives = Array.from({ length: 50_000 }, (_, at) => says(call(`c${at}`)));
    expect(broken(natives)).toHaveLength(99_999);
  });
});
