import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { generateText, jsonSchema, type LanguageModel, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { startGateway } from './support/gateway.ts';
import { type Reply, startUpstream, type Upstream } from './upstream/index.ts';

// Real clients from npm, once straight at the provider and once through the gateway: with nothing to compact, neither the
// client nor the provider can tell the difference (law 42).

let open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open) await close();
  open = [];
});

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TALK: Reply = { text: 'The tests pass now: 3 of 3.' };
const THINK: Reply = { thinking: 'First the tests.', text: 'They pass.' };
const CALL: Reply = { text: 'I look.', calls: [{ name: 'read_file', input: { path: 'src/a.ts' } }] };

type Client = (url: string) => Promise<unknown>;

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;
const FUNCTION = { name: 'read_file', description: 'Reads.', parameters: SCHEMA };

const openai = (url: string): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
const anthropic = (url: string): Anthropic => new Anthropic({ baseURL: url, apiKey: 'sk-ant-test', maxRetries: 0 });
const gemini = (url: string): GoogleGenAI => new GoogleGenAI({ apiKey: 'g-test', httpOptions: { baseUrl: url } });

async function collected<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const each of stream) all.push(each);
  return all;
}

const CHAT = { model: 'gpt-5', messages: [{ role: 'user' as const, content: 'Fix the parser.' }] };
const TOOLS = [{ type: 'function' as const, function: FUNCTION }];
const IMAGE = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${PNG}` } };
const MESSAGES = {
  model: 'claude-local',
  max_tokens: 2000,
  messages: [{ role: 'user' as const, content: 'Fix the parser.' }],
};
const CONTENTS = { model: 'gemini-2.5-pro', contents: [{ role: 'user', parts: [{ text: 'Fix the parser.' }] }] };

const CLIENTS: readonly (readonly [string, Reply, Client])[] = [
  ['openai: chat', TALK, (url) => openai(url).chat.completions.create(CHAT)],
  [
    'openai: chat stream',
    TALK,
    async (url) =>
      collected(
        await openai(url).chat.completions.create({ ...CHAT, stream: true, stream_options: { include_usage: true } }),
      ),
  ],
  ['openai: chat with tools', CALL, (url) => openai(url).chat.completions.create({ ...CHAT, tools: TOOLS })],
  [
    'openai: chat with tools, stream',
    CALL,
    async (url) => collected(await openai(url).chat.completions.create({ ...CHAT, tools: TOOLS, stream: true })),
  ],
  [
    'openai: chat with an image',
    TALK,
    (url) =>
      openai(url).chat.completions.create({
        ...CHAT,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, IMAGE] }],
      }),
  ],
  [
    'openai: responses',
    TALK,
    (url) => openai(url).responses.create({ model: 'gpt-5', input: [{ role: 'user', content: 'Fix it.' }] }),
  ],
  [
    'openai: responses stream with thinking',
    THINK,
    async (url) =>
      collected(
        await openai(url).responses.create({
          model: 'gpt-5',
          input: [{ role: 'user', content: 'Fix it.' }],
          stream: true,
        }),
      ),
  ],
  [
    'openai: responses with tools',
    CALL,
    (url) =>
      openai(url).responses.create({
        model: 'gpt-5',
        input: 'Fix it.',
        tools: [{ type: 'function', ...FUNCTION, strict: false }],
      }),
  ],
  [
    'openai: responses chained',
    TALK,
    async (url) => {
      const first = await openai(url).responses.create({ model: 'gpt-5', input: 'Fix it.' });
      return openai(url).responses.create({ model: 'gpt-5', input: 'And now?', previous_response_id: first.id });
    },
  ],
  ['anthropic: messages', TALK, (url) => anthropic(url).messages.create(MESSAGES)],
  ['anthropic: messages stream', TALK, (url) => anthropic(url).messages.stream(MESSAGES).finalMessage()],
  [
    'anthropic: thinking',
    THINK,
    (url) => anthropic(url).messages.create({ ...MESSAGES, thinking: { type: 'enabled', budget_tokens: 1024 } }),
  ],
  [
    'anthropic: thinking stream',
    THINK,
    (url) =>
      anthropic(url)
        .messages.stream({ ...MESSAGES, thinking: { type: 'enabled', budget_tokens: 1024 } })
        .finalMessage(),
  ],
  [
    'anthropic: tools, stream',
    CALL,
    (url) =>
      anthropic(url)
        .messages.stream({
          ...MESSAGES,
          tools: [{ name: 'read_file', input_schema: { ...SCHEMA, required: ['path'] } }],
        })
        .finalMessage(),
  ],
  [
    'anthropic: an image',
    TALK,
    (url) =>
      anthropic(url).messages.create({
        ...MESSAGES,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
              { type: 'text', text: 'What is it?' },
            ],
          },
        ],
      }),
  ],
  [
    'anthropic: count_tokens',
    TALK,
    (url) => anthropic(url).messages.countTokens({ model: 'claude-local', messages: MESSAGES.messages }),
  ],
  ['google: generateContent', TALK, async (url) => plain(await gemini(url).models.generateContent(CONTENTS))],
  [
    'google: stream',
    TALK,
    async (url) => plain(await collected(await gemini(url).models.generateContentStream(CONTENTS))),
  ],
  [
    'google: tools',
    CALL,
    async (url) =>
      plain(
        await gemini(url).models.generateContent({
          ...CONTENTS,
          config: { tools: [{ functionDeclarations: [{ name: 'read_file', parametersJsonSchema: SCHEMA }] }] },
        }),
      ),
  ],
  [
    'google: an image',
    TALK,
    async (url) =>
      plain(
        await gemini(url).models.generateContent({
          ...CONTENTS,
          contents: [
            { role: 'user', parts: [{ text: 'What?' }, { inlineData: { mimeType: 'image/png', data: PNG } }] },
          ],
        }),
      ),
  ],
  ['ai sdk: openai', TALK, (url) => answer(createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' })('gpt-5'))],
  [
    'ai sdk: openai chat, stream',
    TALK,
    (url) => streamed(createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' }).chat('gpt-5')),
  ],
  [
    'ai sdk: anthropic, stream',
    TALK,
    (url) => streamed(createAnthropic({ baseURL: `${url}/v1`, apiKey: 'k' })('claude-local')),
  ],
  [
    'ai sdk: google, stream',
    TALK,
    (url) => streamed(createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: 'k' })('gemini-2.5-pro')),
  ],
];

// The SDK keeps the response's headers beside the answer.
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each: unknown) => (key === 'sdkHttpResponse' ? undefined : each)));
}

const AI_TOOLS = {
  read_file: tool({
    description: 'Reads.',
    inputSchema: jsonSchema<{ path: string }>({ ...SCHEMA, required: ['path'] }),
    execute: async ({ path }) => path,
  }),
};

async function answer(model: LanguageModel): Promise<unknown> {
  const { text, usage, finishReason } = await generateText({
    model,
    prompt: 'Fix the parser.',
    tools: AI_TOOLS,
    maxRetries: 0,
  });
  return { text, usage: plain(usage), finishReason };
}

async function streamed(model: LanguageModel): Promise<unknown> {
  const result = streamText({ model, prompt: 'Fix the parser.', tools: AI_TOOLS, maxRetries: 0 });
  const chunks = await collected(result.textStream);
  return { chunks, usage: plain(await result.usage) };
}

async function tried(
  client: Client,
  upstream: Upstream,
  url: string,
): Promise<{ result: unknown; sent: readonly string[] }> {
  const result = plain(await client(url));
  return { result: untimed(result), sent: upstream.requests.map(({ raw, path }) => `${path} ${raw.toString('utf8')}`) };
}

// Each of two providers has its own clock.
function untimed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/"(created|created_at|completed_at)":\d+/g, '"$1":0'));
}

describe('a client sees what it sees without the gateway, and the provider the very bytes', () => {
  test.each(CLIENTS)('%s', async (_name, reply, client) => {
    const [bare, behind] = await Promise.all([
      startUpstream({ reply: () => reply }),
      startUpstream({ reply: () => reply }),
    ]);
    const tested = await startGateway(behind.url, { window: 128_000 });
    open.push(tested.gateway.close, bare.close, behind.close);
    const direct = await tried(client, bare, bare.url);
    const through = await tried(client, behind, tested.url);
    expect(through.result).toEqual(direct.result);
    expect(through.sent).toEqual(direct.sent);
    expect(tested.faults).toEqual([]);
    expect(behind.refused()).toEqual([]);
  });
});
