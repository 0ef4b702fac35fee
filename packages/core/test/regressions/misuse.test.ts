import { describe, expect, test } from 'vitest';
import {
  type CompactInput,
  compact,
  createCompactor,
  type FormatName,
  formats,
  idsOf,
  type LogRecord,
  PRESET_NAMES,
  policyNamed,
  preview,
  project,
  redo,
  undo,
} from '../../src/index.ts';
import { builders } from '../../src/testing/index.ts';

const words = 'a word of the story '.repeat(60);
const base = { format: 'openai-chat', messages: [], policy: 'snapshot', window: 8000 };
const untyped = (value: unknown): CompactInput => value as CompactInput;

describe('what is no input at all is told, not thrown from the inside', () => {
  test.each([
    ['nothing', undefined, '`input` must be an object, not undefined.'],
    ['null', null, '`input` must be an object, not null.'],
    ['a text', 'hello', '`input` must be an object, not a string.'],
    ['a goal that is a number', { ...base, goal: 5 }, '`goal` must be a string, not a number.'],
    ['a goal that is null', { ...base, goal: null }, '`goal` must be a string, not null.'],
    ['a focus that is a list', { ...base, focus: [] }, '`focus` must be a string, not an array.'],
    ['messages that are missing', { ...base, messages: undefined }, '`messages` must be an array'],
    [
      'a calibration without figures',
      { ...base, calibration: {} },
      '`calibration.real` must be a number, not undefined.',
    ],
    [
      'a calibration that is no figure',
      { ...base, calibration: { real: Number.NaN, heuristic: 1 } },
      '`calibration.real` must be a number, not NaN.',
    ],
    ['a cause that JSON cannot hold', { ...base, cause: 5n }, '`cause` is 5; it takes automatic'],
    ['a format that JSON cannot hold', { ...base, format: 5n }, 'There is no format 5; there are openai-chat'],
  ])('%s', async (_, input, message) => {
    expect(() => preview(untyped(input))).toThrow(message);
    await expect(compact(untyped(input))).rejects.toMatchObject({
      name: 'CompactionError',
      message: expect.stringContaining(message),
    });
  });

  test.each([undefined, null, 7])('a session with %s', (input) => {
    expect(() => createCompactor(untyped(input))).toThrow('`input` must be an object');
  });

  test('a turn of a session', async () => {
    const session = createCompactor({ format: 'openai-chat', policy: 'snapshot', window: 8000 });
    const turn = { goal: 5 } as never;
    await expect(session.beforeModel([], turn)).rejects.toThrow('`goal` must be a string, not a number.');
    await expect(session.compact([], turn)).rejects.toThrow('`goal` must be a string, not a number.');
    for (const call of [session.view, session.decide]) {
      expect(() => call(undefined as never)).toThrow('`messages` must be an array, not undefined.');
    }
  });

  test.each([
    ['null', null, '`ports` must be an object, not null.'],
    ['a summarizer', { summarizer: null }, '`ports.summarizer` must be a function, not null.'],
    ['a counter', { counter: 'o200k' }, '`ports.counter` must be a function, not a string.'],
    ['a limit', { maxCalls: '3' }, '`ports.maxCalls` must be a number, not a string.'],
  ])('ports: %s', async (_, ports, message) => {
    await expect(compact(untyped(base), ports as never)).rejects.toThrow(message);
    expect(() => createCompactor(untyped(base), ports as never)).toThrow(message);
  });
});

describe('a range that depends on the window', () => {
  test.each([
    [
      'snapshot',
      { reserved: 8000 },
      'Option `reserved` of preset snapshot is 8000; it takes a whole number from 0 to 7999.',
    ],
    ['branch', { reserved: 9000 }, 'it takes a whole number from 0 to 7999.'],
    [
      'threshold',
      { buffer: 8000 },
      'Option `buffer` of preset threshold is 8000; it takes auto or a whole number from 0 to 7999.',
    ],
  ])('%s with %j', (preset, options, message) => {
    expect(() => policyNamed(preset, { ...options, window: 8000 })).toThrow(message);
  });

  test.each([...PRESET_NAMES])('%s takes all but one token', (preset) => {
    expect(policyNamed(preset, { reserved: 7999, window: 8000 }).reserved).toBe(7999);
  });

  test('a window that is no number is what is told, whatever stands before it', () => {
    expect(() => policyNamed('snapshot', { reserved: 5, window: 'wide' })).toThrow('Option `window`');
  });
});

test.each(['', 'two words', '<summary>', 'a</b', 'x'.repeat(65)])('a summary tag %j is refused', (summaryTag) => {
  expect(() => policyNamed('selective', { window: 8000, summaryTag })).toThrow(
    `Option \`summaryTag\` of preset selective is ${JSON.stringify(summaryTag)}; it takes a name of 1 to 64 letters`,
  );
});

