import { describe, expect, test } from 'vitest';
import { type CompactInput, compact, createCompactor, PRESET_NAMES, presets, preview } from '../../src/index.ts';

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const words = (count: number): string => 'plain words of a message '.repeat(Math.ceil(count / 5));
const counting = () => {
  const calls = { made: 0 };
  const summarizer = () => {
    calls.made += 1;
    return Promise.resolve({ text: 'What was said, in short.' });
  };
  return { calls, summarizer };
};

test('a target that cannot be met does not throw a good summary away', async () => {
  const messages = [user(`RULE ${words(9000)}`), assistant(words(400)), assistant(words(400)), user(words(2500))];
  for (const policy of ['snapshot', 'branch', 'deliberate'] as const) {
    const { calls, summarizer } = counting();
    const input: CompactInput = {
      format: 'openai-chat',
      messages,
      policy,
      window: 128_000,
      target: 2000,
      cause: 'manual',
    };
    const outcome = await compact(input, { summarizer });
    expect(outcome.status).toBe('compressed');
    expect(JSON.stringify(outcome.messages[0])).toContain('What was said, in short.');
    expect(outcome.findings.map(({ code }) => code)).toContain('unshrinkable');
    expect(calls.made).toBe(1);
  }
});

test('a limit that leaves nothing allows 0 tokens, not fewer', async () => {
  const messages = [user(words(400)), assistant(words(400)), user('Now?')];
  const input = { format: 'openai-chat', messages, policy: 'epitome', window: 8000, reserved: 7999 } as const;
  const { findings } = await compact({ ...input, cause: 'manual' });
  expect(findings.map(({ detail }) => detail).join('\n')).toContain('the utilization trigger allows 0 of');
});

test('nothing is left out where that would hardly help', async () => {
  const messages = [user('a small question'), assistant('a small answer'), user(words(13_000))];
  const outcome = await compact({
    format: 'openai-chat',
    messages,
    policy: 'selective',
    window: 4000,
    tokenThreshold: 3000,
  });
  expect(outcome).toMatchObject({ status: 'noop', reason: 'unshrinkable' });
  expect(outcome.messages).toBe(messages);
});

test('selective takes further runs before it touches what users said', async () => {
  const messages = [
    ...[1, 2, 3, 4, 5, 6].flatMap((day) => [user(`USER RULE ${day}`), assistant(words(800)), assistant(words(800))]),
    user('live'),
  ];
  for (const limits of [{ window: 8000 }, { window: 20_000, target: 3000 }]) {
    const { summarizer } = counting();
    const input = {
      format: 'openai-chat',
      messages,
      policy: 'selective',
      tokenThreshold: 3000,
      retentionWindow: 2,
      ...limits,
    } as const;
    const outcome = await compact(input, { summarizer });
    expect(outcome.status).toBe('compressed');
    expect(outcome.messages.filter((message) => JSON.stringify(message).includes('USER RULE')).length).toBe(6);
    expect(outcome.tokens.after).toBeLessThanOrEqual(limits.target ?? limits.window);
  }
});

test('a fixed part above the trigger does not cost a model call every turn', async () => {
  for (const policy of ['snapshot', 'deliberate', 'threshold'] as const) {
    const { calls, summarizer } = counting();
    const compactor = createCompactor(
      { format: 'openai-chat', policy, window: 10_000, system: words(5500) },
      { summarizer },
    );
    const messages: unknown[] = [];
    for (let turn = 0; turn < 60; turn += 1) {
      messages.push(user(`question ${turn}`), assistant(`answer ${turn}`));
      await compactor.beforeModel(messages);
    }
    expect(calls.made).toBeLessThan(10);
  }
});

