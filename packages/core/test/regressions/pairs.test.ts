import { describe, expect, test } from 'vitest';
import { compact, type FormatName, formats, type LogRecord, PRESET_NAMES } from '../../src/index.ts';
import { builders, scriptedSummarizer } from '../../src/testing/index.ts';

const words = (count: number): string => 'a word of the story '.repeat(Math.ceil(count / 4));
const { user, assistant } = builders.anthropic;

function errorsOf(format: FormatName, messages: readonly unknown[]): readonly string[] {
  return formats[format]
    .validate(messages)
    .flatMap(({ severity, rule, detail }) => (severity === 'error' ? [`${rule} ${detail}`] : []));
}

async function compactAll(
  format: FormatName,
  messages: readonly unknown[],
  records: readonly LogRecord[] = [],
): Promise<readonly (readonly unknown[])[]> {
  const lists: (readonly unknown[])[] = [];
  for (const policy of PRESET_NAMES) {
    for (const window of [600, 1500, 100_000]) {
      const given = { format, messages, policy, window, cause: 'manual', records } as const;
      lists.push((await compact(given, { summarizer: scriptedSummarizer('normal') })).messages);
    }
  }
  return lists;
}

describe.each(Object.keys(builders) as FormatName[])('orphans and broken pairs in %s', (format) => {
  const { user: asks, assistant: says, call, result } = builders[format];

  test('openclaw/openclaw#8525, langchain-ai/langchain#34282: no result is left without its call', async () => {
    const turns = Array.from({ length: 6 }, (_, at) => [
      asks(`${at} ${words(40)}`),
      call(`c${at}`, 'read_file', { at }),
      result(`c${at}`, 'read_file', words(200)),
      says(`${at} ${words(40)}`),
    ]).flat();
    for (let length = 1; length <= turns.length; length += 1) {
      const messages = turns.slice(0, length);
      const known = errorsOf(format, messages).map((text) => text.split(' ')[0]);
      for (const list of await compactAll(format, messages)) {
        expect(errorsOf(format, list).filter((text) => !known.includes(text.split(' ')[0]))).toEqual([]);
      }
    }
  });

  test('earendil-works/pi#8667: an old summary is never drawn inside a later pair', async () => {
    const first = [asks(words(200)), says(words(200)), asks('Read it.'), call('c1', 'read_file', {})];
    const given = { format, policy: 'threshold', window: 4000, cause: 'manual' } as const;
    const { records, messages } = await compact(
      { ...given, messages: first },
      { summarizer: scriptedSummarizer('normal') },
    );
    expect(messages).toHaveLength(3);
    const second = [...first, result('c1', 'read_file', words(200)), says('Done.'), asks('And?')];
    for (const list of await compactAll(format, second, records)) expect(errorsOf(format, list)).toEqual([]);
  });

  test('tontinton/maki#641: cutting by force never parts a batch', async () => {
    const messages = [
      asks('Go.'),
      call('c1', 'run'),
      result('c1', 'run', words(3000)),
      call('c2', 'run'),
      result('c2', 'run', words(3000)),
    ];
    for (const list of await compactAll(format, messages)) expect(errorsOf(format, list)).toEqual([]);
  });
});

