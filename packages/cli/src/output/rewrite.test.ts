import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConversation } from '../input/conversation.ts';
import { rewrite } from './rewrite.ts';

const read = (text: string) => parseConversation({ name: 'x', bytes: Buffer.from(text), text }, 'openai-chat');

const content = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\"', '[{', '}],', '\u2028'),
);
const message = fc.record({ role: fc.constantFrom('user', 'assistant'), content, extra: fc.jsonValue() });
const layout = fc.constantFrom<number | string>(0, 1, 2, 4, '\t');

test('a list whose messages all stay is the text as it was', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1 }), layout, (messages, space) => {
      const text = `${JSON.stringify(messages, null, space)}\n`;
      const conversation = read(text);
      expect(rewrite(conversation, [...conversation.messages])).toBe(text);
    }),
  );
});

test('what is kept and what is new parse as given, inside the object and beside its other fields', () => {
  const inputs = fc.tuple(fc.array(message, { minLength: 1 }), fc.dictionary(fc.string(), fc.jsonValue()), layout);
  fc.assert(
    fc.property(inputs, fc.array(fc.boolean()), (input, keep) => {
      const [messages, { messages: _, input: __, contents: ___, ...rest }, space] = input;
      const conversation = read(JSON.stringify({ ...rest, messages, model: 'm' }, null, space));
      const kept = conversation.messages.filter((_message, index) => keep[index]);
      const next = [{ role: 'user', content: 'new "one"\n' }, ...kept];
      const before = JSON.parse(conversation.source.text);
      expect(JSON.parse(rewrite(conversation, next))).toEqual({ ...before, messages: next });
    }),
  );
});

test('large numbers, equal keys and layout around a change stay as they were written', () => {
  const text = `{ "seed": 12345678901234567890, "seed": 1.50,
  "messages": [
    {"role": "user", "id": 98765432109876543210, "content": "a"},
    {"role": "assistant", "content": "b"}
  ], "last": 1e400 }`;
  const conversation = read(text);
  const [first] = conversation.messages;
  expect(
    rewrite(conversation, [{ role: 'user', content: 's' }, first]),
  ).toBe(`{ "seed": 12345678901234567890, "seed": 1.50,
  "messages": [
    {"role":"user","content":"s"},
    {"role": "user", "id": 98765432109876543210, "content": "a"}
  ], "last": 1e400 }
`);
});

test('new messages take the indent of the old ones', () => {
  const text = JSON.stringify({ messages: [{ role: 'user', content: 'a' }] }, null, '\t');
  const next = [{ role: 'user', content: 's' }];
  expect(rewrite(read(text), next)).toBe(`${JSON.stringify({ messages: next }, null, '\t')}\n`);
});

test('of equal keys the last holds the messages, however the key is spelled', () => {
  const text = '{"messages":[{"role":"user","content":"old"}],"\\u006dessages":[{"role":"user","content":"a"}]}';
  const conversation = read(text);
  expect(rewrite(conversation, [])).toBe('{"messages":[{"role":"user","content":"old"}],"\\u006dessages":[]}\n');
});
