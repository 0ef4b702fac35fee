import { describe, expect, test } from 'vitest';
import { compact, createCompactor, estimateTokens, type LogRecord, preview } from '../../src/index.ts';
import { builders, scriptedSummarizer } from '../../src/testing/index.ts';

const { user, assistant, call, result } = builders['openai-chat'];
const words = (count: number): string => 'a word of the story '.repeat(Math.ceil(count / 4));
const exchanges = (count: number, size = 200): readonly unknown[] =>
  Array.from({ length: count }, (_, at) =>
    at % 2 === 0 ? user(`${at} ${words(size)}`) : assistant(`${at} ${words(size)}`),
  );
const base = { format: 'openai-chat', policy: 'snapshot', window: 4000 } as const;

describe('loops without progress', () => {
  test('google-gemini/gemini-cli#6563: what saved nothing is not tried again on every turn', async () => {
    // As long as what it replaces, in words of its own.
    const summarizer = scriptedSummarizer({ text: 'Another tale of something else entirely. '.repeat(500) });
    const session = createCompactor({ ...base, summaryMaxTokens: 4000 }, { summarizer, summarizerWindow: 100_000 });
    const messages = exchanges(12);
    const statuses: string[] = [];
    for (let turn = 0; turn < 10; turn += 1) statuses.push((await session.beforeModel(messages)).status);
    expect(statuses[0]).toBe('failed-inflated');
    expect(summarizer.briefs).toHaveLength(1);
  });

  test('OpenHands/OpenHands#10873: nothing to forget costs no model call', async () => {
    const summarizer = scriptedSummarizer('normal');
    const messages = [user(words(2000)), call('c1', 'run'), result('c1', 'run', words(400)), call('c2', 'run')];
    const outcome = await compact({ ...base, window: 100_000, messages, cause: 'manual' }, { summarizer });
    expect(outcome).toMatchObject({ status: 'noop', reason: 'nothing-to-cut' });
    expect(summarizer.briefs).toEqual([]);
  });

  test('openai/codex#14120: a result that still does not fit goes on down the ladder', async () => {
    const messages = [...exchanges(8, 400), user('Go on.'), call('c1', 'run'), result('c1', 'run', words(3000))];
    const outcome = await compact({ ...base, window: 3000, messages }, { summarizer: scriptedSummarizer('normal') });
    expect(outcome.tokens.after).toBeLessThanOrEqual(1500);
    expect(outcome.messages).toContain(messages[8]);
  });
});

describe('a system prompt that nobody handed in', () => {
  const hidden = 9000;
  const open = (policy: 'threshold' | 'snapshot' | 'epitome', window: number) => {
    const summarizer = scriptedSummarizer('normal');
    const session = createCompactor({ format: 'openai-chat', policy, window }, { summarizer });
    const turn = async (messages: readonly unknown[]): Promise<Awaited<ReturnType<typeof session.beforeModel>>> => {
      const outcome = await session.beforeModel(messages);
      session.afterModel({ promptTokens: hidden + estimateTokens(JSON.stringify(outcome.messages)) });
      await session.settled();
      return outcome;
    };
    return { summarizer, session, turn };
  };

  test('makes no list that grew a compressed one', async () => {
    for (const policy of ['threshold', 'snapshot', 'epitome'] as const) {
      const { session } = open(policy, 10_000);
      const messages = [user('Fix the parser.'), assistant('It is fixed.'), user('Is it tested?'), assistant('Yes.')];
      await session.beforeModel(messages);
      session.afterModel({ promptTokens: hidden });
      messages.push(user('And now?'));
      const { status, tokens, messages: sent } = await session.beforeModel(messages);
      expect(tokens.after).toBe(tokens.before);
      expect(tokens.fixed).toBeGreaterThan(hidden / 2);
      expect(status).not.toBe('compressed');
      expect(sent).toEqual(messages);
    }
  });

  test.each(['threshold', 'snapshot', 'epitome'] as const)(
    'is not compacted away at every turn by %s',
    async (policy) => {
      const { summarizer, turn } = open(policy, 10_000);
      const messages: unknown[] = [...exchanges(60, 60)];
      let asking = 0;
      for (let at = 0; at < 30; at += 1) {
        const asked = summarizer.briefs.length;
        await turn(messages);
        if (summarizer.briefs.length > asked) asking += 1;
        messages.push(assistant(`answer ${at}`), user(`prompt ${at}`));
      }
      // It was every turn; a history of a few lines grows by a tenth within some.
      expect(asking).toBeLessThan(10);
    },
  );
});

describe('compacting twice', () => {
  test('openclaw/openclaw#3645: a second run right behind the first does nothing', async () => {
    const summarizer = scriptedSummarizer('normal');
    const session = createCompactor(base, { summarizer });
    const messages = exchanges(12);
    const first = await session.beforeModel(messages);
    const second = await session.beforeModel(messages);
    expect([first.status, second.status]).toEqual(['compressed', 'noop']);
    expect(second.messages).toEqual(first.messages);
    expect(summarizer.briefs).toHaveLength(1);
  });

  test('google-gemini/gemini-cli#8586: two runs at once are one run', async () => {
    const summarizer = scriptedSummarizer('normal');
    const session = createCompactor(base, { summarizer });
    const messages = exchanges(12);
    const both = await Promise.all([session.beforeModel(messages), session.beforeModel(messages)]);
    expect(both.filter(({ status }) => status === 'compressed')).toHaveLength(1);
    expect(summarizer.briefs).toHaveLength(1);
  });

  test('vanillagreencom/kendex#2687: a model that is down is asked once, not nine times in a row', async () => {
    const summarizer = scriptedSummarizer('rejects');
    const session = createCompactor({ ...base, window: 8000, threshold: 0.3 }, { summarizer });
    const history = [...exchanges(14)];
    for (let turn = 0; turn < 9; turn += 1) {
      history.push(user('And?'), assistant('Yes.'));
      await session.beforeModel([...history]);
    }
    expect(summarizer.briefs).toHaveLength(1);
  });

  test('openclaw/openclaw#120455: a second pass that is needed is not refused', async () => {
    const summarizer = scriptedSummarizer('normal');
    const first = await compact({ ...base, messages: exchanges(12) }, { summarizer });
    const messages = [...exchanges(12), ...exchanges(14)];
    const second = await compact({ ...base, messages, records: first.records }, { summarizer });
    expect(second.status).toBe('compressed');
    expect(second.record?.replaces).toEqual(first.records.map(({ id }) => id));
  });
});

