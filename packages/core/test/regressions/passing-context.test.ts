import { describe, expect, test } from 'vitest';
import { compact, type PresetName, project } from '../../src/index.ts';
import { builders, scriptedSummarizer } from '../../src/testing/index.ts';

const { user, assistant, call, result } = builders['openai-chat'];
const WORDS = ' word'.repeat(60);

const turns = Array.from({ length: 12 }, (_, at) => [
  user(`question ${at}${WORDS}`),
  assistant(`answer ${at}${WORDS}`),
]);
const before = turns.flat();
/** What a client sends in one turn and no longer in the next. */
const withContext = user('And now? <context>what I look at</context>');
const later = [...before, user('And now?'), assistant('This.'), user('Then?')];

async function isInForce(policy: PresetName, messages: readonly unknown[], more: object = {}): Promise<boolean> {
  const outcome = await compact(
    { format: 'openai-chat', messages: [...messages, withContext], policy, window: 20_000, cause: 'manual', ...more },
    { summarizer: scriptedSummarizer('normal') },
  );
  expect(outcome.status).toBe('compressed');
  const next = [...messages, ...later.slice(before.length)];
  const view = project({ format: 'openai-chat', messages: next }, outcome.records);
  return view.entries.some(({ recordId }) => recordId !== undefined);
}

describe('a newest prompt that is sent otherwise in the next turn', () => {
  test.each(['epitome', 'snapshot'] as const)('leaves a summary in force that never read it: %s', async (policy) => {
    expect(await isInForce(policy, before)).toBe(true);
  });

  test('leaves placeholders in force', async () => {
    const look = Array.from({ length: 8 }, (_, at) => [
      call(`c${at}`, 'read', { path: `a${at}.ts` }),
      result(`c${at}`, 'read', `${at}${WORDS.repeat(6)}`),
    ]);
    const messages = [user('Look.'), ...look.flat(), assistant('Seen.')];
    expect(await isInForce('epitome', messages, { maskProtect: 0, target: 3000 })).toBe(true);
  });

  test('takes a summary out of force that was shown it, or a goal', async () => {
    expect(await isInForce('branch', before)).toBe(false);
    expect(await isInForce('epitome', before, { goal: 'what I look at' })).toBe(false);
  });
});
