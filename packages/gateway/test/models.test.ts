import { memoryStore } from '@epitome/store';
import { afterEach, describe, expect, test } from 'vitest';
import { chatOf } from './support/chat.ts';
import { startGateway, type Tested } from './support/gateway.ts';
import { type Json, startUpstream, type Upstream, type UpstreamOptions } from './upstream/index.ts';

let open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open) await close();
  open = [];
});

type Options = UpstreamOptions & Parameters<typeof startGateway>[1] & { readonly gatewayWindow?: number };

async function both(options: Options = {}): Promise<{ upstream: Upstream; tested: Tested }> {
  const { gatewayWindow = 8_000, ports, ...rest } = options;
  const upstream = await startUpstream({ window: 8_000, ...rest });
  const tested = await startGateway(upstream.url, { window: gatewayWindow, ...(ports ? { ports } : {}) });
  open.push(tested.gateway.close, upstream.close);
  return { upstream, tested };
}

const rawOf = ({ requests }: Upstream): readonly string[] => requests.map(({ raw }) => raw.toString('utf8'));
const sentBy = (upstream: Upstream): readonly Json[] => {
  const { messages } = JSON.parse(rawOf(upstream).at(-1) ?? '{}');
  return messages;
};

const signatureOf = ({ content }: Json): unknown =>
  Array.isArray(content) ? content.find(({ type }) => type === 'thinking')?.signature : undefined;