describe('work that is done again', () => {
  test('charmbracelet/crush#2551, anomalyco/opencode#15533: nobody is told to continue a finished turn', async () => {
    for (const policy of ['snapshot', 'deliberate', 'branch', 'threshold'] as const) {
      const messages = [...exchanges(12), user('Thanks!'), assistant('You are welcome.')];
      const outcome = await compact(
        { ...base, policy, messages, cause: 'manual' },
        { summarizer: scriptedSummarizer('normal') },
      );
      expect(outcome.status).toBe('compressed');
      expect(JSON.stringify(outcome.messages)).not.toMatch(/[Cc]ontinue/);
    }
  });
});

describe('summaries that grow', () => {
  test('adolfousier/opencrabs#1649: a model that adds to every summary cannot make it grow without bound', async () => {
    let size = 40;
    const summarizer = async (): Promise<{ text: string }> => {
      size *= 2;
      return {
        text: Array.from({ length: size }, (_, at) => `In pass ${size} it was said for the ${at}th time.`).join(' '),
      };
    };
    const records: LogRecord[] = [];
    const history: unknown[] = [];
    for (let pass = 0; pass < 6; pass += 1) {
      history.push(...exchanges(14, 300));
      const outcome = await compact(
        { ...base, window: 8000, messages: [...history], records: [...records] },
        { summarizer },
      );
      records.push(...outcome.records);
    }
    const committed = records.flatMap((record) =>
      record.kind === 'compaction' && record.status === 'compressed' ? [record] : [],
    );
    expect(committed.length).toBeGreaterThan(1);
    for (const { text, tokens } of committed) {
      expect(estimateTokens(text)).toBeLessThanOrEqual(4000);
      expect(tokens.after).toBeLessThan(tokens.before);
    }
  });

  test('a summary that keeps the words of the one before is no echo', async () => {
    const facts = Array.from({ length: 300 }, (_, at) => `Fact ${at}: file src/m${at}.ts exports function ${at * 7}.`);
    const drafts = [{ text: facts.join('\n') }, { text: [...facts, 'New: the tests pass.'].join('\n') }];
    const given = { ...base, window: 100_000, cause: 'manual' } as const;
    const summarizer = scriptedSummarizer(...drafts);
    const first = await compact({ ...given, messages: exchanges(40, 400) }, { summarizer });
    const messages = [...exchanges(40, 400), ...exchanges(6, 100)];
    const second = await compact({ ...given, messages, records: first.records }, { summarizer });
    expect([first, second].map(({ status, method }) => `${status} ${method}`)).toEqual([
      'compressed model',
      'compressed model',
    ]);
    expect(second.record?.text).toContain('New: the tests pass.');
  });

  test('google-gemini/gemini-cli#3574: 661 tokens do not become 1,752', async () => {
    const messages = exchanges(6, 30);
    const summarizer = scriptedSummarizer({ text: 'Something else was said at great length here. '.repeat(100) });
    const outcome = await compact({ ...base, messages, cause: 'manual' }, { summarizer, summarizerWindow: 100_000 });
    expect(outcome.messages).toBe(messages);
    expect(outcome.status).toBe('failed-inflated');
  });
});

describe('histories without a place to cut', () => {
  test('huggingface/ml-intern#336: one prompt and a long loop behind it can still be made smaller', async () => {
    const loop = Array.from({ length: 10 }, (_, at) => [
      call(`c${at}`, 'run'),
      result(`c${at}`, 'run', words(200)),
    ]).flat();
    const messages = [user('Fix the build.'), ...loop];
    const outcome = await compact({ ...base, window: 2000, messages }, { summarizer: scriptedSummarizer('normal') });
    expect(outcome.status).toBe('compressed');
    expect(outcome.messages).toContain(messages[0]);
    expect(outcome.tokens.after).toBeLessThan(2000);
  });

  test('a history without any prompt can be made smaller too', async () => {
    const loop = Array.from({ length: 10 }, (_, at) => [
      call(`c${at}`, 'run'),
      result(`c${at}`, 'run', words(200)),
    ]).flat();
    const outcome = await compact({ ...base, window: 2000, messages: loop });
    expect(outcome.tokens.after).toBeLessThan(2000);
    expect(preview({ ...base, window: 2000, messages: loop }).status).toBe('compressed');
  });
});

describe('a turn under way', () => {
  test('its prompt outlives a summary of the steps behind it, however small the window becomes', async () => {
    const messages = [user('Fix the build.'), call('c1', 'run'), result('c1', 'run', words(400))];
    const given = { format: 'openai-chat', policy: 'selective', retentionWindow: 0, messages } as const;
    const first = await compact({ ...given, window: 8000, cause: 'manual' });
    expect(first.messages.map((native) => Object(native).role).slice(0, 2)).toEqual(['user', 'assistant']);
    const second = await compact({ ...given, window: 120, records: first.records, cause: 'overflow' });
    expect(second.messages).toContain(messages[0]);
  });
});
