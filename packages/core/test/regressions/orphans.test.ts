import { describe, expect, test } from 'vitest';
import { compact, type FormatName, formats, type Outcome } from '../../src/index.ts';
import { builders, scriptedSummarizer } from '../../src/testing/index.ts';

const words = 'a word of the story '.repeat(40);
const names = Object.keys(builders) as FormatName[];

function rulesBroken(format: FormatName, messages: readonly unknown[]): readonly string[] {
  return formats[format].validate(messages).flatMap(({ severity, rule }) => (severity === 'error' ? [rule] : []));
}

function compactRun(format: FormatName, messages: readonly unknown[]): Promise<Outcome> {
  const input = {
    format,
    messages,
    policy: 'selective',
    window: 100_000,
    retentionWindow: 2,
    cause: 'manual',
  } as const;
  return compact(input, { summarizer: scriptedSummarizer('normal') });
}

describe.each(names)('a result without a call, in %s', (format) => {
  const { user, assistant, call, result } = builders[format];
  const run = [user('Go.'), call('c1', 'run'), result('c1', 'run', words), assistant(words), user('And?')];

  test('which is the newest message is not dropped: what is appended next would break a rule', async () => {
    const messages = [...run, assistant('Yes.'), result('gone', 'run', words)];
    const outcome = await compactRun(format, messages);
    expect(outcome.status).toBe('compressed');
    expect(outcome.messages.at(-1)).toBe(messages.at(-1));
    const since = [call('c2', 'run'), result('c2', 'run', 'done')];
    const known = rulesBroken(format, [...messages, ...since]);
    expect(known).toEqual(expect.arrayContaining([...rulesBroken(format, [...outcome.messages, ...since])]));
  });

  test('between an answer and a call does not keep the rest from being compacted', async () => {
    const middle = [assistant('Yes.'), result('gone', 'run', words), call('c2', 'run'), result('c2', 'run', 'done')];
    const messages = [...run, ...middle, user('Thanks.')];
    const outcome = await compactRun(format, messages);
    expect(outcome).toMatchObject({ status: 'compressed', reason: 'forced' });
    const known = rulesBroken(format, messages);
    expect(known).toEqual(expect.arrayContaining([...rulesBroken(format, outcome.messages)]));
  });

  test('beside what a user says is still left out', async () => {
    const messages = [...run, assistant('Yes.'), result('gone', 'run', words), user('Thanks.'), assistant('Bye.')];
    const outcome = await compactRun(format, messages);
    expect(outcome.findings.map(({ code }) => code)).toContain('orphan-dropped');
    expect(rulesBroken(format, outcome.messages)).toEqual([]);
  });
});

test('a call turn of Gemini keeps its own responses where an orphan among them goes', async () => {
  const { user, assistant, call } = builders.gemini;
  const response = (name: string): unknown => ({ functionResponse: { name, response: { output: words } } });
  const answers = { role: 'user', parts: [response('run'), response('nobody')] };
  const long = words.repeat(9);
  const messages = [user(long), assistant(long), user('On.'), call('c1', 'run'), answers, assistant('Done.')];
  const input = {
    format: 'gemini',
    messages,
    policy: 'snapshot',
    window: 100_000,
    keep: 0.6,
    cause: 'manual',
  } as const;
  const outcome = await compact(input, { summarizer: scriptedSummarizer('normal') });
  expect(outcome.findings.map(({ code }) => code)).toContain('orphan-dropped');
  expect(rulesBroken('gemini', outcome.messages)).toEqual([]);
});
