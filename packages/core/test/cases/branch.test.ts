import { describe, expect, test } from 'vitest';
import { type CompactionRecord, compact, type LogRecord, preview } from '../../src/index.ts';
import { builders, scriptedSummarizer } from '../../src/testing/index.ts';
import { answers, asks, exchange, tablePorts } from '../support/sized.ts';

const { user, assistant } = builders['openai-chat'];

/** A summary of the messages up to `cutoff`, as a record of the tree. */
function summaryOf(id: string, covers: readonly string[], parentId: string): CompactionRecord {
  const lastSummarizedId = covers.at(-1) ?? '';
  return {
    kind: 'compaction',
    id,
    at: 0,
    status: 'compressed',
    preset: 'branch',
    cause: 'automatic',
    reason: 'history-ratio',
    method: 'model',
    degraded: false,
    parentId,
    lastSummarizedId,
    anchorId: covers[0] ?? '',
    covers,
    replaces: [],
    inserts: [{ role: 'user', text: `summary ${id}` }],
    edits: [],
    text: `summary ${id}`,
    tokens: { before: 0, after: 0, fixed: 0, basis: 'estimated' },
    counts: { before: 0, after: 0, compressed: 0, preserved: 0 },
    calls: 1,
    usage: { inputTokens: 0, outputTokens: 0 },
    findings: [],
  };
}

async function shownOf(
  ids: readonly string[],
  records: readonly LogRecord[],
  reuse: 'strict' | 'shared-cutoff' = 'strict',
): Promise<readonly unknown[]> {
  const messages = ids.map((id, at) => (at % 2 === 0 ? user(`m${id}`) : assistant(`m${id}`)));
  const outcome = await compact({
    format: 'openai-chat',
    messages,
    ids,
    records,
    policy: 'branch',
    window: 100_000,
    reuse,
  });
  expect(outcome.status).toBe('noop');
  return outcome.messages.map((native) => Object(native).content);
}

describe('when and how much', () => {
  test.each([
    { history: 7000, compacts: true },
    { history: 1000, compacts: false },
  ])('window 10,000, reserved 2,000, history $history: $compacts', ({ history, compacts }) => {
    const input = {
      format: 'openai-chat',
      policy: 'branch',
      window: 10_000,
      reserved: 2000,
      messages: exchange(history, 20),
    } as const;
    const { decision, plan } = preview(input, tablePorts());
    expect(decision).toMatchObject({ compact: compacts, limit: 6000 });
    // A fifth of 7,000 is 1,400: four messages of 350.
    if (compacts) expect(plan).toMatchObject({ firstKept: 16, tokens: { tail: 1400 } });
  });

  test('a budget of 60 over U100 A100 U100 A50 leaves 1 and 2 older, 3 and 4 recent', () => {
    const messages = [asks(100), answers(100), asks(100), answers(50)];
    const input = {
      format: 'openai-chat',
      policy: 'branch',
      window: 1000,
      recentRatio: 60 / 350,
      messages,
      cause: 'manual',
    } as const;
    expect(preview(input, tablePorts()).plan).toMatchObject({ head: [0, 1], tail: [2, 3] });
  });

  test('the newest message is kept even where it is larger than the budget', () => {
    const messages = [asks(10), answers(10), asks(900)];
    const input = { format: 'openai-chat', policy: 'branch', window: 1000, messages, cause: 'manual' } as const;
    expect(preview(input, tablePorts()).plan).toMatchObject({ head: [0, 1], tail: [2] });
  });

  test('no prompt at all: nothing to cut', () => {
    const messages = [answers(100), answers(100)];
    const input = { format: 'openai-chat', policy: 'branch', window: 1000, messages, cause: 'manual' } as const;
    expect(preview(input, tablePorts())).toMatchObject({ status: 'noop', reason: 'no-prompt' });
  });

  test('history counts the applicable summary and what follows its cutoff, not the chain again', () => {
    const ids = ['1', '2', '3', '4'];
    const messages = [asks(3000), answers(3000), asks(3000), answers(1000)];
    const input = { format: 'openai-chat', policy: 'branch', window: 10_000, messages, ids } as const;
    expect(preview(input, tablePorts()).decision.tokens).toBe(10_000);
    const records = [summaryOf('a', ['1', '2'], '3')];
    // The summary weighs its overhead alone: its text has no label.
    expect(preview({ ...input, records }, tablePorts()).decision).toMatchObject({ tokens: 4004, compact: false });
  });
});

