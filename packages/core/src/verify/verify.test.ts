import { expect, test } from 'vitest';
import { overlong, refusalOf } from './verify.ts';

const judge = (text: string, finish?: string, prompt = '', prior = '') =>
  refusalOf({ draft: finish === undefined ? { text } : { text, finish }, text, prompt, prior })?.code;

test('a text is too long above its limit', () => {
  expect(overlong(100, 100)).toBeUndefined();
  expect(overlong(100.5, 100)).toEqual({ code: 'summary-huge', detail: '101 tokens where 100 are the most' });
});

test.each([
  ['', 'summary-empty'],
  [' \n\t', 'summary-empty'],
  ['{}', 'summary-empty'],
  ['<state_snapshot>\n\n</state_snapshot>', 'summary-empty'],
  ['…', 'summary-empty'],
  ["I'm sorry, but I can't assist with that.", 'summary-refused'],
  ['I cannot help with summarizing this content.', 'summary-refused'],
  ['Sorry, I am not able to do this.', 'summary-refused'],
  ['As an AI language model, I cannot continue.', 'summary-refused'],
  ['Error: connect ECONNREFUSED', 'summary-error'],
  ['{"error":{"message":"overloaded"}}', 'summary-error'],
  ['429 Too Many Requests', 'summary-error'],
  ['<html><body>Bad gateway</body></html>', 'summary-error'],
  ['Failed to generate summary', 'summary-error'],
  ["<state_snapshot>I'm sorry, but I can't help with that.</state_snapshot>", 'summary-refused'],
  ['Internal Server Error', 'summary-error'],
  ['API error (529): overloaded', 'summary-error'],
  ['500 users were migrated; 3 failed and were retried by hand.', undefined],
  ['Error handling was added to src/parse.ts, tests pass.', undefined],
  ['Failed to reproduce at first; then found the bug in the cache.', undefined],
  ['Message: parsing is implemented, printing is next.', undefined],
  ['The user fixed an error in parse.ts; tests pass.', undefined],
  ['Erroneous input was the cause; the parser now rejects it.', undefined],
  ['用户想要重构解析器。', undefined],
  [`The server answered "I'm sorry, but I can't assist". ${'More of what happened. '.repeat(40)}`, undefined],
] as const)('%j: %s', (text, code) => expect(judge(text)).toBe(code));

test.each([
  ['length', 'summary-cut-off'],
  ['max_tokens', 'summary-cut-off'],
  ['MAX_TOKENS', 'summary-cut-off'],
  ['refusal', 'summary-refused'],
  ['content-filter', 'summary-refused'],
  ['SAFETY', 'summary-refused'],
  ['stop', undefined],
  ['end_turn', undefined],
  ['tool-calls', undefined],
] as const)('a model that stopped with %s: %s', (finish, code) => expect(judge('A good summary.', finish)).toBe(code));

test('an echo of the prompt is refused, a short quote is not', () => {
  const prompt = Array.from({ length: 300 }, (_, index) => `line ${index} of the conversation`).join('\n');
  expect(judge(prompt.slice(0, prompt.length / 2), 'stop', prompt)).toBe('summary-echo');
  expect(judge(prompt.slice(0, 300), 'stop', prompt)).toBeUndefined();
  expect(judge(prompt.slice(0, prompt.length / 2), 'stop', prompt, prompt.slice(0, prompt.length / 2))).toBeUndefined();
});
