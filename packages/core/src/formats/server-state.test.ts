import { expect, test } from 'vitest';
import { holdsServerState, isKeptByServer } from './server-state.ts';

const format = 'openai-responses';
const messages = [{ role: 'user', content: 'hi' }];

test.each([
  ['a request chained by its predecessor', { previous_response_id: 'resp_1' }, messages, true],
  ['a request in a conversation of the server', { conversation: { id: 'conv_1' } }, messages, true],
  ['a reference by its type', {}, [...messages, { type: 'item_reference', id: 'msg_1' }], true],
  ['a reference without a type', {}, [...messages, { id: 'msg_1', type: null, role: null }], true],
  ['members that are null, as SDKs write them', { previous_response_id: null, conversation: null }, messages, false],
  ['a message with an id', {}, [{ id: 'msg_1', role: 'user', content: 'hi' }], false],
  ['no messages but odd entries', {}, [null, 'x', []], false],
])('%s leaves its past with the server: %#', (_, body, list, expected) => {
  expect(holdsServerState({ format, body, messages: list })).toBe(expected);
  expect(list.some(isKeptByServer) || Object.values(body).some(Boolean)).toBe(expected);
});

test('no other protocol keeps a past', () => {
  const body = { previous_response_id: 'resp_1' };
  expect(holdsServerState({ format: 'openai-chat', body, messages })).toBe(false);
});