describe('a record that somebody edited', () => {
  const { user, assistant } = builders['openai-chat'];
  const messages = [user(words), assistant(words), user(words), assistant(words), user('now')];
  const given = { format: 'openai-chat', messages, policy: 'snapshot', window: 100_000, cause: 'manual' } as const;
  const world = { newId: () => 'new', now: () => 0 };
  const edited = async (change: (record: Record<string, unknown>) => unknown): Promise<readonly LogRecord[]> => {
    const { records } = await compact(given);
    return JSON.parse(JSON.stringify([...records, change(JSON.parse(JSON.stringify(records[0])))]));
  };

  test.each<[string, (record: Record<string, unknown>) => unknown, string]>([
    ['no covers', ({ covers: _, ...rest }) => rest, '`records[1].covers` must be an array, not undefined.'],
    ['no tokens', ({ tokens: _, ...rest }) => rest, '`records[1].tokens` must be an object, not undefined.'],
    ['tokens in words', (record) => ({ ...record, tokens: { before: 'many' } }), '`records[1].tokens.before` must be'],
    ['edits of nothing', (record) => ({ ...record, edits: [null] }), '`records[1].edits[0]` must be an object'],
    [
      'an insert without text',
      (record) => ({ ...record, inserts: [{ role: 'user' }] }),
      '`records[1].inserts[0].text`',
    ],
    ['a text that is none', (record) => ({ ...record, text: 3 }), '`records[1].text` must be a string, not a number.'],
    ['no kind', ({ kind: _, ...rest }) => rest, '`records[1].kind` must be a string, not undefined.'],
    ['an undo of nothing', () => ({ kind: 'undo', id: 'u', at: 0 }), '`records[1].undoes` must be a string'],
    ['null', () => null, '`records[1]` must be an object, not null.'],
  ])('%s', async (_, change, message) => {
    const records = await edited(change);
    await expect(compact({ ...given, records })).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining(message),
    });
    expect(() => createCompactor({ format: 'openai-chat', policy: 'snapshot', window: 9, records })).toThrow(message);
    expect(() => undo(records, world)).toThrow(message);
    expect(() => redo(records, world)).toThrow(message);
  });

  test('records that replace each other in a circle do not hang it', async () => {
    const records = await edited((record) => ({ ...record, id: 'b', replaces: ['b', 'gone'] }));
    const outcome = await compact({ ...given, records, cause: 'automatic' });
    expect(outcome.status).toBe('noop');
  });

  test('a long log is checked in time that grows with the log, not with what it covers', async () => {
    const { records } = await compact(given);
    const covers = Array.from({ length: 20_000 }, (_, at) => `id-${at}`);
    const log = Array.from({ length: 5000 }, (_, at) => ({ ...records[0], id: `r${at}`, covers, status: 'noop' }));
    const from = performance.now();
    await compact({ ...given, records: log as unknown as readonly LogRecord[], cause: 'automatic' });
    expect(performance.now() - from).toBeLessThan(2000);
  });
});

describe('a message that throws where it is read is carried on like any that no decoder knows', () => {
  const boom = (): never => {
    throw new Error('boom');
  };
  const trap = (field: string) => (native: unknown) =>
    Object.defineProperty({ ...Object(native) }, field, { enumerable: true, get: boom });
  const hostile: Readonly<Record<string, (native: unknown) => unknown>> = {
    'a proxy': () => new Proxy({}, { get: boom, has: boom, ownKeys: boom, getOwnPropertyDescriptor: boom }),
    'a revoked proxy': () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
    'a role': trap('role'),
    'a content': trap('content'),
    'a field nobody asks for': trap('x_trace'),
    'its keys': (native) => new Proxy(Object(native), { ownKeys: boom }),
  };

  describe.each(Object.keys(formats) as FormatName[])('%s', (format) => {
    const { user, assistant, call, result } = builders[format];
    const plain = [
      user(words),
      call('c1', 'run'),
      result('c1', 'run', words),
      assistant(words),
      user(words),
      user('now'),
    ];

    test.each(Object.entries(hostile))('%s', async (_, make) => {
      for (const at of plain.keys()) {
        const messages = plain.map((native, index) => (index === at ? make(native) : native));
        for (const policy of PRESET_NAMES) {
          const outcome = await compact({ format, messages, policy, window: 600, cause: 'manual' });
          expect(outcome.messages.length).toBeGreaterThan(0);
          const session = createCompactor({ format, policy, window: 600 });
          expect(session.decide(messages).messagesSince).toBeGreaterThanOrEqual(0);
          expect((await session.beforeModel(messages)).messages.length).toBeGreaterThan(0);
        }
      }
    });

    test('in its place, as the very object', async () => {
      const poison = hostile['a proxy']?.(undefined);
      const outcome = await compact({ format, messages: [poison, ...plain], policy: 'snapshot', window: 300 });
      expect(outcome.messages[0]).toBe(poison);
    });
  });
});

