import { describe, expect, test } from 'vitest';
import {
  type CompactInput,
  type CompactionEvent,
  compact,
  createCompactor,
  type LogRecord,
  PRESET_NAMES,
  type PresetName,
  type Summarizer,
} from '../../src/index.ts';
import { BEHAVIOURS, scriptedSummarizer } from '../../src/testing/index.ts';

// Made up, and put together here so that no scanner takes this file for a leak.
const SECRETS = {
  token: `ghp_${'aB3dE9fGh2Jk'.repeat(3)}`,
  password: `Tr0ub4dor${'3xyz'}`,
  key: 'MIIEpAIBAAKCAQEAq7Zk3RtnFbLw9PdXvM2sYh8C',
};
const LEAK = `token ${SECRETS.token}, DB_PASSWORD=${SECRETS.password} and\n-----BEGIN RSA PRIVATE KEY-----\n${SECRETS.key}\n-----END RSA PRIVATE KEY-----`;

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const call = (id: string, input: unknown, result: string) => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: JSON.stringify(input) } }],
  },
  { role: 'tool', tool_call_id: id, content: result },
];

type Place = 'prompt' | 'answer' | 'arguments' | 'result' | 'far into a result' | 'system' | 'goal' | 'focus' | 'prior';
const PLACES: readonly Place[] = [
  'prompt',
  'answer',
  'arguments',
  'result',
  'far into a result',
  'system',
  'goal',
  'focus',
  'prior',
];

/** A conversation that every preset compacts, with the secrets in one place of what it covers. */
function inputOf(policy: PresetName, place: Place): CompactInput {
  const at = (here: Place, text: string): string => (place === here ? `${text} ${LEAK} and go on` : text);
  const words = 'the parser reads the file and finds the bracket that nobody closed; '.repeat(12);
  const messages = [
    ...(place === 'prior' ? [] : [user(at('prompt', 'Please fix the parser in src/parse.ts.'))]),
    assistant(at('answer', 'I look at it.')),
    ...call('c0', { command: at('arguments', 'cat src/parse.ts') }, at('result', words)),
    ...call('c1', { command: 'cat log' }, place === 'far into a result' ? `${words} ${LEAK} ${words}` : words),
    ...Array.from({ length: 30 }, (_, index) => call(`d${index}`, { command: `grep ${index}` }, words)).flat(),
    assistant('The bracket is closed now.'),
    user('Good. What is next?'),
  ];
  const input = {
    format: 'openai-chat',
    messages,
    policy,
    window: 9000,
    cause: 'manual',
    ...(place === 'system' ? { system: LEAK } : {}),
    ...(place === 'goal' ? { goal: `ship it with ${LEAK}` } : {}),
    ...(place === 'focus' ? { focus: `keep ${LEAK}` } : {}),
    ...(policy === 'epitome' ? { mask: false } : {}),
  } as const;
  return place === 'prior' ? withPrior(input) : Object(input);
}

/** The same with a first message that an earlier record stands for, whose summary and facts were not cleared. */
function withPrior(input: { readonly messages: readonly unknown[] }): CompactInput {
  const first = user('Please fix the parser in src/parse.ts.');
  const record: LogRecord = JSON.parse(
    JSON.stringify({
      kind: 'compaction',
      id: 'old',
      at: 1,
      status: 'compressed',
      preset: 'snapshot',
      cause: 'automatic',
      reason: 'threshold',
      method: 'model',
      degraded: false,
      covers: ['m0'],
      replaces: [],
      anchorId: 'm1',
      parentId: 'm0',
      lastSummarizedId: 'm0',
      inserts: [{ role: 'user', text: `<conversation_summary check="x">\n${LEAK}\n</conversation_summary>` }],
      edits: [],
      text: `The parser is to be fixed. ${LEAK}`,
      facts: {
        newest: 0,
        entries: {
          [`:${SECRETS.token}`]: {
            kind: 'id',
            value: SECRETS.token,
            context: LEAK,
            first: 0,
            last: 0,
            lastOwn: 0,
            messages: 1,
            own: 1,
            counts: { prompt: 1, answer: 1, call: 0, result: 0 },
            among: 1,
          },
        },
      },
      tokens: { before: 9, after: 1, fixed: 0, basis: 'estimated' },
      counts: { before: 1, after: 1, compressed: 1, preserved: 0 },
      calls: 0,
      usage: { inputTokens: 0, outputTokens: 0 },
      findings: [],
    }),
  );
  const messages = [first, ...input.messages];
  return Object({ ...input, messages, ids: messages.map((_, index) => `m${index}`), records: [record] });
}

/** Everything a compaction says or keeps, but for messages that stay verbatim. */
function traces(...told: readonly unknown[]): string {
  return JSON.stringify(told, (key, value: unknown) => (key === 'messages' || key === 'plan' ? undefined : value));
}

function expectNoSecret(trace: string): void {
  for (const secret of Object.values(SECRETS)) {
    expect(trace).not.toContain(secret);
    // Half of one is as bad.
    expect(trace).not.toContain(secret.slice(0, 12));
  }
}

