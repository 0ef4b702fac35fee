import { type Attributes, type Context, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { CompactionNews, SummarizerCall } from '../model/report.ts';
import { cleanText } from './clean.ts';
import { COMPACTION, GEN_AI, HTTP, type Naming, SUMMARIZER_PROVIDERS } from './names.ts';
import { outcomeOf } from './outcome.ts';
import { present } from './present.ts';

type Telling = { readonly tracer: Tracer; readonly naming: Naming; readonly around: Context };

/** A span for a compaction that has ended, with one below it for each call of the summarizer. */
export function tellCompaction(news: CompactionNews, { tracer, naming, around }: Telling): void {
  const { startedAt: startTime, durationMs, calls = [] } = news;
  const name = `compact ${news.outcome.record?.preset ?? 'none'}`;
  const span = tracer.startSpan(name, { startTime, attributes: compactionOf(news) }, around);
  const below = trace.setSpan(around, span);
  for (const call of span.isRecording() ? calls : []) {
    const attributes = naming(callOf(call, news));
    const asked = tracer.startSpan('chat', { kind: SpanKind.CLIENT, startTime: call.startedAt, attributes }, below);
    if (call.error !== undefined) asked.setStatus({ code: SpanStatusCode.ERROR });
    asked.end(call.startedAt + call.durationMs);
  }
  span.end(startTime + durationMs);
}

function callOf(call: SummarizerCall, { summarizer, outcome }: CompactionNews): Attributes {
  const { usage, finish, error } = call;
  const model = call.model ?? summarizer?.model;
  return present({
    [GEN_AI.operation]: 'chat',
    [GEN_AI.provider]: SUMMARIZER_PROVIDERS[summarizer?.provider ?? ''] ?? 'unknown',
    [GEN_AI.requestModel]: model === undefined ? undefined : cleanText(model),
    [GEN_AI.maxTokens]: call.maxTokens,
    [GEN_AI.prompt]: outcome.record?.preset,
    [GEN_AI.inputTokens]: usage?.inputTokens,
    [GEN_AI.outputTokens]: usage?.outputTokens,
    [GEN_AI.finishReasons]: finish === undefined ? undefined : [cleanText(finish)],
    [HTTP.errorType]: error === undefined ? undefined : cleanText(error),
    [COMPACTION.purpose]: call.purpose,
  });
}

const METHODS = {
  model: 'llm',
  digest: 'deterministic',
  mechanical: 'deterministic',
  mask: 'deterministic',
  none: 'none',
} as const;

function compactionOf(news: CompactionNews): Attributes {
  const { outcome, trigger, bytes } = news;
  const { tokens, counts, method, degraded, findings, records } = outcome;
  return present({
    [COMPACTION.trigger]: trigger,
    [COMPACTION.method]: METHODS[method],
    [COMPACTION.outcome]: outcomeOf(news),
    [COMPACTION.reason]: outcome.reason,
    [COMPACTION.tokensBefore]: tokens.before,
    [COMPACTION.tokensAfter]: tokens.after,
    [COMPACTION.bytesBefore]: bytes?.before,
    [COMPACTION.bytesAfter]: bytes?.after,
    [COMPACTION.prefixKept]: bytes?.prefixKept,
    [COMPACTION.folded]: counts.compressed,
    [COMPACTION.kept]: counts.preserved,
    [COMPACTION.pass]: records.length,
    [COMPACTION.isDegraded]: degraded,
    [COMPACTION.violations]: findings.filter(({ code }) => code === 'invalid-output').length,
    [COMPACTION.redactions]: redactionsIn(findings),
    [COMPACTION.calls]: records.reduce((sum, { calls }) => sum + calls, 0),
    [GEN_AI.prompt]: method === 'model' ? outcome.record?.preset : undefined,
  });
}

/** How many secrets were taken out: their finding counts them by kind, `2 openai-key, 1 jwt`. */
function redactionsIn(findings: CompactionNews['outcome']['findings']): number {
  const told = findings.filter(({ code }) => code === 'secrets-redacted').flatMap(({ detail }) => detail.split(', '));
  return told.reduce((sum, each) => sum + (Number.parseInt(each, 10) || 0), 0);
}