const asked: CompactInput = {
  format: 'openai-chat',
  messages: [
    { role: 'user', content: words },
    { role: 'assistant', content: words },
  ],
  policy: 'snapshot',
  window: 8000,
};

test.each(['summarizerWindow', 'maxCalls', 'timeoutMs'])('a port %s of zero or less is misuse', async (key) => {
  for (const value of [0, -1]) {
    await expect(compact(asked, { [key]: value })).rejects.toThrow(`\`ports.${key}\` is ${value}; it must be above 0.`);
  }
});

test('a time limit beyond what a timer holds is no limit, not none at all', async () => {
  const summarizer = async () => ({ text: await new Promise<string>((done) => setTimeout(done, 20, 'A summary.')) });
  const outcome = await compact({ ...asked, cause: 'manual' }, { summarizer, timeoutMs: 2 ** 31 });
  expect(outcome.findings.map(({ code }) => code)).not.toContain('summarizer-timeout');
});

test('what cannot be read of system and tools is not counted, and nothing throws', async () => {
  const get = (): never => {
    throw new Error('torn');
  };
  const torn = new Proxy({}, { get, ownKeys: get });
  const outcome = await compact({ ...asked, system: [torn], tools: torn });
  expect(outcome.status).toBe('noop');
});

test('a listener that rejects does not end the process', async () => {
  const onEvent = (() => Promise.reject(new Error('no'))) as () => void;
  await expect(compact({ ...asked, cause: 'manual' }, { onEvent })).resolves.toBeDefined();
});

test.each([null, 'stop', {}])('a signal that is %j is misuse', async (signal) => {
  const told = '`signal` must be an AbortSignal.';
  await expect(compact(asked, {}, signal as never)).rejects.toThrow(told);
  const session = createCompactor({ format: 'openai-chat', policy: 'snapshot', window: 8000 });
  await expect(session.beforeModel(asked.messages, {}, signal as never)).rejects.toThrow(told);
});

test('a clock that tells no time does not spoil the log', async () => {
  const { records } = await compact({ ...asked, cause: 'manual' }, { now: () => Number.NaN });
  const log: readonly LogRecord[] = JSON.parse(JSON.stringify(records));
  expect((await compact({ ...asked, records: log })).status).toBe('noop');
});

test('ids of records that come again are told apart, and the view stays what the outcome says', async () => {
  const long = 'plain words of a message '.repeat(60);
  const turns = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `${at} ${long}` }));
  const input = { format: 'openai-chat', policy: 'snapshot', window: 6000 } as const;
  const compactor = createCompactor(input, { newId: () => 'same' });
  for (const count of [20, 30, 40, 50]) {
    const given = [...turns(count), { role: 'user', content: 'live' }];
    const { messages } = await compactor.beforeModel(given);
    expect(compactor.view(given)).toEqual(messages);
  }
  const ids = compactor.records().map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(ids.length);
});

test('half a policy and messages that are no list are misuse, not a fault of ours', async () => {
  const policy = { window: 1000, triggers: [], split: { kind: 'share', keep: 0.3 }, template: { kind: 'snapshot' } };
  const half = { format: 'openai-chat', messages: [], policy } as unknown as CompactInput;
  await expect(compact(half)).rejects.toThrow('what a preset returned');
  expect(() => idsOf('openai-chat', null as unknown as [])).toThrow('`messages` must be an array');
});

describe('a view is projected from native messages, and what is no conversation is told', () => {
  const { user, assistant } = builders['openai-chat'];
  const messages = [user('Go.'), assistant(words), user('And?'), assistant(words), user('Now.')];
  const untypedBranch = (value: unknown) => value as Parameters<typeof project>[0];

  test('it is the view that was compacted, and the originals without records', async () => {
    const { record, messages: view } = await compact({
      format: 'openai-chat',
      messages,
      window: 8000,
      cause: 'manual',
    });
    const records = record === undefined ? [] : [record];
    expect(project({ format: 'openai-chat', messages }, records).messages).toEqual(view);
    expect(project({ format: 'openai-chat', messages }, []).messages).toEqual(messages);
    const ids = messages.map((_, at) => `m${at}`);
    const kept = project({ format: 'openai-chat', messages, ids }, records);
    expect(kept.entries.map(({ source }) => source)).toEqual([0, 1, 2, 3, 4]);
  });

  test.each([
    ['a list alone', messages, '`conversation` must be an object, not an array.'],
    ['no messages', { format: 'openai-chat' }, '`conversation.messages` must be an array, not undefined.'],
    ['no format', { messages }, '`conversation.format` must be an object, not undefined.'],
    ['an unknown format', { format: 'smoke', messages }, 'smoke'],
    ['too few ids', { format: 'openai-chat', messages, ids: ['a'] }, 'There are 1 `ids` for 5 messages.'],
  ])('%s', (_, conversation, said) => {
    expect(() => project(untypedBranch(conversation), [])).toThrow(said);
  });
});