const error = (message: string): never => {
  throw new Error(message);
};

/** What a model may do with a secret it has from elsewhere, beside all the ways to fail. */
const FATES: readonly (readonly [name: string, summarizer: Summarizer | undefined])[] = [
  ['no model', undefined],
  ['a model that says it', async () => ({ text: `The parser is fixed. The user gave ${LEAK}` })],
  ['a model that refuses with it', async () => ({ text: `I'm sorry, I can't repeat ${SECRETS.token}.` })],
  ['a model that throws it', async () => error(`401: bad key ${SECRETS.token}, password: "${SECRETS.password}"`)],
  ['a model that stops with it', async () => ({ text: 'The parser', finish: `length` })],
  ['an error text with it', async () => ({ text: `Error: no access for ${SECRETS.token}` })],
  ...BEHAVIOURS.map((behaviour) => [behaviour, scriptedSummarizer(behaviour)] as const),
];

describe.each(PRESET_NAMES)('law 25, %s', (preset) => {
  describe.each(PLACES)('a secret in: %s', (place) => {
    test.each(FATES)('never reaches a brief, a record, a finding or an event: %s', async (_name, model) => {
      const briefs: unknown[] = [];
      const events: CompactionEvent[] = [];
      const summarizer: Summarizer | undefined =
        model === undefined
          ? undefined
          : (brief, signal) => {
              briefs.push(brief);
              return model(brief, signal);
            };
      const input = inputOf(preset, place);
      const outcome = await compact(input, {
        ...(summarizer === undefined ? {} : { summarizer }),
        timeoutMs: 4,
        onEvent: (event) => events.push(event),
      });
      expect(outcome.record).toBeDefined();
      if (model !== undefined) expect(briefs.length).toBeGreaterThan(0);
      expectNoSecret(traces(outcome, briefs, events));
    });
  });
});

const LONG_LOG = `${LEAK} ${'the build goes on; '.repeat(3000)} ${LEAK}`;
const ONE_LONG_RESULT: CompactInput = {
  format: 'openai-chat',
  policy: 'epitome',
  window: 6000,
  messages: [user('Run the build.'), ...call('c0', { command: 'make' }, LONG_LOG)],
};

test.each([
  ['our own rules', {}],
  [
    'a redactor that takes its time',
    { redactor: async (text: string) => ({ text: text.replaceAll(LEAK, '***'), found: [] }) },
  ],
])('what stays of a result too long to show holds no secret, whole or cut: %s', async (_name, ports) => {
  const outcome = await compact(ONE_LONG_RESULT, ports);
  expect(outcome.status).toBe('compressed');
  expect(JSON.stringify(outcome.record?.edits)).toContain('the build goes on');
  expectNoSecret(JSON.stringify([outcome.record, outcome.messages]));
});

test('what was taken out is said, and how much of it', async () => {
  const { findings } = await compact(inputOf('snapshot', 'prompt'), { summarizer: scriptedSummarizer('normal') });
  expect(findings.map(({ code, detail }) => `${code}: ${detail}`)).toContain(
    'secrets-redacted: 1 private-key, 1 github-token, 1 named-secret',
  );
});

test('our own preset leaves secrets alone where it is told to', async () => {
  const summarizer = scriptedSummarizer('normal');
  await compact(Object({ ...inputOf('epitome', 'prompt'), redact: false }), { summarizer });
  expect(JSON.stringify(summarizer.briefs)).toContain(SECRETS.token);
});

test.each([
  ['throws', () => error(LEAK)],
  ['never answers', () => new Promise<never>(() => {})],
  ['gives nonsense', () => Object('nonsense')],
])('a redactor that %s stops nothing and lets nothing through', async (_name, redactor) => {
  const summarizer = scriptedSummarizer('normal');
  const outcome = await compact(inputOf('threshold', 'result'), { summarizer, redactor });
  expect(outcome.status).toBe('compressed');
  expect(outcome.findings.map(({ code }) => code)).toContain('redactor-failed');
  expectNoSecret(traces(outcome, summarizer.briefs));
});

test.each(PRESET_NAMES)('a redactor of one’s own serves on both ways: %s', async (preset) => {
  const redactor = (text: string) => ({ text: text.replaceAll('parser', '***'), found: [] });
  const summarizer = scriptedSummarizer({ text: 'The parser is fixed; the bracket is closed.' });
  const outcome = await compact(inputOf(preset, 'focus'), { summarizer, redactor });
  expect(JSON.stringify(summarizer.briefs)).not.toContain('the parser reads');
  expect(outcome.record?.text).toContain('The *** is fixed');
});

test('a session keeps no secret of a goal', async () => {
  const { messages, format, policy, window } = Object(inputOf('deliberate', 'goal'));
  const compactor = createCompactor({ format, policy, window });
  await compactor.compact(messages, { goal: `use ${SECRETS.token}` });
  expectNoSecret(JSON.stringify(compactor.records()));
  expect(compactor.records()[0]).toMatchObject({ goal: 'use [redacted:github-token]' });
});