test('a compaction that was taken back is not made again at once', async () => {
  const { summarizer } = counting();
  const compactor = createCompactor({ format: 'openai-chat', policy: 'snapshot', window: 4000 }, { summarizer });
  const messages = [...Array.from({ length: 12 }, () => [user(words(100)), assistant(words(100))]).flat(), user('now')];
  expect((await compactor.beforeModel(messages)).status).toBe('compressed');
  compactor.undo();
  expect(await compactor.beforeModel(messages)).toMatchObject({ status: 'noop', reason: 'no-growth', messages });
});

test('trying again where nothing can be cut does not cost more with every message', async () => {
  const compactor = createCompactor({
    format: 'openai-chat',
    policy: 'selective',
    window: 1_000_000,
    tokenThreshold: 100,
  });
  const messages: unknown[] = [];
  for (let turn = 0; turn < 1000; turn += 1) {
    messages.push(user(`question ${turn}`), assistant(`answer ${turn}`));
    await compactor.beforeModel(messages);
  }
  expect(compactor.records().length).toBeLessThan(250);
});

describe('what cannot be read', () => {
  test('an item reference stays together with the output of the call it names', async () => {
    const reference = (id: string) => ({ type: 'item_reference', id });
    const messages = [
      user(words(400)),
      reference('rs_1'),
      reference('fc_1'),
      { type: 'function_call_output', call_id: 'c1', output: 'done' },
      reference('msg_1'),
      user(words(200)),
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'yes' }] },
      user('now'),
    ];
    for (const policy of ['snapshot', 'branch', 'threshold', 'selective'] as const) {
      const input: CompactInput = { format: 'openai-responses', messages, policy, window: 100_000, cause: 'manual' };
      const outcome = await compact(input, counting());
      const kept = [reference('fc_1'), messages[3]].map((item) =>
        JSON.stringify(outcome.messages).includes(JSON.stringify(item)),
      );
      expect(kept).toEqual([true, true]);
    }
  });

  test('a mechanical summary never holds half a surrogate pair', async () => {
    const messages = [user('go'), assistant(`a${' '.repeat(1598)}😀 ${words(800)}`), user('on')];
    for (const policy of ['snapshot', 'threshold'] as const) {
      const outcome = await compact({ format: 'openai-chat', messages, policy, window: 100_000, cause: 'manual' });
      expect(outcome.status).toBe('compressed');
    }
  });
});

test('a refusal has the same status whether the history came in one part or in many', async () => {
  const summarizer = () => Promise.resolve({ text: "I'm sorry, but I can't help with that." });
  const messages = [...Array.from({ length: 20 }, () => [user(words(300)), assistant(words(300))]).flat(), user('now')];
  const input = { format: 'openai-chat', policy: 'snapshot', window: 16_000 } as const;
  const many = await compact({ ...input, messages }, { summarizer, summarizerWindow: 4000 });
  const one = await compact({ ...input, messages }, { summarizer, summarizerWindow: 100_000 });
  expect([many.status, one.status]).toEqual(['failed-empty-summary', 'failed-empty-summary']);
});

test('the failure latch is released when the history grew by a tenth, however large the fixed part is', async () => {
  const { calls, summarizer } = counting();
  const refusing = async () => ({ ...(await summarizer()), text: '' });
  const compactor = createCompactor(
    { format: 'openai-chat', policy: 'snapshot', window: 100_000, system: words(40_000) },
    { summarizer: refusing },
  );
  const messages: unknown[] = [];
  for (let turn = 0; turn < 20; turn += 1) messages.push(user(words(500)), assistant(words(500)));
  const triesAt = async (more: readonly unknown[]): Promise<number> => {
    messages.push(...more);
    await compactor.beforeModel(messages);
    return calls.made;
  };
  const first = await triesAt([]);
  expect(first).toBeGreaterThan(0);
  expect(await triesAt([user(words(500)), assistant(words(500))])).toBe(first);
  expect(await triesAt([user(words(1000)), assistant(words(1000))])).toBeGreaterThan(first);
});

