import { expect, test } from 'vitest';
import { type Brief, compact, estimateTokens, type Summarizer } from '../../src/index.ts';
import { chunkBlocks, startWithin } from '../../src/summarize/chunks.ts';

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const window = 100_000;

const answers: readonly (readonly [string, string])[] = [
  ['words of one line', 'fact12345 '.repeat(500_000)],
  ['one word', 'QUJDREVG'.repeat(625_000)],
  ['lines', 'fact 12345\n'.repeat(450_000)],
];

test.each(answers)('notes of 5 MB, %s, are cut without being counted again for each piece', (_, text) => {
  let counted = 0;
  const count = (piece: string): number => {
    counted += piece.length;
    return estimateTokens(piece);
  };
  const kept = startWithin(text, 300, count);
  expect(text.startsWith(kept)).toBe(true);
  expect(estimateTokens(kept)).toBeGreaterThan(150);
  expect(estimateTokens(kept)).toBeLessThanOrEqual(300);
  expect(counted).toBeLessThan(20_000);
});

test.each(answers)('a message of 5 MB, %s, is read through a bounded number of times', (_, text) => {
  let counted = 0;
  const tokens = estimateTokens(text);
  const chunks = chunkBlocks([{ text, tokens }], 2000, (piece) => {
    counted += piece.length;
    return estimateTokens(piece);
  });
  expect(chunks.join('')).toBe(text);
  expect(chunks.length).toBeLessThan((tokens / 2000) * 1.1 + 2);
  expect(counted).toBeLessThan(text.length * 2);
});

test('a huge one-line answer for each of several parts does not hold up the process', async () => {
  const turns = Array.from({ length: 400 }, (_, index) => [
    user(`question ${index} ${'word '.repeat(60)}`),
    assistant(`answer ${index} ${'word '.repeat(60)}`),
  ]).flat();
  const huge = answers[0]?.[1] ?? '';
  const summarizer: Summarizer = async ({ purpose }) => ({ text: purpose === 'chunk' ? huge : 'All was answered.' });
  const started = performance.now();
  const input = { format: 'openai-chat', messages: [...turns, user('now')], policy: 'snapshot', window } as const;
  const outcome = await compact({ ...input, cause: 'manual' }, { summarizer, summarizerWindow: 8192 });
  // It took minutes.
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(outcome).toMatchObject({ status: 'compressed', method: 'model' });
});

test('a summarizer that may be called once gets its brief full, not the rest of one long message', async () => {
  const briefs: Brief[] = [];
  const summarizer: Summarizer = async (brief) => {
    briefs.push(brief);
    return { text: 'The fox jumped.' };
  };
  const messages = [user('go'), assistant('The quick brown fox. '.repeat(250_000)), user('now')];
  const input = { format: 'openai-chat', messages, policy: 'snapshot', window } as const;
  await compact(input, { summarizer, summarizerWindow: 8000, maxCalls: 1 });
  const [brief] = briefs;
  const used = estimateTokens(brief?.prompt ?? '') + (brief?.maxTokens ?? 0);
  expect(used).toBeGreaterThan(8000 * 0.8);
  expect(used).toBeLessThan(8000);
});
