import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, test } from 'vitest';
import type { CompactionNews } from '../../src/model/report.ts';
import { createSpans } from '../../src/observe/spans.ts';
import { chatOf, post, statusOf } from '../support/chat.ts';
import { startGateway, type Tested } from '../support/gateway.ts';
import { startUpstream, type Upstream } from '../upstream/index.ts';

const SUMMARY = 'The user asked about the parser, the ledger and the schema, one after the other; all was answered.';
let upstream: Upstream | undefined;
let tested: Tested | undefined;
afterEach(async () => {
  await tested?.gateway.close();
  await upstream?.close();
});

async function compactedBy(summarizer: () => Promise<{ text: string }>, exchanges = 30): Promise<CompactionNews> {
  upstream = await startUpstream();
  tested = await startGateway(upstream.url, { window: 8000, ports: { engine: { summarizer } } });
  const answer = await post(tested.url, { model: 'm', messages: chatOf(exchanges) });
  expect(statusOf(answer)).toBe('compacted');
  const [news] = tested.compactions;
  if (news === undefined) throw new Error('no compaction was told');
  return news;
}

function spansOf(news: CompactionNews) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  createSpans(provider.getTracer('test')).compacted(news);
  const all = exporter.getFinishedSpans();
  return { calls: all.filter(({ name }) => name === 'chat'), compaction: all.find(({ name }) => name !== 'chat') };
}

test('the summarizer’s call is a child span of its compaction, with the GenAI names and no content', async () => {
  const usage = { inputTokens: 900, outputTokens: 30 };
  const news = await compactedBy(async () => ({ text: SUMMARY, usage, finish: 'stop' }));
  const { calls, compaction } = spansOf({ ...news, summarizer: { provider: 'google', model: 'gemini-x' } });
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) {
    expect(call.parentSpanContext?.spanId).toBe(compaction?.spanContext().spanId);
    expect(call.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'gemini-x',
      'gen_ai.request.max_tokens': expect.any(Number),
      'gen_ai.prompt.name': 'epitome',
      'gen_ai.usage.input_tokens': 900,
      'gen_ai.usage.output_tokens': 30,
      'gen_ai.response.finish_reasons': ['stop'],
    });
  }
  const told = JSON.stringify([...calls, compaction].map((span) => span?.attributes));
  expect(told).not.toMatch(/parser|ledger/);
});

test('a call that failed says so, and what kind of error it was', async () => {
  const news = await compactedBy(async () => {
    throw new TypeError('secret words of the parser');
  }, 60);
  const [call] = spansOf(news).calls;
  expect([call?.attributes['error.type'], call?.status.code]).toEqual(['TypeError', 2]);
});

test('bytes before and after, messages folded and kept, and the prefix that a prompt cache keeps', async () => {
  const news = await compactedBy(async () => ({ text: SUMMARY }));
  const sent = JSON.parse(String(upstream?.requests.at(-1)?.raw)) as { messages: readonly unknown[] };
  const size = (messages: readonly unknown[]): number =>
    messages.reduce<number>((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)), 0);
  const { compaction } = spansOf(news);
  expect(compaction?.attributes).toMatchObject({
    'compaction.bytes.before': size(chatOf(30)),
    'compaction.bytes.after': size(sent.messages),
    // The system prompt stays in front.
    'compaction.cache_prefix_bytes_kept': size(chatOf(30).slice(0, 1)),
    'compaction.events.folded': expect.any(Number),
    'compaction.events.kept': expect.any(Number),
    'compaction.pass': 1,
    'compaction.violations': 0,
    'compaction.redactions': 0,
    'compaction.degraded': false,
  });
});

test('redactions are counted one by one', async () => {
  const news = await compactedBy(async () => ({ text: SUMMARY }));
  const finding = { code: 'secrets-redacted', detail: '2 openai-key, 1 jwt' } as const;
  const { compaction } = spansOf({ ...news, outcome: { ...news.outcome, findings: [finding] } });
  expect(compaction?.attributes['compaction.redactions']).toBe(3);
});
