import { expect, test } from 'vitest';
import type { Message } from '../model/message.ts';
import { EMPTY_LEDGER, extractFacts, mergeFacts, renderFacts } from './index.ts';

const blockOf = (text: string, maxTokens = 600): string => {
  const result: Message = {
    role: 'tool',
    parts: [{ kind: 'tool-result', callId: 'c1', name: '', text, isError: false, media: [] }],
    native: undefined,
  };
  return renderFacts(mergeFacts(EMPTY_LEDGER, extractFacts(result, 0)), { maxTokens }).text;
};

test('the lines of a test run do not crowd out everything else', () => {
  const names = ['cart', 'mail', 'stock', 'orders', 'search'];
  const lines = Array.from(
    { length: 90 },
    (_, at) => `✓ case ${at} of run 1 keeps its promise in src/${names[at % 5]}/index.ts:${at + 10} (${at} ms)`,
  );
  const block = blockOf([...lines, 'AssertionError: expected 302, found 200 in test/login.test.ts'].join('\n'));
  expect(block.match(/promise in/g)?.length).toBeLessThan(8);
  expect(block).toContain('AssertionError: expected 302, found 200 in test/login.test.ts');
});

test('a fact is quoted with whole words around it', () => {
  const text =
    'Because every replica opens its own connections the pools of eight make 48; the default limit of Redis is 10000 clients, which leaves room for quite a few more replicas of it.';
  const words = new Set(text.split(' '));
  const lines = blockOf(text).split('\n').slice(1);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) for (const word of line.slice(2).split(' ')) expect(words).toContain(word);
});

test('what the user named comes before what was only read or run', () => {
  const read = (at: number): Message => ({
    role: 'assistant',
    parts: [
      { kind: 'text', text: `Reading module ${at} to see how it handles invoices.` },
      { kind: 'tool-call', callId: `c${at}`, name: 'Read', input: `{"file_path":"src/mod${at}/index${at}.ts"}` },
    ],
    native: undefined,
  });
  const asked: Message = {
    role: 'user',
    parts: [{ kind: 'text', text: 'Find why invoices fail. The ticket is INV-3312, the order 4471-BX.' }],
    native: undefined,
  };
  const messages = [asked, ...Array.from({ length: 60 }, (_, at) => read(at))];
  const ledger = messages.reduce((found, message, at) => mergeFacts(found, extractFacts(message, at)), EMPTY_LEDGER);
  const { text } = renderFacts(ledger, { maxTokens: 400 });
  expect(text).toContain('INV-3312');
  expect(text).toContain('4471-BX');
  expect(text.split('\n').filter((line) => line.includes('(read)')).length).toBeLessThanOrEqual(8);
});
