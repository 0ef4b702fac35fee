import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { compact, presets } from 'epitome';
import { expect, test } from 'vitest';
import type { Call } from '../../src/model/call.ts';
import type { CompactionNews, Exchange } from '../../src/model/report.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { namingOf } from '../../src/observe/names.ts';
import { createObserver } from '../../src/observe/observer.ts';
import { createSpans } from '../../src/observe/spans.ts';

const CANARIES = [
  'sk-proj-AbCdEf0123456789AbCdEf0123456789AbCdEf01',
  'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789-ABCDEFGHIJ_klmnop',
  'AIzaSyA1234567890abcdefghijklmnopqrstuv',
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
];
const SECRET_TEXT = 'the patient is called Ada Lovelace';

const CALLER = { tenant: 't1', keyId: 'ci', scopes: ['proxy'] } as const;
const CALL: Call = {
  method: 'POST',
  path: '/v1/chat/completions',
  query: '',
  headers: {
    authorization: `Bearer ${CANARIES[0]}`,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
  caller: CALLER,
  signal: new AbortController().signal,
};
const EXCHANGE: Exchange = {
  dialect: 'openai-chat',
  upstream: 'openai',
  method: 'POST',
  path: '/v1/chat/completions',
  caller: CALLER,
  model: `gpt-4o\u2028"}\n{"forged":1`,
  isStream: true,
  operation: 'chat',
  asked: { maxTokens: 512, reasoning: 'low' },
  answer: { id: 'resp-1', model: 'gpt-4o-2024', finishReasons: ['stop'], status: 'completed' },
  server: { address: 'api.openai.com', port: 443 },
  status: 200,
  report: { status: 'compacted', reason: 'threshold', tokensBefore: 900, tokensAfter: 400, conversation: 'c1' },
  usage: { input: 400, output: 20, cacheRead: 128, cacheWrite: 7, reasoning: 3 },
  end: 'complete',
  bytesIn: 5000,
  bytesOut: 700,
  durationMs: 120,
  firstByteMs: 15,
};

async function news(): Promise<CompactionNews> {
  const messages = Array.from({ length: 60 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `${SECRET_TEXT} ${at} ${CANARIES[at % CANARIES.length]} ${'word '.repeat(100)}`,
  }));
  const outcome = await compact({
    format: 'openai-chat',
    messages,
    policy: presets.epitome({ window: 4000 }),
    cause: 'manual',
  });
  return {
    caller: CALLER,
    conversation: 'c1',
    branch: 'main',
    trigger: 'threshold',
    outcome,
    published: 'published',
    startedAt: Date.now() - 50,
    durationMs: 50,
  };
}

function setUp() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const lines: string[] = [];
  const logger = createLogger('debug', { write: (line) => void lines.push(line) });
  const observer = createObserver({ logger, metrics: createMetrics(), spans: createSpans(provider.getTracer('test')) });
  return { exporter, lines, observer };
}

test('no key and no word of a conversation is in any log, span or figure', async () => {
  const { exporter, lines, observer } = setUp();
  const span = observer.exchangeStarted(CALL);
  observer.compactionEnded(await news(), span);
  observer.fault('store', new Error(`near ${SECRET_TEXT}: ${CANARIES.join(' ')}`));
  observer.fault('turn', new SyntaxError(`Unexpected token in "${SECRET_TEXT}"`));
  observer.fault('turn', `plain ${CANARIES[1]}`);
  observer.exchangeEnded({ ...EXCHANGE, path: `/v1/models/${CANARIES[2]}` }, span);
  const spans = exporter.getFinishedSpans().map(({ name, attributes, events }) => ({ name, attributes, events }));
  expect(lines).toHaveLength(5);
  expect(spans).toHaveLength(2);
  const logged = [...lines, observer.metrics.text(), JSON.stringify(spans)].join('\n');
  for (const canary of CANARIES) expect(logged).not.toContain(canary);
  expect(logged).not.toContain(SECRET_TEXT);
});

test('a log line is one line of JSON, whatever is put into it', () => {
  const { lines, observer } = setUp();
  observer.exchangeEnded(EXCHANGE, observer.exchangeStarted(CALL));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\p{Cc}\u2028]/u);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    client: 'ci',
    status: 200,
    turn: { status: 'compacted' },
  });
});

test('headers and errors of anybody are cleaned on their way to the log', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  logger.info(
    { headers: { authorization: 'Bearer abc', 'x-api-key': 'plain' }, err: new Error(SECRET_TEXT) },
    `got ${CANARIES[0]}`,
  );
  logger.info(`alone ${CANARIES[3]}`);
  expect(lines.join('')).not.toMatch(/Bearer abc|plain|Ada|sk-proj|ghp_/);
  expect(lines).toHaveLength(2);
});

