import { memoryStore, type Store, StoreError } from '@epitome/store';
import { afterEach, describe, expect, test } from 'vitest';
import { chatOf, post, statusOf } from './support/chat.ts';
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

const body = (messages: readonly Json[], model = 'm'): Json => ({ model, temperature: 0.25, messages });
const rawOf = ({ requests }: Upstream): readonly string[] => requests.map(({ raw }) => raw.toString('utf8'));
const sentBy = (upstream: Upstream): readonly Json[] => {
  const { messages } = JSON.parse(rawOf(upstream).at(-1) ?? '{}');
  return messages;
};

describe('what a client sends again is known by its prefix', () => {
  test('the same history gives the same bytes, and one compaction', async () => {
    const { upstream, tested } = await both();
    const asked = body(chatOf(20));
    const first = await post(tested.url, asked);
    const again = await post(tested.url, asked);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect([statusOf(first), statusOf(again)]).toEqual(['compacted', 'reused']);
    const [one, two] = rawOf(upstream);
    expect(two).toBe(one);
    expect(one?.length).toBeLessThan(JSON.stringify(asked).length / 2);
    expect(tested.compactions).toHaveLength(1);
    expect(again.told.get('x-epitome-record')).toBe(first.told.get('x-epitome-record'));
    expect(Number(first.told.get('x-epitome-tokens-after'))).toBeLessThan(
      Number(first.told.get('x-epitome-tokens-before')),
    );
  });

  test('between compactions a request is a byte prefix of the next one (law 22)', async () => {
    const { upstream, tested } = await both();
    const all = chatOf(60, 110);
    let checked = 0;
    for (let length = 4; length < all.length; length += 2) {
      const answer = await post(tested.url, body(all.slice(0, length)));
      expect(answer.status).toBe(200);
      const [before, now] = rawOf(upstream).slice(-2).map(listOf);
      if (statusOf(answer) === 'compacted' || before === undefined || length === 4) continue;
      expect(now?.startsWith(before)).toBe(true);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(40);
    expect(tested.compactions.length).toBeGreaterThan(1);
  });

  test('another process finds the view in the store and sends the same bytes', async () => {
    const store = memoryStore();
    const { upstream, tested } = await both({ ports: { store } });
    await post(tested.url, body(chatOf(20)));
    const second = await startGateway(upstream.url, { window: 8_000, ports: { store } });
    open.push(second.gateway.close);
    const answer = await post(second.url, body(chatOf(20)));
    expect(statusOf(answer)).toBe('reused');
    const [one, two] = rawOf(upstream);
    expect(two).toBe(one);
    expect(second.compactions).toEqual([]);
  });

  test('what is untouched goes out in the very characters it came in, integers beyond 2^53 and odd spaces included', async () => {
    const { upstream, tested } = await both();
    const messages = chatOf(20).map((message) => JSON.stringify(message));
    const odd = '{ "role" : "user", "content":"last \\u00e9", "x_id": 12345678901234567890 }';
    const text = `{"seed":9007199254740993, "model":"m","messages":[ ${messages.join(' , ')} , ${odd} ] ,"user":"u"}`;
    await post(tested.url, text);
    const [raw = ''] = rawOf(upstream);
    expect(tested.compactions).toHaveLength(1);
    expect(raw.startsWith('{"seed":9007199254740993, "model":"m","messages":[')).toBe(true);
    expect(raw.endsWith(`${odd}] ,"user":"u"}`)).toBe(true);
  });
});

describe('branches and tenants', () => {
  test('an edited history is a branch of its own: nothing of the other one shows', async () => {
    const { upstream, tested } = await both();
    const history = chatOf(20);
    const secret = 'the password is swordfish-4711';
    const edited = history.map((message, at) => (at === 3 ? { role: 'user', content: secret } : message));
    await post(tested.url, body(edited));
    await post(tested.url, body(history));
    expect(JSON.stringify(sentBy(upstream))).not.toContain('swordfish');
    const [conversation] = await tested.store.forTenant('local').conversations();
    const branches = await tested.store.forTenant('local').branches(conversation?.id ?? '');
    // The system message belongs to each request, not to the history.
    expect(branches.map(({ length }) => length)).toEqual([history.length - 1, history.length - 1]);
    expect(tested.compactions).toHaveLength(2);
  });

  test('an answer that is asked for again is a branch behind the same records', async () => {
    const { upstream, tested } = await both();
    const history = chatOf(20);
    await post(tested.url, body(history));
    const first = sentBy(upstream);
    const answers = ['one', 'two'].map((content) => [
      ...history,
      { role: 'assistant', content },
      { role: 'user', content: 'go on' },
    ]);
    for (const each of answers) expect(statusOf(await post(tested.url, body(each)))).toBe('reused');
    expect(sentBy(upstream).slice(0, first.length)).toEqual(first);
    expect(tested.compactions).toHaveLength(1);
  });

  test('two tenants with one history share nothing', async () => {
    const { tested } = await both();
    const asked = body(chatOf(20));
    const mine = await post(tested.url, asked);
    const theirs = await post(tested.url, asked, { authorization: 'Bearer other' });
    expect([statusOf(mine), statusOf(theirs)]).toEqual(['compacted', 'compacted']);
    const [a, b] = [mine, theirs].map(({ told }) => told.get('x-epitome-conversation'));
    expect(a).not.toBe(b);
    expect(await tested.store.forTenant('other').conversation(a ?? '')).toBeUndefined();
  });
});

describe('a conversation by its name', () => {
  const named = { 'x-epitome-conversation': 'deploy' };

  test('that was forgotten while it went on is a new one', async () => {
    const { tested } = await both();
    const history = chatOf(20);
    const first = await post(tested.url, body(history.slice(0, -2)), named);
    expect(statusOf(first)).toBe('compacted');
    expect(await tested.store.forTenant('local').forget('deploy')).toBe(true);
    const next = await post(tested.url, body(history), named);
    expect([statusOf(next), next.told.get('x-epitome-conversation')]).toEqual(['compacted', 'deploy']);
    expect(tested.faults).toEqual([]);
  });

  test('is another one in another dialect', async () => {
    const { upstream, tested } = await both();
    await post(tested.url, body(chatOf(20)), named);
    const answer = await fetch(`${tested.url}/v1beta/models/g:generateContent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': 'k', ...named },
      body: JSON.stringify({
        contents: chatOf(20)
          .slice(1)
          .map(({ role, content }) => ({ role: role === 'user' ? 'user' : 'model', parts: [{ text: content }] })),
      }),
    });
    expect([answer.status, answer.headers.get('x-epitome-conversation')]).toEqual([200, 'deploy%3Agemini']);
    expect(answer.headers.get('x-epitome-status')).toMatch(/^compacted/);
    expect(upstream.refused()).toEqual([]);
    expect(tested.faults).toEqual([]);
  });
});

describe('many at once', () => {
  test('64 requests on one conversation do one compaction', async () => {
    const { upstream, tested } = await both();
    const asked = body(chatOf(20));
    const answers = await Promise.all(Array.from({ length: 64 }, () => post(tested.url, asked)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(tested.compactions).toHaveLength(1);
    expect(new Set(rawOf(upstream)).size).toBe(1);
    expect(tested.faults).toEqual([]);
  });

  test('64 requests that all overflow do one compaction, and each is sent once more', async () => {
    const { upstream, tested } = await both({ window: 8_000, gatewayWindow: 200_000 });
    const asked = body(chatOf(20));
    const answers = await Promise.all(Array.from({ length: 64 }, () => post(tested.url, asked)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(tested.compactions).toHaveLength(1);
    expect(upstream.requests.length).toBeLessThanOrEqual(128);
  });

  test('64 different next prompts become branches, each with its own', async () => {
    const { upstream, tested } = await both();
    const base = chatOf(3, 40);
    const asked = Array.from({ length: 64 }, (_, at) => [
      ...base,
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: `variant ${at}` },
    ]);
    await Promise.all(asked.map((messages) => post(tested.url, body(messages))));
    const seen = rawOf(upstream).map((raw) => JSON.parse(raw).messages.at(-1).content);
    expect(new Set(seen).size).toBe(64);
    const [conversation] = await tested.store.forTenant('local').conversations();
    expect(await tested.store.forTenant('local').branches(conversation?.id ?? '')).toHaveLength(64);
  });
});

describe("the provider's own limit", () => {
  test('too long for the provider: compact once, send once more; the next turn fits at once', async () => {
    const { upstream, tested } = await both({ window: 8_000, gatewayWindow: 200_000 });
    const all = chatOf(50);
    const answer = await post(tested.url, body(all.slice(0, 40)));
    expect(answer.status).toBe(200);
    expect(answer.told.get('x-epitome-status')).toBe('compacted; reason=overflow; retried');
    expect(upstream.requests.map(({ verdict }) => verdict)).toEqual(['too-long', 'answered']);
    for (let length = 42; length < all.length; length += 2)
      expect((await post(tested.url, body(all.slice(0, length)))).status).toBe(200);
    expect(tested.compactions.length).toBeGreaterThan(1);
    expect(upstream.requests.filter(({ verdict }) => verdict !== 'answered')).toHaveLength(1);
  });

  test('still too long: the provider has the last word, in its own body', async () => {
    const { upstream, tested } = await both();
    upstream.inject({ kind: 'context-length' });
    const answer = await post(tested.url, body(chatOf(10)));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).error.code).toBe('context_length_exceeded');
    expect(answer.told.get('x-epitome-status')).toBe('failed; reason=overflow; retried');
    expect(upstream.requests).toHaveLength(2);
  });

  test('a rate limit is no overflow', async () => {
    const { upstream, tested } = await both();
    upstream.inject([{ kind: 'rate-limit', retryAfter: 7 }]);
    const answer = await post(tested.url, body(chatOf(5, 20)));
    expect([answer.status, answer.told.get('retry-after')]).toEqual([429, '7']);
    expect(upstream.requests).toHaveLength(1);
  });

  test('reported usage corrects the meter: a provider that counts twice as much is not overrun', async () => {
    // Long made-up identifiers count for more at the provider than at a glance.
    const dense = (at: number): string =>
      Array.from({ length: 60 }, (_, each) => `${(at * 7919 + each * 104729).toString(36)}_Zq${each}`).join('');
    const messages: Json[] = [];
    const { upstream, tested } = await both({ window: 12_000, gatewayWindow: 12_000 });
    for (let at = 0; at < 60; at += 1) {
      messages.push({ role: 'user', content: dense(at) });
      expect((await post(tested.url, body(messages))).status).toBe(200);
      messages.push({ role: 'assistant', content: dense(at + 1000) });
    }
    expect(upstream.requests.filter(({ verdict }) => verdict === 'too-long')).toEqual([]);
  });
});

describe('in the background', () => {
  test('a summary is prepared near the trigger, and nobody waits for it at the trigger', async () => {
    let calls = 0;
    const summarizer = async () => {
      calls += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return {
        text: `<state_snapshot><overall_goal>Write the parser.</overall_goal><key_knowledge>Round ${calls}; windows and records of the branch are kept.</key_knowledge></state_snapshot>`,
        finish: 'stop' as const,
      };
    };
    const { tested } = await both({ ports: { engine: { summarizer } } });
    const all = chatOf(60, 110);
    for (let length = 4; length < all.length; length += 2) {
      expect((await post(tested.url, body(all.slice(0, length)))).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(tested.compactions.length).toBeGreaterThan(1);
    expect(new Set(tested.compactions.map(({ trigger }) => trigger))).toEqual(new Set(['prepared']));
    expect(tested.compactions.map(({ outcome }) => outcome.method)).toContain('model');
    expect(Math.max(...tested.compactions.map(({ durationMs }) => durationMs))).toBeLessThan(2000);
  });
});

describe('what fails of ours', () => {
  const failing = (code: 'full' | 'unavailable'): Store => ({
    ...memoryStore(),
    forTenant: () =>
      new Proxy({} as ReturnType<Store['forTenant']>, {
        get: () => async () => {
          throw new StoreError(code, 'no');
        },
      }),
  });

  test("the client's own bytes go out when the store cannot be reached, and the answer says so", async () => {
    const { upstream, tested } = await both({ ports: { store: failing('unavailable') } });
    const asked = body(chatOf(5, 20));
    const answer = await post(tested.url, asked);
    expect([answer.status, answer.told.get('x-epitome-status')]).toEqual([200, 'failed; reason=store-unavailable']);
    expect(rawOf(upstream)).toEqual([JSON.stringify(asked)]);
    expect(tested.faults).toHaveLength(1);
  });

  test('a request that is too long is made to fit from memory when the store is full', async () => {
    const { upstream, tested } = await both({ ports: { store: failing('full') } });
    const answer = await post(tested.url, body(chatOf(20)));
    expect([answer.status, answer.told.get('x-epitome-status')]).toEqual([200, 'compacted; reason=store-full']);
    expect(upstream.requests.map(({ verdict }) => verdict)).toEqual(['answered']);
  });

  test('a summarizer that fails does not stop the turn', async () => {
    const summarizer = async (): Promise<never> => {
      throw new Error('quota');
    };
    const { tested } = await both({ ports: { engine: { summarizer } } });
    expect((await post(tested.url, body(chatOf(20)))).status).toBe(200);
    expect(tested.compactions[0]?.outcome.degraded).toBe(true);
  });
});

function listOf(raw: string): string {
  return raw.slice(0, raw.lastIndexOf(']'));
}