test('a share of the window is reached exactly where it says', () => {
  const policy = presets.deliberate({ window: 100_000, compressionTriggerUtilization: 0.55 });
  const request = { format: 'openai-chat', messages: [user('x')], policy } as const;
  const { decision } = preview(request, { counter: () => 54_996 });
  expect(decision).toMatchObject({ compact: true, isSafetyValve: true, tokens: 55_000 });
});

test('a tail that does not fit beside half a summary does not cost the other half', async () => {
  const told = (day: number): string =>
    `parse${day}Header in src/file-${day}.ts returned ERR_${day}42 after ${day * 37} ms.`;
  const days = Array.from({ length: 90 }, (_, day) => [user(`Task ${day}`), assistant(`${told(day)} ${words(200)}`)]);
  const messages = [...days.flat(), user('Now the report.'), assistant(words(5000)), user('live')];
  for (const target of [3000, 6000, 6500]) {
    const { status, rung, tokens } = await compact({
      format: 'openai-chat',
      messages,
      window: 200_000,
      keepTokens: 6000,
      summaryMaxTokens: 2000,
      target,
      cause: 'manual',
    });
    expect({ status, isUsed: tokens.after > 1700, fits: tokens.after <= target, rung }).toEqual({
      status: 'compressed',
      isUsed: true,
      fits: true,
      rung: target === 3000 ? 'own' : 'tighten',
    });
  }
});

test('a request that cannot be sent is compacted though the model declined', async () => {
  const summarizer = () => Promise.resolve({ text: "I'm sorry, but I can't help with that." });
  const messages = [...Array.from({ length: 20 }, () => [user(words(300)), assistant(words(300))]).flat(), user('now')];
  for (const policy of ['snapshot', 'branch', 'deliberate', 'threshold', 'epitome'] as const) {
    const { status, degraded, tokens, findings } = await compact(
      { format: 'openai-chat', policy, window: 8000, messages },
      { summarizer },
    );
    expect({ policy, isCompacted: status !== 'noop' && !status.startsWith('failed'), degraded }).toEqual({
      policy,
      isCompacted: true,
      degraded: true,
    });
    expect(tokens.after).toBeLessThan(8000);
    expect(findings.map(({ code }) => code)).toContain('summary-refused');
  }
});

test('a summary that has no room for a line is none', async () => {
  const messages = [
    ...Array.from({ length: 20 }, (_, at) => [user(`ask ${at}`), assistant(words(100))]).flat(),
    user('now'),
  ];
  const told = await compact({ format: 'openai-chat', messages, window: 8000, summaryMaxTokens: 16, cause: 'manual' });
  expect(told.method === 'digest' && told.record?.text === '').toBe(false);
  const asked =
    JSON.stringify(told.messages).includes('ask 0') || told.findings.some(({ code }) => code === 'left-out');
  expect(asked).toBe(true);
});

test('every limit of epitome can be off: a summary without a cap still meets the target', async () => {
  const told = (day: number): string =>
    `parse${day}Header in src/file-${day}.ts returned ERR_${day}42 after ${day * 37} ms.`;
  const days = Array.from({ length: 200 }, (_, day) => [user(`Task ${day}`), assistant(`${told(day)} ${words(50)}`)]);
  const messages = [...days.flat(), user('live')];
  const off = { summaryMaxTokens: 'off', keepTokens: 'off', maskProtect: 'off', factTokens: 'off' } as const;
  const input = { format: 'openai-chat', messages, window: 100_000, cause: 'manual', ...off } as const;
  const free = await compact({ ...input, target: 'off' });
  const bound = await compact({ ...input, target: 5000 });
  expect([free.status, bound.status]).toEqual(['compressed', 'compressed']);
  expect(bound.tokens.after).toBeLessThanOrEqual(5000);
  expect(free.tokens.after).toBeGreaterThan(bound.tokens.after);
  expect(bound.tokens.after).toBeGreaterThan(4000);
});

