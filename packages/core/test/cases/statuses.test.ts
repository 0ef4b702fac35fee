import { describe, expect, test } from 'vitest';
import {
  compact,
  describeOutcome,
  type LogRecord,
  type Outcome,
  type Ports,
  preview,
  type Status,
} from '../../src/index.ts';
import { type Behaviour, builders, scriptedSummarizer } from '../../src/testing/index.ts';
import { exchange, tablePorts } from '../support/sized.ts';

const { user, assistant } = builders['openai-chat'];
const long = 'The parser reads the file and finds the bracket. '.repeat(20);
const messages = [user(long), assistant(long), user(long), assistant(long), user('Next?')];
const base = { format: 'openai-chat', policy: 'snapshot', window: 2000, messages } as const;
const does = (behaviour: Behaviour): Ports => ({ summarizer: scriptedSummarizer(behaviour), timeoutMs: 5 });

describe('every status is reached', () => {
  test.each<{ status: Status; what: string; run: () => Promise<Outcome> }>([
    { status: 'compressed', what: 'a good summary', run: () => compact({ ...base, cause: 'manual' }, does('normal')) },
    { status: 'compressed', what: 'no summarizer at all', run: () => compact({ ...base, cause: 'manual' }) },
    {
      status: 'compressed',
      what: 'a summarizer that rejects',
      run: () => compact({ ...base, cause: 'manual' }, does('rejects')),
    },
    {
      status: 'compressed',
      what: 'a summarizer that throws',
      run: () => compact({ ...base, cause: 'manual' }, does('throws')),
    },
    {
      status: 'compressed',
      what: 'a summarizer that never answers',
      run: () => compact({ ...base, cause: 'manual' }, does('ignores-signal')),
    },
    {
      status: 'compressed',
      what: 'a summary that was cut off',
      run: () => compact({ ...base, cause: 'manual' }, does('cut-off')),
    },
    { status: 'noop', what: 'below the trigger', run: () => compact({ ...base, window: 100_000 }) },
    {
      status: 'noop',
      what: 'nothing to cut',
      run: () => compact({ ...base, messages: [user('Hi.')], cause: 'manual' }),
    },
    {
      status: 'failed-inflated',
      what: 'a summary larger than its source',
      run: () =>
        compact(
          { ...base, cause: 'manual', messages: [user('Hi.'), assistant('Hello.'), user('Next?')] },
          does('normal'),
        ),
    },
    {
      status: 'failed-empty-summary',
      what: 'an empty summary',
      run: () => compact({ ...base, cause: 'manual' }, does('empty')),
    },
    {
      status: 'failed-empty-summary',
      what: 'white space',
      run: () => compact({ ...base, cause: 'manual' }, does('whitespace')),
    },
    {
      status: 'failed-empty-summary',
      what: 'an empty object',
      run: () => compact({ ...base, cause: 'manual' }, does('empty-json')),
    },
    {
      status: 'failed-empty-summary',
      what: 'a refusal in words',
      run: () => compact({ ...base, cause: 'manual' }, does('refusal')),
    },
    {
      status: 'failed-empty-summary',
      what: 'a refusal by its finish',
      run: () => compact({ ...base, cause: 'manual' }, does('refusal-finish')),
    },
    {
      status: 'failed-empty-summary',
      what: 'the text of an error',
      run: () => compact({ ...base, cause: 'manual' }, does('error-text')),
    },
    { status: 'failed-empty-summary', what: 'an echo', run: () => compact({ ...base, cause: 'manual' }, does('echo')) },
    {
      status: 'failed-token-count',
      what: 'a counter that throws',
      run: () =>
        compact(base, {
          counter: () => {
            throw new Error('no vocabulary');
          },
        }),
    },
    {
      status: 'failed-token-count',
      what: 'a counter that returns NaN',
      run: () => compact(base, { counter: () => Number.NaN }),
    },
    {
      status: 'failed-token-count',
      what: 'a counter that returns infinity',
      run: () => compact(base, { counter: () => Number.POSITIVE_INFINITY }),
    },
    {
      status: 'failed-token-count',
      what: 'a counter that returns less than nothing',
      run: () => compact(base, { counter: () => -1 }),
    },
    {
      status: 'truncated',
      what: 'no summary fits the target',
      run: () => compact({ ...base, cause: 'manual', target: 60, messages: [...messages.slice(0, 4), user('?')] }),
    },
  ])('$status: $what', async ({ status, run }) => {
    const outcome = await run();
    expect(outcome.status).toBe(status);
    const isChanged = status === 'compressed' || status === 'truncated';
    expect(outcome.tokens.after < outcome.tokens.before).toBe(isChanged);
  });

  test('a counter that fails in the middle of a run leaves the list alone', async () => {
    let calls = 0;
    const counter = (text: string): number => {
      calls += 1;
      return calls > 8 ? Number.NaN : text.length / 4;
    };
    const outcome = await compact({ ...base, cause: 'manual' }, { counter });
    expect(outcome).toMatchObject({ status: 'failed-token-count', messages });
    expect(outcome.messages).toBe(messages);
  });

  test('a dry run tells of a failed counter too', () => {
    expect(preview(base, { counter: () => Number.NaN })).toMatchObject({
      status: 'failed-token-count',
      reason: 'counter-failed',
    });
  });
});

