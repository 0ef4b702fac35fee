import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Observer } from '../model/parts.ts';
import type { CompactionNews, Exchange } from '../model/report.ts';
import { cleanError } from './clean.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { outcomeOf } from './outcome.ts';
import { createSpans, type Spans } from './spans.ts';

/** What an observer tells others through. */
export type ObserverPorts = { readonly logger: Logger; readonly metrics?: Metrics; readonly spans?: Spans };

/** Logs, figures and traces of a gateway. A sink that fails is left alone: no request ever waits for one. */
export function createObserver(ports: ObserverPorts): Observer & { readonly metrics: Metrics } {
  const { logger, metrics = createMetrics(), spans = createSpans() } = ports;
  return {
    metrics,
    refused: ({ status, code }) => {
      quietly(() => metrics.refused(code));
      quietly(() => logger.info({ status, code }, 'refused'));
    },
    exchangeStarted: (call) => {
      const handle = { id: randomUUID() };
      quietly(metrics.started);
      quietly(() => spans.started(call, handle));
      return handle;
    },
    exchangeEnded: (ended, handle) => {
      quietly(() => metrics.ended(ended));
      quietly(() => spans.ended(ended, handle));
      quietly(() => {
        const level = levelOf(ended);
        if (logger.isLevelEnabled(level)) logger[level]({ request: handle.id, ...lineOf(ended) }, 'request');
      });
    },
    compactionEnded: (news, handle) => {
      quietly(() => metrics.compacted(news));
      quietly(() => spans.compacted(news, handle));
      quietly(() => logger.info({ ...(handle ? { request: handle.id } : {}), ...compactionLine(news) }, 'compaction'));
    },
    summarizer: (state) => {
      const [level, message] = SUMMARIZER[state];
      quietly(() => logger[level](message));
    },
    fault: (where, cause) => {
      quietly(() => metrics.fault(where));
      quietly(() => logger.error({ where, error: cleanError(cause) }, 'fault'));
    },
  };
}

const SUMMARIZER = {
  resting: [
    'warn',
    'the summarizer failed three times in a row and is left alone for five minutes; summaries are made without a model',
  ],
  working: ['info', 'the summarizer works again'],
} as const;

function quietly(tell: () => void): void {
  try {
    tell();
  } catch {
    // Whoever listens must not be able to stop what is listened to.
  }
}

// Probes come every second.
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

function levelOf({ status, end, report, path, dialect }: Exchange): 'debug' | 'info' | 'warn' {
  if (dialect === 'none' && PROBES.has(path)) return 'debug';
  return status >= 500 || end === 'incomplete' || report.status === 'failed' ? 'warn' : 'info';
}

function lineOf({ caller, report, durationMs, firstByteMs, ...rest }: Exchange): object {
  const times = {
    durationMs: rounded(durationMs),
    ...(firstByteMs === undefined ? {} : { firstByteMs: rounded(firstByteMs) }),
  };
  return { ...rest, ...times, client: caller.keyId, tenant: caller.tenant, turn: report };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

function compactionLine(news: CompactionNews): object {
  const { caller, conversation, branch, trigger, outcome, durationMs } = news;
  const { reason, tokens, counts, method, degraded, findings } = outcome;
  return {
    client: caller.keyId,
    tenant: caller.tenant,
    conversation,
    branch,
    trigger,
    outcome: outcomeOf(news),
    reason,
    tokens,
    messages: counts,
    method,
    degraded,
    // Details of findings may quote the conversation; their codes do not.
    findings: [...new Set(findings.map(({ code }) => code))],
    durationMs: rounded(durationMs),
  };
}