describe('models', () => {
  const HEADERS = { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
  let notice: string | null = null;
  const turn = async (model: string, messages: readonly Json[], url: string, more: Json = {}): Promise<Json> => {
    const thinking = { type: 'enabled', budget_tokens: 1024 };
    const asked = JSON.stringify({ model, max_tokens: 2000, thinking, messages });
    const answer = await fetch(`${url}/v1/messages`, { method: 'POST', headers: { ...HEADERS, ...more }, body: asked });
    const { content } = (await answer.json()) as { content: unknown };
    notice = answer.headers.get('x-epitome-notice');
    return { role: 'assistant', content };
  };

  test('after a switch no sealed block of the other model is sent, pairs stay, and its own stay (law 45)', async () => {
    const reply = ({ index }: { index: number }) =>
      index === 0
        ? { thinking: 'I read it.', calls: [{ name: 'read', input: { line: 1 }, id: 'toolu_1' }] }
        : { thinking: `Thought ${index}.`, text: 'done' };
    const { upstream, tested } = await both({ window: 64_000, gatewayWindow: 64_000, reply });
    const history: Json[] = [{ role: 'user', content: 'hello' }];
    const say = async (model: string, message: Json): Promise<void> => {
      history.push(await turn(model, history, tested.url), message);
    };
    await say('claude-a', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] });
    await say('claude-a', { role: 'user', content: 'now the other one' });
    expect(rawOf(upstream).at(-1)).toContain('I read it.');
    await say('claude-b', { role: 'user', content: 'more' });
    expect(rawOf(upstream).at(-1)).not.toContain('"signature"');
    expect(rawOf(upstream).at(-1)).toContain('toolu_1');
    await say('claude-b', { role: 'user', content: 'and more' });
    expect(
      rawOf(upstream)
        .at(-1)
        ?.match(/"signature"/g),
    ).toHaveLength(1);
    expect(rawOf(upstream).at(-1)).toContain('Thought 2.');
    expect(upstream.refused()).toEqual([]);
  });

  test('a question to another model on a branch takes no thinking from those who go on', async () => {
    const calls = [{ name: 'read', input: { line: 1 }, id: 'toolu_1' }];
    const reply = ({ model }: { model?: string }) =>
      model === 'claude-a' ? { thinking: 'I read it.', calls } : { text: 'A title' };
    const { upstream, tested } = await both({ window: 64_000, gatewayWindow: 64_000, reply });
    const history: Json[] = [{ role: 'user', content: 'hello' }];
    const results = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] };
    history.push(await turn('claude-a', history, tested.url), results);
    await turn(
      'claude-b',
      [...history, { role: 'assistant', content: 'ok' }, { role: 'user', content: 'A title?' }],
      tested.url,
    );
    expect(rawOf(upstream).at(-1)).not.toContain('"signature"');
    await turn('claude-a', history, tested.url);
    expect(rawOf(upstream).at(-1)).toContain('"signature"');
    expect(upstream.refused()).toEqual([]);
  });

  test('thinking is only sent behind what it was written behind, with summaries prepared meanwhile (A12)', async () => {
    const words = 'the windows and records of the branch are kept by the parser '.repeat(8);
    const reply = ({ index }: { index: number }) => ({ thinking: `Thought ${index}.`, text: `${index} ${words}` });
    const summarizer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return { text: '<state_snapshot><overall_goal>Write the parser.</overall_goal></state_snapshot>' };
    };
    const { upstream, tested } = await both({ reply, ports: { engine: { summarizer } } });
    const history: Json[] = [];
    const behind = new Map<unknown, string>();
    const misplaced: unknown[] = [];
    for (let at = 0; at < 50; at += 1) {
      history.push({ role: 'user', content: `Question ${at}: ${words}` });
      const answer = await turn('claude-a', history, tested.url);
      const sent = sentBy(upstream);
      for (const [place, message] of sent.entries()) {
        const signature = signatureOf(message);
        const isBound = behind.get(signature) === JSON.stringify(sent.slice(0, place));
        if (signature !== undefined && !isBound) misplaced.push([at, signature]);
      }
      behind.set(signatureOf(answer), JSON.stringify(sent));
      history.push(answer);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(new Set(tested.compactions.map(({ trigger }) => trigger))).toContain('prepared');
    expect(misplaced).toEqual([]);
  });

  describe.each(['one process', 'two processes'])('a prompt that two models are asked, in %s', (processes) => {
    test('each is sent its own thinking and none of the other (law 45)', async () => {
      const store = memoryStore();
      const reply = ({ model }: { model?: string }) => ({ thinking: `Sealed by ${model}.`, text: 'done' });
      const { upstream, tested } = await both({ window: 64_000, gatewayWindow: 64_000, reply, ports: { store } });
      const second = await startGateway(upstream.url, { window: 64_000, ports: { store } });
      open.push(second.gateway.close);
      const other = processes === 'one process' ? tested.url : second.url;
      const prompt = { role: 'user', content: 'hello' };
      const answers = new Map<string, Json>();
      for (const model of ['claude-a', 'claude-b']) answers.set(model, await turn(model, [prompt], tested.url));
      for (const [made, answer] of answers) {
        for (const model of answers.keys()) {
          await turn(model, [prompt, answer, { role: 'user', content: `more, ${made}, ${model}` }], other);
          const sent = rawOf(upstream).at(-1) ?? '';
          expect([made, model, sent.includes('"signature"')]).toEqual([made, model, made === model]);
          expect(notice === null).toBe(made === model);
        }
      }
      expect(tested.faults).toEqual([]);
    });
  });

  test('who switches models all the time is never sent what another one made (law 45)', async () => {
    const reply = ({ model }: { model?: string }) => ({ thinking: `Sealed by ${model}.`, text: 'done' });
    const { upstream, tested } = await both({ window: 256_000, gatewayWindow: 256_000, reply });
    const history: Json[] = [{ role: 'user', content: 'hello' }];
    for (let at = 0; at < 70; at += 1) {
      const model = `claude-${at % 2}`;
      history.push(await turn(model, history, tested.url), { role: 'user', content: `more ${at}` });
      expect(rawOf(upstream).at(-1)).not.toContain(`Sealed by claude-${(at + 1) % 2}`);
    }
    expect(upstream.refused()).toEqual([]);
  });

  describe.each(['this process', 'another process'])(
    'a compaction that is taken back while an answer is out',
    (who) => {
      test(`leaves no thinking of it behind the other view, where ${who} gets the next request (A12)`, async () => {
        const store = memoryStore();
        const words = 'the windows and records of the branch are kept by the parser '.repeat(8);
        const reply = ({ index }: { index: number }) => ({ thinking: `Thought ${index}.`, text: `${index} ${words}` });
        const { upstream, tested } = await both({ window: 64_000, gatewayWindow: 64_000, reply, ports: { store } });
        const second = await startGateway(upstream.url, { window: 64_000, ports: { store } });
        open.push(second.gateway.close);
        const history: Json[] = [];
        const ask = async (text: string, url: string, more: Json = {}): Promise<void> => {
          history.push({ role: 'user', content: `${text}: ${words}` });
          history.push(await turn('claude-a', history, url, more));
        };
        for (let at = 0; at < 60; at += 1) await ask(`Question ${at}`, tested.url);
        await ask('And then', tested.url, { 'x-epitome-force': '1' });
        await ask('After that', tested.url);
        expect(sentBy(upstream).length).toBeLessThan(history.length - 1);
        const log = store.forTenant('local');
        const [conversation] = await log.conversations();
        await log.undo({ conversation: conversation?.id ?? '' });
        const url = who === 'this process' ? tested.url : second.url;
        await ask('What now', url);
        await ask('And now', url);
        expect(upstream.refused()).toEqual([]);
        expect(sentBy(upstream).length).toBe(history.length - 1);
        expect(signatureOf(sentBy(upstream).at(-2) ?? {})).toBeDefined();
        expect(signatureOf(sentBy(upstream)[1] ?? {})).toBeDefined();
        expect([...tested.faults, ...second.faults]).toEqual([]);
      });
    },
  );

  test('a compaction at a prompt that is asked again leaves the answers that went on from there as they were (A12)', async () => {
    const words = 'the windows and records of the branch are kept by the parser '.repeat(8);
    const reply = ({ index }: { index: number }) => ({ thinking: `Thought ${index}.`, text: `${index} ${words}` });
    const { upstream, tested } = await both({ window: 64_000, gatewayWindow: 64_000, reply });
    const history: Json[] = [];
    const ask = async (text: string): Promise<void> => {
      history.push({ role: 'user', content: `${text}: ${words}` });
      history.push(await turn('claude-a', history, tested.url));
    };
    for (let at = 0; at < 60; at += 1) await ask(`Question ${at}`);
    await turn('claude-a', history.slice(0, -3), tested.url, { 'x-epitome-force': '1' });
    expect(sentBy(upstream).length).toBeLessThan(history.length - 3);
    await ask('What now');
    await ask('And now');
    expect(upstream.refused()).toEqual([]);
    expect(tested.faults).toEqual([]);
  });

  test('another process learns of a switch (law 45)', async () => {
    const store = memoryStore();
    const reply = () => ({ thinking: 'Sealed.', text: 'done' });
    const { upstream, tested } = await both({ window: 64_000, gatewayWindow: 64_000, reply, ports: { store } });
    const second = await startGateway(upstream.url, { window: 64_000, ports: { store } });
    open.push(second.gateway.close);
    const history: Json[] = [{ role: 'user', content: 'hello' }];
    for (const [model, url] of [
      ['claude-a', tested.url],
      ['claude-b', second.url],
      ['claude-a', tested.url],
    ] as const) {
      history.push(await turn(model, history, url), { role: 'user', content: 'more' });
    }
    expect(rawOf(upstream).at(-1)).not.toContain('"signature"');
  });

  test.each(['the process that compacted', 'another process'])(
    'tokens are counted of what would be sent, by %s',
    async (who) => {
      const store = memoryStore();
      const { upstream, tested } = await both({ ports: { store } });
      const second = await startGateway(upstream.url, { window: 8_000, ports: { store } });
      open.push(second.gateway.close);
      const messages = chatOf(20).slice(1);
      const answer = await turn('claude-a', messages, tested.url);
      const next = [...messages, answer, { role: 'user', content: 'and?' }];
      const url = who === 'another process' ? second.url : tested.url;
      const counted = await fetch(`${url}/v1/messages/count_tokens`, {
        method: 'POST',
        headers: HEADERS,
        body: JSON.stringify({ model: 'claude-a', messages: next }),
      });
      const { input_tokens: tokens } = (await counted.json()) as { input_tokens: number };
      expect(counted.headers.get('x-epitome-status')).toBe('reused; reason=in-force');
      await turn('claude-a', next, tested.url);
      expect(tokens).toBe(upstream.requests.at(-1)?.tokens);
      expect([...tested.faults, ...second.faults]).toEqual([]);
    },
  );
});