test('a summary is not left out because it missed its room by a few tokens', async () => {
  const call = (at: number) => {
    const input = JSON.stringify({ path: `src/ledger/part-${at}.ts`, reason: `entry ${at} is off by ${at * 7} cents` });
    return { id: `call_${at}`, type: 'function', function: { name: 'read_file', arguments: input } };
  };
  const steps = Array.from({ length: 40 }, (_, at) => [
    { role: 'assistant', content: `Reading part ${at}: totals of ${at * 31} differ.`, tool_calls: [call(at)] },
    {
      role: 'tool',
      tool_call_id: `call_${at}`,
      content: `export function total${at}(entries: Entry[]): number {\n  return ${at};\n}\n${words(80)}`,
    },
  ]);
  const messages = [user('Balance the ledger in src/ledger. Never round.'), ...steps.flat(), user('Go on.')];
  const input = { format: 'openai-chat', messages, window: 128_000, cause: 'manual' } as const;
  for (let target = 300; target <= 2400; target += 21) {
    const { status, tokens, rung } = await compact({ ...input, target });
    expect({ target, status, rung: rung === 'truncate' }).toEqual({ target, status: 'compressed', rung: false });
    expect(tokens.after).toBeLessThanOrEqual(target);
  }
});

test('a live prompt that is too large by itself is unshrinkable, with what the floor is made of', async () => {
  const input = { format: 'openai-chat', system: words(1000), window: 8000 } as const;
  for (const policy of ['epitome', 'snapshot', 'branch', 'deliberate', 'threshold'] as const) {
    const messages = [user(words(20_000))];
    const { status, reason, findings, tokens } = await compact({ ...input, messages, policy });
    expect({ policy, status, reason }).toEqual({ policy, status: 'noop', reason: 'unshrinkable' });
    const told = findings.map(({ detail }) => detail).join('\n');
    expect(told).toContain(`always stay: ${tokens.fixed} of the system prompt and tools, `);
    expect(told).toMatch(/ \d+ of the live prompt$/m);
  }
});

test('a deprecated option is told once in a session', async () => {
  const { summarizer } = counting();
  const options = { policy: 'deliberate', 'model.compressionThreshold': 0.5, window: 20_000 } as const;
  const compactor = createCompactor({ format: 'openai-chat', ...options }, { summarizer });
  const messages: unknown[] = [];
  const told: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    for (let at = 0; at < 8; at += 1) messages.push(user(words(300)), assistant(words(300)));
    const { findings } = await compactor.compact(messages);
    told.push(findings.filter(({ code }) => code === 'deprecated-option').length);
  }
  expect(told).toEqual([1, 0, 0]);
});

describe('where the system prompt alone exceeds the window', () => {
  const messages = Array.from({ length: 30 }, (_, index) => [
    user(`question ${index} about src/f${index}.ts `.repeat(10)),
    assistant(`answer ${index} is fine `.repeat(30)),
  ]).flat();
  const input = { format: 'openai-chat', messages, window: 5000, system: words(20_000) } as const;

  test.each(
    PRESET_NAMES.flatMap((policy) => (['automatic', 'manual'] as const).map((cause) => [policy, cause] as const)),
  )('each limit is told once, and all of one floor: %s, %s', async (policy, cause) => {
    const { status, findings } = await compact({ ...input, policy, cause });
    expect(status).toBe('compressed');
    const told = findings.filter(({ code }) => code === 'unshrinkable').map(({ detail }) => detail);
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told.map((detail) => detail.split(' allows ')[0])).size).toBe(told.length);
    expect(new Set(told.map((detail) => detail.split('; ')[1])).size).toBe(1);
    expect(told.join('\n')).not.toContain('what else may not go');
  });

  test('a summary of ours that nothing can go into is named as such', async () => {
    const first = await compact({ ...input, policy: 'selective', cause: 'manual' });
    const again = await compact({ ...input, policy: 'selective', cause: 'manual', records: first.records });
    const [missed] = again.findings.filter(({ code }) => code === 'unshrinkable');
    expect(missed?.detail).toMatch(/of the system prompt and tools, \d+ of the summary so far$/);
  });
});
