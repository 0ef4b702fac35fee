import { afterEach, describe, expect, test } from 'vitest';
import { isSameModel } from '../src/model/names.ts';
import { startGateway } from './support/gateway.ts';
import { type Json, startUpstream, type Upstream } from './upstream/index.ts';

let open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open) await close();
  open = [];
});

type Talk = {
  readonly upstream: Upstream;
  /** Says a message to a model; gives the notice of the answer, and keeps both in the history. */
  readonly say: (model: string, message: Json) => Promise<string | null>;
  /** Messages of the last request as they went out. */
  readonly sent: () => readonly Json[];
};

/** A talk in which each prompt is answered by two calls after each other, then by words. */
async function talk(dialect: 'anthropic' | 'gemini', body: Json = {}): Promise<Talk> {
  const reply = ({ index }: { index: number }) => {
    const thinking = `Thought ${index}.`;
    return index % 3 === 2
      ? { thinking, text: 'done' }
      : { thinking, calls: [{ name: 'read', input: { line: index }, id: `toolu_${index}` }] };
  };
  const upstream = await startUpstream({ window: 64_000, reply });
  const tested = await startGateway(upstream.url, { window: 64_000 });
  open.push(tested.gateway.close, upstream.close);
  const history: Json[] = [];
  const list = dialect === 'gemini' ? 'contents' : 'messages';
  const pathOf = (model: string): string =>
    dialect === 'gemini' ? `/v1beta/models/${model}:generateContent` : '/v1/messages';
  const say = async (model: string, message: Json): Promise<string | null> => {
    history.push(message);
    const response = await fetch(`${tested.url}${pathOf(model)}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer k',
        'x-goog-api-key': 'k',
        'x-api-key': 'k',
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify({ ...(dialect === 'gemini' ? {} : { model }), ...body, [list]: history }),
    });
    const answer = (await response.json()) as Json;
    const content = dialect === 'gemini' ? answer['candidates'] : answer['content'];
    const first = (content as Json[])[0] ?? {};
    history.push(dialect === 'gemini' ? (first['content'] as Json) : { role: 'assistant', content });
    return response.headers.get('x-epitome-notice');
  };
  const sent = (): readonly Json[] => JSON.parse(upstream.requests.at(-1)?.raw.toString('utf8') ?? '{}')[list];
  return { upstream, say, sent };
}

describe('another model asked in the middle of a turn of Gemini', () => {
  const prompt = (text: string): Json => ({ role: 'user', parts: [{ text }] });
  const result = { role: 'user', parts: [{ functionResponse: { name: 'read', response: { text: 'ok' } } }] };
  const signatures = (contents: readonly Json[]): readonly unknown[] =>
    contents.flatMap(({ parts }) =>
      (parts as Json[]).filter(({ functionCall }) => functionCall).map(({ thoughtSignature: seal }) => seal),
    );
  const STAND_IN = 'skip_thought_signature_validator';

  test('is sent a stand-in for the signature that its provider wants (G6), and none when the turn is over', async () => {
    const { upstream, say, sent } = await talk('gemini');
    await say('gemini-3-pro', prompt('go'));
    await say('gemini-3-pro', result);
    const [own] = signatures(sent());
    expect(own).not.toBe(STAND_IN);
    expect(await say('gemini-3-flash', result)).toMatch(/left out/);
    expect(signatures(sent())).toEqual([STAND_IN, STAND_IN]);
    expect(JSON.stringify(sent())).not.toContain(String(own));
    expect(JSON.stringify(sent())).not.toContain('"thought":true');
    await say('gemini-3-flash', prompt('more'));
    expect(signatures(sent())).toEqual([undefined, undefined]);
    expect(upstream.refused()).toEqual([]);
  });

  test('keeps its own signatures behind the stand-ins, and so does who takes over again', async () => {
    const { upstream, say, sent } = await talk('gemini');
    await say('gemini-3-pro', prompt('go'));
    await say('gemini-3-flash', result);
    await say('gemini-3-flash', result);
    const [first, second] = signatures(sent());
    expect(first).toBe(STAND_IN);
    expect(second).not.toBe(STAND_IN);
    expect(second).toBeDefined();
    expect(upstream.refused()).toEqual([]);
  });

  test('is sent no stand-in where it wants no signature', async () => {
    const { say, sent } = await talk('gemini');
    await say('gemini-3-pro', prompt('go'));
    await say('gemini-2.5-flash', result);
    expect(signatures(sent())).toEqual([undefined]);
  });

  test.each(['gemini-3-pro-001', 'gemini-3-pro-preview-11-2025', 'gemini-3-pro-latest'])(
    'is the same model by another name, %s, and gets the very bytes',
    async (name) => {
      const { upstream, say, sent } = await talk('gemini');
      await say('gemini-3-pro', prompt('go'));
      expect(await say(name, result)).toBeNull();
      expect(signatures(sent())).not.toContain(STAND_IN);
      expect(JSON.stringify(sent())).toContain('"thought":true');
      expect(upstream.refused()).toEqual([]);
    },
  );
});

describe('another model asked in the middle of a turn of Anthropic', () => {
  const body = { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 } };
  const prompt = (content: string): Json => ({ role: 'user', content });
  const result = (at: number): Json => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: `toolu_${at}`, content: 'ok' }],
  });
  const thoughts = (messages: readonly Json[]): readonly unknown[] =>
    messages.flatMap(({ content }) =>
      Array.isArray(content) ? content.filter(({ type }) => type === 'thinking').map(({ thinking }) => thinking) : [],
    );

  test('is sent the turn as it came, thinking in front of its call (A10), with a notice', async () => {
    const { upstream, say, sent } = await talk('anthropic', body);
    await say('claude-opus-4-5', prompt('go'));
    expect(await say('claude-sonnet-4-5', result(0))).toMatch(/left in/);
    expect(thoughts(sent())).toEqual(['Thought 0.']);
    await say('claude-sonnet-4-5', result(1));
    expect(thoughts(sent())).toEqual(['Thought 0.', 'Thought 1.']);
    // What was thought behind the other's thinking goes with it when the turn is over (A12).
    expect(await say('claude-sonnet-4-5', prompt('more'))).toMatch(/left out/);
    expect(thoughts(sent())).toEqual([]);
    expect(await say('claude-sonnet-4-5', result(3))).toMatch(/left out/);
    expect(thoughts(sent())).toEqual(['Thought 3.']);
    expect(upstream.refused()).toEqual([]);
  });

  test('is sent what stands in front of the turn as it was when that began (A12)', async () => {
    const { upstream, say, sent } = await talk('anthropic', body);
    await say('claude-a', prompt('go'));
    await say('claude-a', result(0));
    await say('claude-a', result(1));
    await say('claude-b', prompt('more'));
    await say('claude-b', result(3));
    expect(thoughts(sent())).toEqual(['Thought 3.']);
    await say('claude-c', result(4));
    expect(thoughts(sent())).toEqual(['Thought 3.', 'Thought 4.']);
    expect(upstream.refused()).toEqual([]);
  });

  test('may be told words beside the results in a message of their own: the turn goes on (A2)', async () => {
    const { upstream, say, sent } = await talk('anthropic', body);
    await say('claude-a', prompt('go'));
    const { content } = result(0);
    await say('claude-b', { role: 'user', content: [...(content as Json[]), { type: 'text', text: 'hurry' }] });
    expect(thoughts(sent())).toEqual(['Thought 0.']);
    expect(upstream.refused()).toEqual([]);
  });
});

test.each([
  ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929', true],
  ['claude-sonnet-4-5@20250929', 'anthropic/claude-sonnet-4-5', true],
  ['gpt-5', 'gpt-5-2025-08-07', true],
  ['models/gemini-3-pro', 'gemini-3-pro-preview', true],
  ['gemini-2.5-flash-preview-09-2025', 'gemini-2.5-flash', true],
  ['claude-sonnet-4', 'claude-sonnet-4-5', false],
  ['gpt-5', 'gpt-5-mini', false],
  ['gemini-3-pro', 'gemini-3-flash', false],
  ['o3', 'o3-pro', false],
])('%s and %s are one model: %s', (one, other, isSame) => {
  expect(isSameModel(one, other)).toBe(isSame);
});
