import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RUN_HELP } from '../help/compacting.ts';
import { openModels, readModelName } from './provider.ts';

test.each([
  ['openai/gpt-5-mini', { provider: 'openai', model: 'gpt-5-mini' }],
  ['openai-compatible/meta/llama-3', { provider: 'openai-compatible', model: 'meta/llama-3' }],
])('%s names a model', (text, expected) => {
  expect(readModelName(text)).toEqual(expected);
});

test.each(['openai', 'openai/', 'mistral/large', '/x', ''])('%j is no summarizer', (text) => {
  expect(() => readModelName(text)).toThrow('there are mechanical, openai/MODEL');
});

test.each([
  ['openai', {}, 'set OPENAI_API_KEY'],
  ['openai', { OPENAI_API_KEY: ' ' }, 'set OPENAI_API_KEY'],
  ['anthropic', {}, 'set ANTHROPIC_API_KEY'],
  ['google', {}, 'set GOOGLE_GENERATIVE_AI_API_KEY'],
  ['openai-compatible', { OPENAI_API_KEY: 'k' }, 'set OPENAI_COMPATIBLE_BASE_URL'],
  ['openai', { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'nowhere' }, 'The base URL "nowhere" is no address'],
] as const)('%s with %j is refused, and says what is missing', async (provider, env, message) => {
  await expect(openModels({ provider, model: 'm' }, env)).rejects.toThrow(message);
});

test('the help names every variable that is read, and no other', () => {
  const source = readFileSync(new URL('provider.ts', import.meta.url), 'utf8');
  const named = (text: string): readonly string[] => [...new Set(text.match(/[A-Z]+(?:_[A-Z]+)*_(?:KEY|URL)/g))].sort();
  expect(named(RUN_HELP)).toEqual(named(source));
});

test.each([
  [{ GOOGLE_API_KEY: 'c', GEMINI_API_KEY: 'b', GOOGLE_GENERATIVE_AI_API_KEY: 'a' }, 'a'],
  [{ GOOGLE_API_KEY: 'c', GEMINI_API_KEY: 'b' }, 'b'],
  [{ GOOGLE_API_KEY: 'c', GEMINI_API_KEY: ' ' }, 'c'],
])('google takes the first key of the order the help gives: %j', async (env, key) => {
  const [model] = await openModels({ provider: 'google', model: 'm' }, env);
  const { config } = Object(model);
  expect(await config.headers()).toMatchObject({ 'x-goog-api-key': key });
});

test('a server that speaks for OpenAI is asked by Responses, then by Chat Completions', async () => {
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  const models = await openModels({ provider: 'openai', model: 'm' }, env);
  const providers = models.map((model) => (typeof model === 'string' ? model : model.provider));
  expect(providers).toEqual(['openai.responses', 'openai.chat']);
});