describe('Anthropic', () => {
  const thinking = (at: number): unknown => ({ type: 'thinking', thinking: `step ${at}`, signature: `sig${at}` });

  test('Hmbown/Codewhale#6119: a result beside text stays with the text', async () => {
    const messages = [
      user(words(300)),
      assistant(words(300)),
      user('Read both.'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'one' },
          { type: 'text', text: 'And hurry.' },
        ],
      },
    ];
    for (const list of await compactAll('anthropic', messages)) {
      expect(errorsOf('anthropic', list)).toEqual([]);
      expect(list).toContain(messages[4]);
      expect(list).toContain(messages[3]);
    }
  });

  test('humanlayer/fold#32: results in another order than their calls', async () => {
    const calls = ['c1', 'c2', 'c3'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {} }));
    const results = ['c3', 'c1', 'c2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: words(100) }));
    const messages = [
      user(words(100)),
      { role: 'assistant', content: calls },
      { role: 'user', content: results },
      assistant('Read.'),
      user('Next?'),
    ];
    for (const list of await compactAll('anthropic', messages)) expect(errorsOf('anthropic', list)).toEqual([]);
  });

  test('anthropics/claude-code#65098: a server tool keeps its result', async () => {
    const search = [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      { type: 'text', text: words(100) },
    ];
    const messages = [
      user(words(200)),
      { role: 'assistant', content: search },
      user(words(100)),
      { role: 'assistant', content: search.map((block) => ({ ...block })) },
      user('Next?'),
    ];
    for (const list of await compactAll('anthropic', messages)) expect(errorsOf('anthropic', list)).toEqual([]);
  });

  test('anthropics/claude-code#63404: kept thinking is what it was, or gone as a whole', async () => {
    const turn = (at: number): readonly unknown[] => [
      user(`${at} ${words(100)}`),
      { role: 'assistant', content: [thinking(at), { type: 'text', text: words(60) }] },
    ];
    const messages = [...turn(0), ...turn(1), ...turn(2), user('Next?')];
    const given = {
      format: 'anthropic',
      messages,
      policy: 'snapshot',
      window: 100_000,
      keep: 0.6,
      cause: 'manual',
    } as const;
    const outcome = await compact(given, { summarizer: scriptedSummarizer('normal') });
    expect(outcome.status).toBe('compressed');
    expect(JSON.stringify(outcome.messages)).not.toContain('"thinking"');
    expect(outcome.findings.map(({ code }) => code)).toEqual(['reasoning-dropped']);
  });

  test('a tool loop in flight keeps its thinking, or nothing is cut (A10, A12)', async () => {
    const loop = { role: 'assistant', content: [thinking(9), { type: 'tool_use', id: 'c1', name: 'run', input: {} }] };
    const messages = [user(words(300)), assistant(words(300)), user('Go.'), loop];
    for (const list of await compactAll('anthropic', messages)) expect(list).toBe(messages);
  });

  test("a reminder beside a result ended the turn: the loop lost its thinking (A10), the user's request its words", async () => {
    const use = (id: string, at: number) => ({
      role: 'assistant',
      content: [thinking(at), { type: 'tool_use', id, name: 'run', input: {} }],
    });
    const result = (id: string, text: string) => ({ type: 'tool_result', tool_use_id: id, content: text });
    const task = user(`task ${words(800)}`);
    const reminder = { type: 'text', text: '<system-reminder>the todo list is empty</system-reminder>' };
    const messages = [
      task,
      use('a', 1),
      { role: 'user', content: [result('a', words(300))] },
      use('b', 2),
      { role: 'user', content: [result('b', 'ok'), reminder] },
    ];
    for (const list of await compactAll('anthropic', messages)) {
      expect(formats.anthropic.validate(list).map(({ rule }) => rule)).not.toContain('A10');
      expect(list).toContain(task);
      if (list.length < messages.length) expect(list.at(-1)).toEqual({ role: 'user', content: [reminder] });
    }
  });

  test('UKGovernmentBEIS/inspect_ai#3475, HolmesGPT/holmesgpt#2173: a list that ended with the user does not end with us', async () => {
    const messages = [user(words(300)), assistant(words(300)), user(words(10))];
    for (const list of await compactAll('anthropic', messages)) expect(Object(list.at(-1)).role).toBe('user');
  });
});

test('guanyilun/agent-sh#114: no husk of an assistant message is left when its thinking goes', async () => {
  const husk = {
    role: 'assistant',
    content: null,
    thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 'sig' }],
  };
  const { user: asks, assistant: says } = builders['openai-chat'];
  const messages = [asks(words(300)), says(words(300)), asks('And?'), husk, asks('Well?')];
  for (const list of await compactAll('openai-chat', messages)) {
    if (list !== messages) expect(errorsOf('openai-chat', list)).toEqual([]);
  }
});
