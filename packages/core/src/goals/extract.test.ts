import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../count/heuristic.ts';
import type { Summarizer } from '../model/brief.ts';
import { builders } from '../testing/index.ts';
import { extractGoals, type GoalPorts } from './extract.ts';
import { isGoal } from './goal.ts';
import { parseGoals } from './parse.ts';
import { truncateMiddle } from './truncate.ts';

const { user, assistant, call, result } = builders['openai-chat'];

describe('a text without its middle', () => {
  test.each([
    [800, 'x'.repeat(800)],
    [801, `${'x'.repeat(500)}\n[... 1 chars omitted ...]\n${'x'.repeat(300)}`],
    [5000, `${'x'.repeat(500)}\n[... 4200 chars omitted ...]\n${'x'.repeat(300)}`],
  ])('of %i characters', (length, expected) => {
    expect(truncateMiddle('x'.repeat(length))).toBe(expected);
  });

  test('keeps its ends, says what is missing, and halves no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 500, maxLength: 2000 }), (text) => {
        const shown = truncateMiddle(text);
        expect(shown.isWellFormed()).toBe(true);
        if (text.length <= 800) {
          expect(shown).toBe(text);
          return;
        }
        const [, start = '', omitted = '', end = ''] =
          /^(.*)\n\[\.\.\. (\d+) chars omitted \.\.\.\]\n(.*)$/su.exec(shown) ?? [];
        expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
        expect(start.length + Number(omitted) + end.length).toBe(text.length);
        expect([500 - start.length, 300 - end.length]).toSatisfy((short: number[]) =>
          short.every((by) => by === 0 || by === 1),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('the answer of a model', () => {
  const three = ['Implementing user authentication', 'Debugging the login redirect', 'Refactoring session storage'];
  test.each([
    ['plain lines', three.join('\n'), three],
    ['numbers', three.map((goal, at) => `${at + 1}. ${goal}`).join('\n'), three],
    ['bullets, bold and quotes', three.map((goal) => `- **"${goal}"**`).join('\n'), three],
    ['numbers in brackets', three.map((goal, at) => `(${at + 1}) ${goal}`).join('\r\n'), three],
    ['a preamble', `Here are the goals:\n\n${three.join('\n')}`, three],
    ['a fence', `\`\`\`text\n${three.join('\n')}\n\`\`\``, three],
    ['a JSON list in a fence', `\`\`\`json\n${JSON.stringify(three)}\n\`\`\``, three],
    ['code beside it', `\`\`\`js\nconst answer = await login();\n\`\`\`\n${three[0]}`, three.slice(0, 1)],
    ['more than three', [...three, 'Writing the release notes'].join('\n'), three],
    ['duplicates', `${three[0]}\n${three[0]?.toUpperCase()}!\n${three[1]}`, three.slice(0, 2)],
    ['too short and too long', `Fix it\n${'x'.repeat(101)}\n${three[2]}`, three.slice(2)],
    ['ten and a hundred characters', `${'a'.repeat(10)}\n${'b'.repeat(100)}`, ['a'.repeat(10), 'b'.repeat(100)]],
    ['a refusal', "I'm sorry, but I can't help with that.", []],
    ['nothing', ' \n\n', []],
    ['an error', '<html>502 Bad Gateway</html>', []],
    ['a year at the start', '2026 tax report for the office', ['2026 tax report for the office']],
    [
      'another language',
      '修复登录页面的重定向错误问题\nログイン画面の不具合を直しています',
      ['修复登录页面的重定向错误问题', 'ログイン画面の不具合を直しています'],
    ],
  ])('%s', (_name, answer, goals) => {
    expect(parseGoals(answer)).toEqual(goals);
  });

  test('whatever it is, at most three goals that can be offered come of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (answer) => {
        const goals = parseGoals(answer);
        expect(goals.length).toBeLessThanOrEqual(3);
        expect(goals.every(isGoal)).toBe(true);
      }),
    );
  });
});

