import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Call } from '../model/call.ts';
import type { ExchangeSpan } from '../model/parts.ts';
import type { AnswerFacts, AskedFacts, CompactionNews, Exchange, Usage } from '../model/report.ts';
import { cleanText } from './clean.ts';
import { tellCompaction } from './compaction-span.ts';
import { GEN_AI, HTTP, type Naming, namingOf, PROVIDERS } from './names.ts';
import { present } from './present.ts';

/** Traces of a gateway; without an SDK in the process they cost next to nothing. */
export type Spans = {
  readonly started: (call: Call, handle: ExchangeSpan) => void;
  readonly ended: (ended: Exchange, handle: ExchangeSpan) => void;
  readonly compacted: (news: CompactionNews, handle?: ExchangeSpan) => void;
};

/** Spans by the GenAI names, with the caller's trace as their parent. No content is put into them. */
export function createSpans(
  tracer: Tracer = trace.getTracer('@epitome/gateway'),
  naming: Naming = namingOf(process.env),
): Spans {
  const open = new WeakMap<ExchangeSpan, Span>();
  return {
    started: (call, handle) => {
      const parent = propagation.extract(context.active(), call.headers);
      open.set(handle, tracer.startSpan('chat', { kind: SpanKind.CLIENT }, parent));
    },
    ended: (ended, handle) => {
      const span = open.get(handle);
      if (span === undefined) return;
      open.delete(handle);
      // Without an SDK nobody reads what would be made here.
      if (!span.isRecording()) return span.end();
      // Names are of low cardinality: a model that nobody configured is an attribute and no name.
      span.updateName(ended.operation ?? `${ended.method} pass-through`);
      span.setAttributes(naming(attributesOf(ended)));
      if (ended.status >= 400 || ended.end === 'incomplete') {
        span.setAttribute(HTTP.errorType, ended.end === 'incomplete' ? 'incomplete' : String(ended.status));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
    compacted: (news, handle) => {
      const parent = handle && open.get(handle);
      const around = parent ? trace.setSpan(context.active(), parent) : context.active();
      tellCompaction(news, { tracer, naming, around });
    },
  };
}

function attributesOf(ended: Exchange): Attributes {
  const { dialect, method, path, status, operation, model, report, firstByteMs, server } = ended;
  const http = {
    ...{ [HTTP.method]: method, [HTTP.path]: cleanText(path), [HTTP.status]: status },
    ...(server === undefined ? {} : { [HTTP.address]: server.address, [HTTP.port]: server.port }),
  };
  if (operation === undefined) return http;
  return {
    ...http,
    [GEN_AI.operation]: operation,
    [GEN_AI.provider]: PROVIDERS[dialect],
    [GEN_AI.isStream]: ended.isStream,
    ...(model === undefined ? {} : { [GEN_AI.requestModel]: cleanText(model) }),
    ...(report.conversation === undefined ? {} : { [GEN_AI.conversation]: report.conversation }),
    // Only true is ever set: absent means that nobody knows.
    ...(isCompacted(report) ? { [GEN_AI.isCompacted]: true } : {}),
    ...(firstByteMs === undefined ? {} : { [GEN_AI.timeToFirstChunk]: firstByteMs / 1000 }),
    ...askedOf(ended.asked),
    ...answerOf(ended.answer),
    ...usageOf(ended.usage),
  };
}

function isCompacted({ status, recordId }: Exchange['report']): boolean {
  return status === 'compacted' || (status === 'reused' && recordId !== undefined);
}

function askedOf({ maxTokens, reasoning, previousResponse }: AskedFacts = {}): Attributes {
  return present({
    [GEN_AI.maxTokens]: maxTokens,
    [GEN_AI.reasoningLevel]: cleaned(reasoning),
    [GEN_AI.previousResponse]: cleaned(previousResponse),
  });
}

function answerOf({ id, model, status, finishReasons }: AnswerFacts = {}): Attributes {
  return present({
    [GEN_AI.responseId]: cleaned(id),
    [GEN_AI.responseModel]: cleaned(model),
    [GEN_AI.responseStatus]: cleaned(status),
    [GEN_AI.finishReasons]: finishReasons?.map(cleanText),
  });
}

function cleaned(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cleanText(text);
}

function usageOf(usage: Usage | undefined): Attributes {
  if (usage === undefined) return {};
  const { input, output, cacheRead, cacheWrite, reasoning } = usage;
  return present({
    [GEN_AI.inputTokens]: input,
    [GEN_AI.outputTokens]: output,
    [GEN_AI.cacheRead]: cacheRead,
    [GEN_AI.cacheWrite]: cacheWrite,
    [GEN_AI.reasoning]: reasoning,
  });
}
