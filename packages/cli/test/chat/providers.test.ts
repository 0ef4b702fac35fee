import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startUpstream, type Upstream } from '../../../gateway/test/upstream/index.ts';
import type { ChatEvent } from '../../src/chat/events.ts';
import { openChat } from '../../src/chat/open.ts';

const folder = mkdtempSync(join(tmpdir(), 'epitome-providers-'));
writeFileSync(join(folder, 'notes.txt'), `remember the milk${'\nand walk the dog around the block'.repeat(400)}`);
afterAll(() => rmSync(folder, { recursive: true }));

let upstream: Upstream;
afterEach(() => upstream.close());

const KEYS = { OPENAI_API_KEY: 'sk-o', ANTHROPIC_API_KEY: 'sk-a', GEMINI_API_KEY: 'g', OPENAI_COMPATIBLE_API_KEY: 'k' };

function envOf(url: string): Record<string, string> {
  return {
    ...KEYS,
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_BASE_URL: url,
    GOOGLE_GEMINI_BASE_URL: url,
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
    EPITOME_CONFIG: join(folder, 'none.yaml'),
    EPITOME_STORE: join(folder, 'providers.db'),
  };
}

const clock = {
  now: () => Date.now(),
  after: (milliseconds: number, call: () => void) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};

const isWhole = (event: ChatEvent): boolean => event.kind === 'answer-end' && event.ended === 'whole';

test.each(['openai/gpt-5', 'anthropic/claude-sonnet-4-5', 'google/gemini-2.5-pro', 'openai-compatible/local'])(
  '%s: thinking, tools, a summary and a later turn go out as the provider wants them',
  async (model) => {
    upstream = await startUpstream({
      reply: ({ raw }) => {
        const body = raw.toString();
        if (body.includes('</conversation>')) return { text: '<state_snapshot>They read notes.txt.</state_snapshot>' };
        const isFirst = !body.includes('remember the milk') && !body.includes('state_snapshot');
        return isFirst
          ? {
              thinking: 'I should look.',
              text: 'I look.',
              calls: [{ name: 'read_file', input: { path: 'notes.txt' } }],
            }
          : { thinking: 'It says milk.', text: 'The milk.' };
      },
    });
    const events: ChatEvent[] = [];
    const open = await openChat(
      { model, tools: true, store: join(folder, `${model.split('/')[0]}.db`) },
      {
        env: envOf(upstream.url),
        folder,
        clock,
        tell: (event) => events.push(event),
        asked: { kind: 'nobody' },
        isInteractive: false,
        signal: new AbortController().signal,
      },
    );
    open.chat.submit('What do the notes say?');
    open.chat.submit('And now?');
    open.chat.submit('/compress');
    open.chat.submit('Still?');
    await open.chat.settled();
    const { messages } = { messages: await open.ground.log.messages(open.ground.conversation.ref()) };
    await open.close();
    expect(upstream.refused()).toEqual([]);
    expect(events.flatMap((event) => (event.kind === 'failed' || event.kind === 'retry' ? [event.fault] : []))).toEqual(
      [],
    );
    expect(events.filter(isWhole)).toHaveLength(4);
    const results = events.flatMap((event) => (event.kind === 'tool-end' ? [event] : []));
    expect(results).toMatchObject([{ ok: true, text: expect.stringContaining('milk') }]);
    const ends = events.flatMap((event) => (event.kind === 'compaction-end' ? [event.end] : []));
    expect(ends).toMatchObject([{ kind: 'ended', method: 'model' }]);
    expect(messages.map(({ role }) => role).join(' ')).toBe(
      'user assistant tool assistant user assistant user assistant',
    );
    const marks = upstream.requests.filter(({ raw }) => raw.includes('"cache_control"')).length;
    expect(marks).toBe(model.startsWith('anthropic') ? 4 : 0);
    const meter = events.findLast((event) => event.kind === 'meter');
    expect(meter).toMatchObject({ meter: { basis: 'reported', tokens: expect.any(Number) } });
  },
);

test('from one provider to the next: calls and results go along, thinking that another one sealed does not', async () => {
  upstream = await startUpstream({
    reply: ({ raw }) =>
      raw.toString().includes('remember the milk')
        ? { thinking: 'It says milk.', text: 'The milk.' }
        : { thinking: 'I should look.', text: 'I look.', calls: [{ name: 'read_file', input: { path: 'notes.txt' } }] },
  });
  const events: ChatEvent[] = [];
  const open = await openChat(
    { model: 'anthropic/claude-sonnet-4-5', tools: true, store: join(folder, 'switch.db') },
    {
      env: envOf(upstream.url),
      folder,
      clock,
      tell: (event) => events.push(event),
      asked: { kind: 'nobody' },
      isInteractive: false,
      signal: new AbortController().signal,
    },
  );
  open.chat.submit('What do the notes say?');
  for (const model of [
    'openai/gpt-5',
    'google/gemini-2.5-pro',
    'openai-compatible/local',
    'anthropic/claude-opus-4-1',
  ]) {
    open.chat.submit(`/model ${model}`);
    open.chat.submit('And now?');
  }
  await open.chat.settled();
  await open.close();
  expect(upstream.refused()).toEqual([]);
  expect(events.filter(({ kind }) => kind === 'failed')).toEqual([]);
  expect(events.filter(isWhole)).toHaveLength(6);
  const said = events.flatMap((event) => (event.kind === 'said' ? event.lines : []));
  expect(said).toContain('reasoning blocks of the previous model were left out');
  const [openai] = upstream.requests.filter(({ path }) => path.endsWith('/responses'));
  expect(JSON.parse(openai?.raw.toString() ?? '{}')).toMatchObject({ store: false });
  expect(openai?.raw.toString()).not.toContain('I should look.');
});