describe('what the user is told', () => {
  test.each<{ status: Status; before: number; after: number; sentence: string }>([
    { status: 'compressed', before: 900, after: 90, sentence: 'Chat history compressed from 900 to 90 tokens.' },
    { status: 'truncated', before: 900, after: 90, sentence: 'Chat history compressed from 900 to 90 tokens.' },
    { status: 'noop', before: 9, after: 9, sentence: 'Nothing to compress.' },
    {
      status: 'failed-inflated',
      before: 49_999,
      after: 49_999,
      sentence: 'Compression was not beneficial for this history size.',
    },
    {
      status: 'failed-inflated',
      before: 50_000,
      after: 50_000,
      sentence: 'Chat history compression did not reduce size. Continuing with full history.',
    },
    {
      status: 'failed-token-count',
      before: 0,
      after: 0,
      sentence: 'Could not compress chat history due to a token counting error.',
    },
  ])('$status at $before', ({ status, before, after, sentence }) => {
    expect(describeOutcome({ status, tokens: { before, after, fixed: 0, basis: 'estimated' } })).toBe(sentence);
  });

  test('an empty summary is told as one', () => {
    const tokens = { before: 1, after: 1, fixed: 0, basis: 'estimated' } as const;
    expect(describeOutcome({ status: 'failed-empty-summary', tokens })).toContain('full history');
  });
});

describe('the failure latch', () => {
  const at = (
    tokens: number,
    records: readonly LogRecord[],
    cause: 'automatic' | 'manual' = 'automatic',
  ): ReturnType<typeof preview>['decision'] =>
    preview({ ...input, messages: exchange(tokens, 10), records, cause }, tablePorts()).decision;
  const input = { format: 'openai-chat', policy: 'snapshot', window: 10_000 } as const;
  const run = (
    behaviour: Behaviour,
    cause: 'automatic' | 'manual',
    records: readonly LogRecord[] = [],
  ): Promise<Outcome> =>
    compact(
      { ...input, messages: exchange(6000, 10), cause, records },
      tablePorts({ ...does(behaviour), newId: () => `${behaviour}-${cause}` }),
    );

  test.each<Behaviour>(['empty', 'rejects'])(
    'after %s no automatic call is made until the history grew by a tenth',
    async (behaviour) => {
      const { records } = await run(behaviour, 'automatic');
      const size = records[0]?.tokens.after ?? 0;
      const grown = Math.max(Math.ceil(size * 1.1), 5001);
      expect(at(Math.max(grown - 1, 5001), records).compact).toBe(grown === 5001);
      expect(at(grown, records).compact).toBe(true);
    },
  );

  test('a forced run goes all the same', async () => {
    const { records } = await run('empty', 'automatic');
    expect(at(6001, records)).toMatchObject({ compact: false, reason: 'latched' });
    expect(at(6001, records, 'manual').compact).toBe(true);
  });

  test('a forced failure neither sets nor clears it', async () => {
    const forced = await run('empty', 'manual');
    expect(at(6001, forced.records).compact).toBe(true);
    const first = await run('empty', 'automatic');
    const second = await run('empty', 'manual', first.records);
    expect(at(6001, [...first.records, ...second.records]).reason).toBe('latched');
  });

  test('a success clears it', async () => {
    const first = await run('empty', 'automatic');
    const second = await run('normal', 'manual', first.records);
    expect(second.status).toBe('compressed');
    expect(at(7000, [...first.records, ...second.records]).reason).not.toBe('latched');
  });

  test('a request that no longer fits the window is compacted without a model', async () => {
    const first = await compact({ ...input, messages: exchange(9900, 10) }, tablePorts(does('empty')));
    const summarizer = scriptedSummarizer('normal');
    const given = { ...input, messages: exchange(10_100, 10), records: first.records };
    const outcome = await compact(given, tablePorts({ summarizer, newId: () => 'second' }));
    expect(outcome).toMatchObject({ status: 'compressed', method: 'mechanical' });
    expect(summarizer.briefs).toEqual([]);
  });
});

describe('an abort', () => {
  test('before and during a run is thrown, and nothing is recorded', async () => {
    const controller = new AbortController();
    const running = compact(
      { ...base, cause: 'manual' },
      { summarizer: scriptedSummarizer('hangs') },
      controller.signal,
    );
    controller.abort(new Error('the user left'));
    await expect(running).rejects.toThrow('the user left');
    await expect(compact(base, {}, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  });

  test('ends a summarizer that ignores it', async () => {
    const controller = new AbortController();
    const running = compact(
      { ...base, cause: 'manual' },
      { summarizer: scriptedSummarizer('ignores-signal') },
      controller.signal,
    );
    setTimeout(() => controller.abort(new Error('enough')), 5);
    await expect(running).rejects.toThrow('enough');
  });
});