/** A clock that only the test moves. */
function clock() {
  const timers = new Set<{ readonly due: number; readonly call: () => void }>();
  let at = 0;
  return {
    now: () => at,
    after: (milliseconds: number, call: () => void) => {
      const timer = { due: at + milliseconds, call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass: (milliseconds: number) => {
      at += milliseconds;
      for (const timer of timers) if (timer.due <= at) timer.call();
    },
    waiting: () => timers.size,
  };
}

describe('goals of a conversation', () => {
  const long = 'The session is kept in a cookie and the redirect loses it. '.repeat(200);
  const messages = [
    user('Please debug the login redirect, it loses the session.'),
    call('c1', 'read_file', { path: 'src/login.ts' }),
    result('c1', 'read_file', long),
    assistant(long),
    user('ok'),
  ];
  const source = { format: 'openai-chat', messages } as const;
  const model =
    (answer: () => Promise<string>): Summarizer =>
    async () => ({ text: await answer(), usage: { inputTokens: 900, outputTokens: 12 } });

  test('come from the model, which reads at least 70% less than there is', async () => {
    const briefs: string[] = [];
    const extraction = await extractGoals(source, {
      ...clock(),
      model: async ({ prompt, purpose }) => {
        expect(purpose).toBe('goals');
        briefs.push(prompt);
        return { text: 'Debugging the login redirect', usage: { inputTokens: 900, outputTokens: 12 } };
      },
    });
    expect(extraction).toEqual({
      goals: ['Debugging the login redirect'],
      source: 'model',
      durationMs: 0,
      usage: { inputTokens: 900, outputTokens: 12 },
    });
    expect(estimateTokens(briefs[0] ?? '')).toBeLessThan(0.3 * estimateTokens(JSON.stringify(messages)));
    expect(briefs[0]).toContain('chars omitted');
  });

  const derived = ['Please debug the login redirect, it loses the session'];
  test.each<[string, GoalPorts, string]>([
    ['there is no model', {}, 'no-model'],
    ['it fails', { model: model(() => Promise.reject(new Error('500'))) }, 'failed'],
    [
      'it fails before it starts',
      {
        model: () => {
          throw new Error('no key');
        },
      },
      'failed',
    ],
    ['it answers with no text', { model: (async () => ({})) as unknown as Summarizer }, 'failed'],
    ['it refuses', { model: model(async () => 'I cannot help with that request.') }, 'nothing-valid'],
    ['it says nothing', { model: model(async () => '') }, 'nothing-valid'],
  ])('come from the prompts where %s', async (_name, ports, fault) => {
    expect(await extractGoals(source, ports)).toMatchObject({ goals: derived, source: 'derived', fault });
  });

  test('come after five seconds at the latest, even from a model that ignores its signal', async () => {
    const time = clock();
    let stopped = false;
    const waiting = extractGoals(source, {
      ...time,
      model: (_brief, signal) => {
        signal.addEventListener('abort', () => {
          stopped = true;
        });
        return new Promise(() => {});
      },
    });
    time.pass(4999);
    time.pass(1);
    expect(await waiting).toMatchObject({ goals: derived, fault: 'timeout', durationMs: 5000 });
    expect(stopped).toBe(true);
    expect(time.waiting()).toBe(0);
  });

  test('do not throw when they are no longer wanted', async () => {
    const stop = new AbortController();
    const waiting = extractGoals(source, { model: () => new Promise(() => {}) }, stop.signal);
    stop.abort();
    expect(await waiting).toMatchObject({ source: 'derived', fault: 'aborted' });
  });

  test('are open todos too, those in progress first', async () => {
    const todos = [
      { content: 'Write the migration script', status: 'completed' },
      { content: 'Rename the session table', status: 'pending' },
      { content: 'Add an index on expires_at', status: 'in_progress' },
    ];
    const list = [user('go on'), call('c1', 'TodoWrite', { todos }), result('c1', 'TodoWrite', 'ok')];
    const { goals } = await extractGoals({ format: 'openai-chat', messages: list, todos: ['Deploy to staging first'] });
    expect(goals).toEqual(['Deploy to staging first', 'Add an index on expires_at', 'Rename the session table']);
  });

  test('hold no secrets', async () => {
    const secret = `sk-ant-api03-${'a1B2'.repeat(20)}`;
    const list = [user(`Use the key ${secret} to call the API`)];
    const briefs: string[] = [];
    const { goals } = await extractGoals(
      { format: 'openai-chat', messages: list },
      {
        model: async ({ prompt }) => {
          briefs.push(prompt);
          return { text: '' };
        },
      },
    );
    expect(goals).toHaveLength(1);
    expect(`${goals.join()} ${briefs.join()}`).not.toContain(secret);
  });

  test.each<[string, readonly unknown[]]>([
    ['no messages', []],
    ['short words', [user('hi'), assistant('hello'), user('yes')]],
    ['nothing a decoder knows', [null, 5, { role: 'user' }, { content: {} }]],
  ])('are none where there are %s', async (_name, list) => {
    expect(await extractGoals({ format: 'openai-chat', messages: list })).toMatchObject({ goals: [], source: 'none' });
  });

  test('of a long prompt are its first sentence, or cut between words', async () => {
    const goalOf = async (prompt: string): Promise<string | undefined> =>
      (await extractGoals({ format: 'openai-chat', messages: [user(prompt)] })).goals[0];
    expect(await goalOf('Rename the table first. Then run all of the tests again.')).toBe('Rename the table first');
    expect(await goalOf('Perfect. That is fine, keep it. Now it is slow. Add a counter of refused claims.')).toBe(
      'Add a counter of refused claims',
    );
    expect(await goalOf('好的，谢谢你。现在请把会话存储移到数据库里去。')).toBe('现在请把会话存储移到数据库里去。');
    const cut = await goalOf(`Please ${'rename the table and '.repeat(20)}stop`);
    expect(cut).toMatch(/^Please rename .* (?:the|table|and|rename)…$/);
    expect(await goalOf(`\`\`\`\nconst a = 1;\n\`\`\`\nWhy does this not compile?`)).toBe('Why does this not compile?');
  });
});