test('spans carry the names of the GenAI conventions, the compaction under its request, the request under the caller', async () => {
  propagation.setGlobalPropagator({
    inject: () => {},
    extract: (around, carrier) => {
      const [, traceId = '', spanId = ''] = String((carrier as Record<string, string>)['traceparent']).split('-');
      return trace.setSpanContext(around, { traceId, spanId, traceFlags: 1, isRemote: true });
    },
    fields: () => ['traceparent'],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const { exporter, observer } = setUp();
  const handle = observer.exchangeStarted(CALL);
  observer.compactionEnded(await news(), handle);
  observer.exchangeEnded(EXCHANGE, handle);
  const [inner, outer] = exporter.getFinishedSpans();
  expect(outer?.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  expect(inner).toMatchObject({ name: 'compact epitome' });
  expect(inner?.attributes).toMatchObject({
    'compaction.trigger': 'threshold',
    'compaction.method': 'deterministic',
    'compaction.outcome': 'committed',
    'compaction.violations': 0,
  });
  expect(outer?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'url.path': '/v1/chat/completions',
    'server.address': 'api.openai.com',
    'server.port': 443,
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.system': 'openai',
    'gen_ai.request.model': expect.stringContaining('gpt-4o'),
    'gen_ai.request.stream': true,
    'gen_ai.request.max_tokens': 512,
    'gen_ai.request.reasoning.level': 'low',
    'gen_ai.response.id': 'resp-1',
    'gen_ai.response.model': 'gpt-4o-2024',
    'gen_ai.response.status': 'completed',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.response.time_to_first_chunk': 0.015,
    'gen_ai.conversation.compacted': true,
    'gen_ai.conversation.id': 'c1',
    'gen_ai.usage.input_tokens': 400,
    'gen_ai.usage.output_tokens': 20,
    'gen_ai.usage.cache_read.input_tokens': 128,
    'gen_ai.usage.cache_write.input_tokens': 7,
    'gen_ai.usage.cache_creation.input_tokens': 7,
    'gen_ai.usage.reasoning.output_tokens': 3,
  });
});

test.each([
  ['', ['gen_ai.provider.name', 'gen_ai.system', 'gen_ai.usage.cache_creation.input_tokens']],
  ['http, gen_ai_latest_experimental', ['gen_ai.provider.name']],
  [
    'gen_ai_latest_experimental/x',
    ['gen_ai.provider.name', 'gen_ai.system', 'gen_ai.usage.cache_creation.input_tokens'],
  ],
])('OTEL_SEMCONV_STABILITY_OPT_IN=%s decides whether earlier names are told beside the newest', (optIn, names) => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const naming = namingOf({ OTEL_SEMCONV_STABILITY_OPT_IN: optIn });
  const spans = createSpans(provider.getTracer('test'), naming);
  const handle = { id: '1' };
  spans.started(CALL, handle);
  spans.ended(EXCHANGE, handle);
  const told = Object.keys(exporter.getFinishedSpans()[0]?.attributes ?? {});
  const known = ['gen_ai.provider.name', 'gen_ai.system', 'gen_ai.usage.cache_creation.input_tokens'];
  expect(known.filter((name) => told.includes(name))).toEqual(names);
});

test('what failed has an error type: the status, or that the answer broke off', () => {
  const { exporter, observer } = setUp();
  for (const ended of [{ status: 429 }, { end: 'incomplete' }] as const) {
    observer.exchangeEnded({ ...EXCHANGE, ...ended }, observer.exchangeStarted(CALL));
  }
  expect(exporter.getFinishedSpans().map(({ attributes }) => attributes['error.type'])).toEqual(['429', 'incomplete']);
});

test('a path that is passed through is no question to a model', () => {
  const { exporter, observer } = setUp();
  const { operation: _, ...passed } = EXCHANGE;
  observer.exchangeEnded({ ...passed, method: 'GET', path: '/v1/models' }, observer.exchangeStarted(CALL));
  const [span] = exporter.getFinishedSpans();
  expect(span?.name).toBe('GET pass-through');
  expect(Object.keys(span?.attributes ?? {}).filter((name) => name.startsWith('gen_ai.'))).toEqual([]);
});

test('the figures are in the text format of Prometheus, without a name that a client chose', async () => {
  const { observer } = setUp();
  observer.compactionEnded(await news());
  observer.exchangeEnded(EXCHANGE, observer.exchangeStarted(CALL));
  observer.exchangeEnded({ ...EXCHANGE, status: 502, end: 'incomplete' }, observer.exchangeStarted(CALL));
  observer.fault(`evil"} 1\nforged`, new Error('x'));
  const text = observer.metrics.text();
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"\n]*",?)+\})? [\d.e+-]+)$/);
  }
  expect(text).toContain(
    'epitome_requests_total{dialect="openai-chat",upstream="openai",status="200",turn="compacted"} 1',
  );
  expect(text).toContain('epitome_tokens_saved_total{dialect="openai-chat",upstream="openai"} 1000');
  expect(text).toContain('epitome_request_duration_seconds_bucket{dialect="openai-chat",le="0.25"} 2');
  expect(text).toContain('epitome_faults_total{where="other"} 1');
  expect(text).toContain('epitome_requests_in_flight 0');
  expect(text).not.toContain('forged');
});

test('a sink that throws stops nothing', () => {
  const logger = createLogger('info', {
    write: () => {
      throw new Error('the disk is full');
    },
  });
  const observer = createObserver({ logger });
  observer.exchangeEnded(EXCHANGE, observer.exchangeStarted(CALL));
  observer.fault('x', new Error('y'));
});