describe('which summary a branch sees', () => {
  const main = ['1', '2', '3', '4', '5'];

  test('one whose parent is on it', async () => {
    expect(await shownOf(main, [summaryOf('a', ['1', '2'], '5')])).toEqual(['summary a', 'm3', 'm4', 'm5']);
  });

  test('branch {1,2,6,7} does not see a summary whose parent is 5', async () => {
    expect(await shownOf(['1', '2', '6', '7'], [summaryOf('a', ['1', '2'], '5')])).toEqual(['m1', 'm2', 'm6', 'm7']);
  });

  test('with shared-cutoff it does, since the cutoff is on it', async () => {
    const records = [summaryOf('a', ['1', '2'], '5')];
    expect(await shownOf(['1', '2', '6', '7'], records, 'shared-cutoff')).toEqual(['summary a', 'm6', 'm7']);
  });

  test('a cutoff that is not on the branch is seen by nobody', async () => {
    const records = [summaryOf('a', ['1', '2', '3'], '5')];
    expect(await shownOf(['1', '2', '6', '7'], records, 'shared-cutoff')).toEqual(['m1', 'm2', 'm6', 'm7']);
  });

  test.each([
    { order: 'the deeper one last', at: [0, 1] },
    { order: 'the deeper one first', at: [1, 0] },
  ])('of several the one with the deepest cutoff, $order', async ({ at }) => {
    const both = [summaryOf('a', ['1', '2'], '3'), summaryOf('b', ['1', '2', '3', '4'], '5')];
    expect(
      await shownOf(
        main,
        at.flatMap((index) => both[index] ?? []),
      ),
    ).toEqual(['summary b', 'm5']);
  });

  test('a branch that left before the parent of the deeper one sees the other', async () => {
    const both = [summaryOf('a', ['1', '2'], '3'), summaryOf('b', ['1', '2', '3', '4'], '5')];
    expect(await shownOf(['1', '2', '3', '4', '8'], both)).toEqual(['summary a', 'm3', 'm4', 'm8']);
  });
});

describe('what a summary is made from', () => {
  const long = (word: string): string => `${word} `.repeat(200);
  const messages = [user(long('alpha')), assistant(long('beta')), user('gamma'), assistant(long('delta'))];
  const input = { format: 'openai-chat', policy: 'branch', window: 100_000, cause: 'manual' } as const;

  test('older messages, a marker, and recent ones up to the newest prompt', async () => {
    const summarizer = scriptedSummarizer('normal');
    await compact({ ...input, messages }, { summarizer });
    const prompt = summarizer.briefs[0]?.prompt ?? '';
    const [above = '', below = ''] = prompt.split('[cutoff:');
    expect(above).toContain('alpha');
    expect(above).not.toContain('gamma');
    expect(below).toContain('gamma');
    expect(prompt).not.toContain('delta');
  });

  test('regenerating the answer does not orphan it, asking something else does', async () => {
    const summarizer = scriptedSummarizer('normal');
    const { records } = await compact({ ...input, messages }, { summarizer });
    const view = async (last: readonly unknown[]): Promise<number> => {
      const list = [...messages.slice(0, 2), ...last];
      return (await compact({ ...input, cause: 'automatic', messages: list, records })).messages.length;
    };
    expect(await view([messages[2], assistant('another answer')])).toBe(4);
    expect(await view([user('another question'), assistant('yes')])).toBe(4);
    const shown = await compact({
      ...input,
      cause: 'automatic',
      messages: [...messages.slice(0, 3), assistant('x')],
      records,
    });
    expect(JSON.stringify(shown.messages[0])).toContain('conversation_summary');
    const other = await compact({
      ...input,
      cause: 'automatic',
      messages: [...messages.slice(0, 2), user('y')],
      records,
    });
    expect(other.messages).toEqual([messages[0], messages[1], user('y')]);
  });

  test('progressive: the earlier summary goes in with what is new, and one comes out', async () => {
    const summarizer = scriptedSummarizer({ text: 'They spoke of alpha.' }, { text: 'They spoke of alpha and delta.' });
    const first = await compact({ ...input, messages }, { summarizer });
    const more = [...messages, user(long('epsilon')), assistant(long('zeta')), user('eta')];
    const second = await compact({ ...input, messages: more, records: first.records }, { summarizer });
    expect(summarizer.briefs[1]?.prompt).toContain('<prior_summary>\nThey spoke of alpha.');
    expect(summarizer.briefs[1]?.prompt).not.toContain('alpha alpha');
    expect(second.record?.replaces).toEqual(first.records.map(({ id }) => id));
    expect(JSON.stringify(second.messages)).toContain('They spoke of alpha and delta.');
    expect(JSON.stringify(second.messages).match(/<conversation_summary /g)).toHaveLength(1);
  });
});
