import { type Attributes, type Meter, metrics as openTelemetry } from '@opentelemetry/api';
import type { CompactionNews, Exchange, Usage } from '../model/report.ts';
import { GEN_AI, type Naming, namingOf, PROVIDERS } from './names.ts';
import { outcomeOf } from './outcome.ts';
import { createRegistry, type Registry } from './registry.ts';

/** Figures of a gateway. No label ever holds content, a model's name or an id that a client chose. */
export type Metrics = {
  readonly started: () => void;
  readonly ended: (ended: Exchange) => void;
  readonly compacted: (news: CompactionNews) => void;
  /** Somebody was not let in, for a reason of that name. */
  readonly refused: (code: string) => void;
  readonly fault: (where: string) => void;
  /** In the text format of Prometheus. */
  readonly text: () => string;
};

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Figures from zero on; also told to OpenTelemetry where the process has an SDK. */
export function createMetrics(
  meter: Meter = openTelemetry.getMeter('@epitome/gateway'),
  naming: Naming = namingOf(process.env),
): Metrics {
  const registry = createRegistry();
  const noteExchange = exchangeFigures(registry);
  const tell = toldFigures(meter, naming);
  const compactions = registry.counter('epitome_compactions_total', 'Compactions by trigger, method and outcome.');
  const seconds = registry.histogram('epitome_compaction_duration_seconds', 'Time a compaction took.', SECONDS);
  const refusals = registry.counter('epitome_refused_total', 'Requests that were not let in, by reason.');
  const faults = registry.counter('epitome_faults_total', 'Faults of the gateway that clients were spared, by place.');
  let open = 0;
  registry.gauge('epitome_requests_in_flight', 'Requests that are being answered.', () => open);
  registry.gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  registry.gauge('process_cpu_seconds', 'Processor time of the process.', cpuSeconds);
  registry.gauge('process_uptime_seconds', 'Time since the start.', () => process.uptime());
  return {
    started: () => {
      open += 1;
    },
    ended: (ended) => {
      open -= 1;
      noteExchange(ended);
      tell(ended);
    },
    compacted: (news) => {
      const { trigger, outcome } = news;
      compactions.add({ trigger, method: outcome.method, outcome: outcomeOf(news) });
      seconds.observe({ trigger }, news.durationMs / 1000);
    },
    refused: (code) => refusals.add({ code }),
    fault: (where) => faults.add({ where: /^[\w.:-]{1,60}$/.test(where) ? where : 'other' }),
    text: registry.text,
  };
}

/** What is counted of each request that has ended. */
function exchangeFigures(registry: Registry): (ended: Exchange) => void {
  const { counter, histogram } = registry;
  const by = 'Requests by dialect, upstream, status and what was done with them.';
  const requests = counter('epitome_requests_total', by);
  const seconds = histogram('epitome_request_duration_seconds', 'Time until the end of the answer.', SECONDS);
  const firstByte = histogram('epitome_first_byte_seconds', 'Time until the first byte of the answer.', SECONDS);
  const broken = counter('epitome_unfinished_total', 'Answers that did not come to their end.');
  const transferred = counter('epitome_bytes_total', 'Bytes of bodies by direction.');
  const spared = 'Estimated tokens that were not sent because of compactions.';
  const saved = counter('epitome_tokens_saved_total', spared);
  const tokens = counter('epitome_tokens_total', 'Tokens as providers reported them, by type.');
  return (ended) => {
    const { dialect, upstream, report, end } = ended;
    requests.add({ dialect, upstream, status: String(ended.status), turn: report.status });
    seconds.observe({ dialect }, ended.durationMs / 1000);
    if (ended.firstByteMs !== undefined) firstByte.observe({ dialect }, ended.firstByteMs / 1000);
    if (end !== 'complete') broken.add({ dialect, upstream, end });
    transferred.add({ direction: 'in' }, ended.bytesIn);
    transferred.add({ direction: 'out' }, ended.bytesOut);
    saved.add({ dialect, upstream }, savedBy(ended));
    for (const [type, amount] of typesOf(ended.usage)) tokens.add({ dialect, upstream, type }, amount);
  };
}

/** What OpenTelemetry is told of each request to a model. */
function toldFigures(meter: Meter, naming: Naming): (ended: Exchange) => void {
  const tokens = meter.createHistogram(GEN_AI.tokenUsage, { unit: '{token}' });
  const duration = meter.createHistogram(GEN_AI.duration, { unit: 's' });
  const firstChunk = meter.createHistogram(GEN_AI.firstChunk, { unit: 's' });
  return (ended) => {
    const { dialect, operation, usage, firstByteMs } = ended;
    if (operation === undefined) return;
    const labels: Attributes = naming({ [GEN_AI.provider]: PROVIDERS[dialect], [GEN_AI.operation]: operation });
    duration.record(ended.durationMs / 1000, labels);
    if (firstByteMs !== undefined) firstChunk.record(firstByteMs / 1000, labels);
    for (const [type, amount] of typesOf(usage)) {
      const isTold = type === 'input' || type === 'output';
      if (isTold) tokens.record(amount, { ...labels, [GEN_AI.tokenType]: type });
    }
  };
}

function savedBy({ report: { tokensBefore, tokensAfter } }: Exchange): number {
  return tokensBefore === undefined || tokensAfter === undefined ? 0 : Math.max(0, tokensBefore - tokensAfter);
}

function typesOf(usage: Usage | undefined): readonly (readonly [string, number])[] {
  if (usage === undefined) return [];
  const { input, output, cacheRead, cacheWrite, reasoning } = usage;
  const all = { input, output, cache_read: cacheRead, cache_write: cacheWrite, reasoning };
  return Object.entries(all).flatMap(([type, amount]) => (amount === undefined ? [] : [[type, amount] as const]));
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
