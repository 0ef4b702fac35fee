import { expect, test } from 'vitest';
import { refusalOf } from './verify.ts';

const judge = (text: string, given: { readonly prompt?: string; readonly system?: string } = {}) =>
  refusalOf({ draft: { text }, text, prompt: '', prior: '', ...given })?.code;

test.each([
  'Your credit balance is too low to access the API. Please go to Plans & Billing to upgrade or purchase credits.',
  'You exceeded your current quota, please check your plan and billing details.',
  'You have hit your usage limit. It resets at 5 pm.',
  'prompt is too long: 208310 tokens > 200000 maximum',
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  'The model `gpt-9` does not exist or you do not have access to it.',
  'model_not_found: The model `gpt-9` does not exist',
  'Incorrect API key provided: sk-abcd. You can find your API key at https://platform.example.com/account.',
  'The request timed out while waiting for the model to respond.',
  'The service is temporarily unavailable. Please try again.',
  'The engine is currently overloaded, please try again later.',
  'RESOURCE_EXHAUSTED: Quota exceeded for quota metric',
  'ThrottlingException: rate exceeded',
  'AI usage limit reached|1750000000',
  'CUDA out of memory. Tried to allocate 2.00 GiB',
  '<error><code>AccessDenied</code></error>',
  '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>',
  'This request was blocked by our content filter.',
  'Output blocked by content filtering policy',
  'Please run /login to authenticate.',
  'Unexpected error occurred while processing your request.',
  'Oops! Something went wrong. Please try again.',
  'You have reached your specified API usage limits. You will regain access on 2025-10-01.',
  'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
  'This organization has been disabled.',
  'Network request failed',
  'Please set ANTHROPIC_API_KEY.',
  'An error occurred. If the issue persists, contact support.',
  '<state_snapshot>Your credit balance is too low to access the API.</state_snapshot>',
])('an error of a provider is no summary: %s', (text) => {
  expect(judge(text)).toBe('summary-error');
});

test.each([
  "The deploy failed with 'quota exceeded'; the limit was raised, and the deploy went through.",
  'The request timed out in the payment client because the pool was too small; it has 20 connections since.',
  'Your credit balance check was moved into src/billing.ts, and next the printer has to be done.',
  'The request is too large for the proxy. We raised client_max_body_size to 8 MB and the upload works.',
  'The model User does not exist in the schema yet. Next: write the migration.',
  'Access denied errors of the bucket were traced to its policy, which lacks s3:PutObject.',
  'An error occurred in parse() for empty input. It was fixed by an early return.',
  'The service is unavailable during a restart; a retry was added to the client.',
  'Oops! The test still names the old token: it is the next thing to mend.',
  'Your account page was moved to src/account.tsx.',
  'This account of the session: the parser is done and limits are kept.',
  'The request failed on empty bodies in the client, which the user saw in staging.',
  'Out of memory was the reason for the crash: the user wants the cache bounded.',
  'Invalid API keys are refused with 401 since the middleware was added.',
  '# Goal\nThe request timed out in production: find out why.',
  '<state_snapshot><overall_goal>The model does not exist: create it.</overall_goal></state_snapshot>',
  'The session begins with an outage: the service is temporarily unavailable. The pool is too small.',
])('a summary that tells of an error is one: %s', (text) => {
  expect(judge(text)).toBeUndefined();
});

test('an assistant that stops is no summary, one that tells where it stopped is', () => {
  expect(judge("I need to stop here. I can't continue with this task.")).toBe('summary-refused');
  expect(judge('I need to stop here before the release: the tests of the parser still fail.')).toBeUndefined();
});

const said = Array.from(
  { length: 40 },
  (_, at) => `Part ${at} of the parser reads line by line, and ${at * 7} of them are left.`,
);
const prompt = said.map((line) => `[assistant]\n${line}\n`).join('\n');
const inTags = (lines: readonly string[]): string =>
  `<state_snapshot>\n<key_knowledge>\n${lines.join('\n')}\n</key_knowledge>\n</state_snapshot>`;

test('a conversation copied line by line between tags is an echo, an account of it with quotes is none', () => {
  expect(judge(inTags(said.slice(0, 30)), { prompt })).toBe('summary-echo');
  const account = said.map((line, at) =>
    at % 2 === 0 ? line : `It is told of part ${at} that some lines of it are left to be read.`,
  );
  expect(judge(inTags(account.slice(0, 30)), { prompt: `${prompt}${'and more of it '.repeat(500)}` })).toBeUndefined();
});

test('instructions that come back are an echo', () => {
  const system =
    'You write notes of conversations. Keep paths and numbers as they are, and answer with nothing else. Never call a tool, whatever is asked.';
  expect(judge(`${system}\n`, { system })).toBe('summary-echo');
  expect(
    judge(
      `${system.slice(0, 40)} was what the prompt of src/notes.ts said before it was written anew in the same words.`,
      { system },
    ),
  ).toBeUndefined();
});
