import { memoryStore } from '@epitome/store';
import { afterEach, describe, expect, test } from 'vitest';
import { chatOf, post, statusOf } from './support/chat.ts';
import { startGateway, type Tested } from './support/gateway.ts';
import { type Json, startUpstream, type Upstream } from './upstream/index.ts';

let open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open) await close();
  open = [];
});

async function both(store = memoryStore()): Promise<{ upstream: Upstream; tested: Tested }> {
  const upstream = await startUpstream({ window: 8_000 });
  const tested = await startGateway(upstream.url, { window: 8_000, ports: { store } });
  open.push(tested.gateway.close, upstream.close);
  return { upstream, tested };
}

const said = (exchanges: number): readonly Json[] => chatOf(exchanges).slice(1);
const withLead = (lead: string, messages: readonly Json[]): string =>
  `{"model":"m","messages":[${lead},${messages.map((each) => JSON.stringify(each)).join(',')}]}`;
const timeIs = (at: number): string => `{ "role":"system", "content" : "Time is ${at}" }`;
const lastRaw = ({ requests }: Upstream): string => requests.at(-1)?.raw.toString('utf8') ?? '';

describe('the system messages a chat begins with are its system prompt', () => {
  test('one that changes every turn leaves one conversation, one branch, and a compaction now and then', async () => {
    const { upstream, tested } = await both();
    const all = said(40);
    for (let turn = 0; turn < 40; turn += 1) {
      const answer = await post(tested.url, withLead(timeIs(turn), all.slice(0, 2 * turn + 1)));
      expect(answer.status).toBe(200);
      expect(lastRaw(upstream).startsWith(`{"model":"m","messages":[${timeIs(turn)},`)).toBe(true);
    }
    const log = tested.store.forTenant('local');
    const conversations = await log.conversations();
    expect(conversations).toHaveLength(1);
    const branches = await log.branches(conversations[0]?.id ?? '');
    expect(branches.map(({ length }) => length)).toEqual([79]);
    expect(tested.compactions.length).toBeGreaterThan(1);
    expect(tested.compactions.length).toBeLessThan(8);
  });

  test('behind one that changed, what is in force is sent in the same bytes, by another process too', async () => {
    const store = memoryStore();
    const { upstream, tested } = await both(store);
    const behind = (at: number): string =>
      lastRaw(upstream).slice(lastRaw(upstream).indexOf(timeIs(at)) + timeIs(at).length);
    expect(statusOf(await post(tested.url, withLead(timeIs(1), said(20))))).toBe('compacted');
    const first = behind(1);
    expect(statusOf(await post(tested.url, withLead(timeIs(2), said(20))))).toBe('reused');
    expect(behind(2)).toBe(first);
    const second = await startGateway(upstream.url, { window: 8_000, ports: { store } });
    open.push(second.gateway.close);
    expect(statusOf(await post(second.url, withLead(timeIs(3), said(20))))).toBe('reused');
    expect(behind(3)).toBe(first);
  });

  test('all of them, by either role, are sent as they came; one inside the history is a message of it', async () => {
    const { upstream, tested } = await both();
    const lead = `${timeIs(1)},{"role":"developer","content":[{"type":"text","text":"Be brief."}]}`;
    const inside = [...said(20).slice(0, 4), { role: 'system', content: 'Reminder 7.' }, ...said(20).slice(4)];
    await post(tested.url, withLead(lead, inside));
    expect(tested.compactions).toHaveLength(1);
    expect(lastRaw(upstream).startsWith(`{"model":"m","messages":[${lead},`)).toBe(true);
    const [conversation] = await tested.store.forTenant('local').conversations();
    const branches = await tested.store.forTenant('local').branches(conversation?.id ?? '');
    expect(branches.map(({ length }) => length)).toEqual([inside.length]);
  });

  test('they count: a longer one makes a compaction due', async () => {
    const { tested } = await both();
    const long = JSON.stringify({ role: 'system', content: 'Rule: name files in full. '.repeat(800) });
    expect(statusOf(await post(tested.url, withLead(timeIs(1), said(6))))).toBe('kept');
    const answer = await post(tested.url, withLead(long, said(6)));
    expect(Number(answer.told.get('x-epitome-tokens-before'))).toBeGreaterThan(5_000);
    expect(statusOf(answer)).toBe('compacted');
  });

  test('nothing but them is no conversation: it goes out as it came', async () => {
    const { upstream, tested } = await both();
    const text = `{"model":"m","messages":[ ${timeIs(1)} ]}`;
    const answer = await post(tested.url, text);
    expect(answer.told.get('x-epitome-status')).toBe('passed; reason=no-messages');
    expect(lastRaw(upstream)).toBe(text);
  });
});
