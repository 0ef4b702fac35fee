import { describe, expect, test } from 'vitest';
import { compact, FORMAT_NAMES, type FormatName, type Preview, preview } from '../../src/index.ts';
import { builders, scriptedSummarizer } from '../../src/testing/index.ts';
import { exchange, tablePorts } from '../support/sized.ts';

const TEXTS = ['first', 'second', 'third', 'fourth', 'fifth'].map((word) => `This is the ${word} message.`);

function alternating(format: FormatName, texts: readonly string[] = TEXTS): readonly unknown[] {
  const { user, assistant } = builders[format];
  return texts.map((text, at) => (at % 2 === 0 ? user(text) : assistant(text)));
}

function plan(format: FormatName, messages: readonly unknown[], keep = 0.3): Preview {
  return preview({ format, messages, policy: 'snapshot', window: 100_000, keep, cause: 'manual' });
}

describe('the split keeps the newest share, from a prompt on', () => {
  test.each(FORMAT_NAMES)('u,m,u,m,u at one half is cut at 4 in %s', (format) => {
    expect(plan(format, alternating(format), 0.5).plan).toMatchObject({ head: [0, 1, 2, 3], tail: [4], firstKept: 4 });
  });

  test('50k of history: 35k are compacted, 15k kept', () => {
    const messages = exchange(50_000, 100);
    const input = { format: 'openai-chat', policy: 'snapshot', window: 100_000, messages, cause: 'manual' } as const;
    expect(preview(input, tablePorts()).plan).toMatchObject({ firstKept: 70, tokens: { head: 35_000, tail: 15_000 } });
  });

  test.each(FORMAT_NAMES)('one prompt and a tool loop in flight cannot be cut in %s', async (format) => {
    const { user, call, result } = builders[format];
    const messages = [
      user('Fix it.'),
      call('c1', 'read', {}),
      result('c1', 'read', 'x'.repeat(3000)),
      call('c2', 'read', {}),
    ];
    expect(plan(format, messages)).toMatchObject({ status: 'noop', reason: 'nothing-to-cut' });
    const outcome = await compact({ format, messages, policy: 'snapshot', window: 100_000, cause: 'manual' });
    expect(outcome.messages).toBe(messages);
  });

  test('without such a prompt a history that rests on an answer goes as a whole', () => {
    const messages = alternating('gemini', ['Hi.', 'A long answer. '.repeat(50)]);
    expect(plan('gemini', messages).plan).toMatchObject({ head: [0, 1], tail: [], firstKept: 2 });
  });

  test('without such a prompt a history that does not rest is cut at its last prompt', () => {
    const { user, assistant, call, result } = builders.gemini;
    const loop = [call('', 'read'), result('', 'read', 'x'.repeat(5000))];
    const messages = [user('One.'), assistant('Done.'), user('Two.'), ...loop];
    expect(plan('gemini', messages).plan).toMatchObject({ head: [0, 1], firstKept: 2 });
  });

  test('a message of tool results is no place to cut', () => {
    const { user, assistant, call, result } = builders.anthropic;
    const loop = [call('c1', 'read'), result('c1', 'read', 'x'.repeat(400))];
    const messages = [user('One.'), ...loop, assistant('Done.'), user('Two.'), assistant('Yes.')];
    expect(plan('anthropic', messages, 0.9).plan?.firstKept).toBe(4);
  });
});

describe('the hand-over', () => {
  const summary = '<state_snapshot>\n<overall_goal>Write a parser.</overall_goal>\n</state_snapshot>';

  test.each(FORMAT_NAMES)(
    'is a summary of the user, an acknowledgement, and the kept messages in %s',
    async (format) => {
      const messages = alternating(
        format,
        TEXTS.map((text) => text.repeat(20)),
      );
      const summarizer = scriptedSummarizer({ text: `<scratchpad>Let me see.</scratchpad>${summary}` });
      const outcome = await compact(
        { format, messages, policy: 'snapshot', window: 100_000, cause: 'manual' },
        { summarizer },
      );
      expect(outcome).toMatchObject({ status: 'compressed', method: 'model', counts: { compressed: 4, preserved: 1 } });
      expect(outcome.record?.text).toBe(summary);
      expect(outcome.messages).toHaveLength(3);
      expect(JSON.stringify(outcome.messages[0])).toContain('<overall_goal>Write a parser.</overall_goal>');
      expect(JSON.stringify(outcome.messages[1])).toContain('Got it. Thanks for the additional context!');
      expect(outcome.messages[2]).toBe(messages[4]);
    },
  );

  test('a snapshot that is there already is given to the summarizer, and not nested', async () => {
    const { user, assistant } = builders.gemini;
    const messages = [
      user(summary),
      assistant('Got it. Thanks for the additional context!'),
      ...alternating(
        'gemini',
        TEXTS.map((text) => text.repeat(20)),
      ),
    ];
    const summarizer = scriptedSummarizer('snapshot');
    const outcome = await compact(
      { format: 'gemini', messages, policy: 'snapshot', window: 100_000, cause: 'manual' },
      { summarizer },
    );
    expect(summarizer.briefs[0]?.prompt).toContain(`<prior_summary>\n${summary}`);
    expect(JSON.stringify(outcome.messages).match(/<state_snapshot>/g)).toHaveLength(1);
  });
});
