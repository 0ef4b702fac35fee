import type { Attributes } from '@opentelemetry/api';

// The GenAI conventions are still in development: every name of theirs that we use stands here and nowhere else.

/** Attributes of the inference span. */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  isStream: 'gen_ai.request.stream',
  maxTokens: 'gen_ai.request.max_tokens',
  reasoningLevel: 'gen_ai.request.reasoning.level',
  previousResponse: 'gen_ai.request.previous_response.id',
  responseModel: 'gen_ai.response.model',
  responseId: 'gen_ai.response.id',
  responseStatus: 'gen_ai.response.status',
  finishReasons: 'gen_ai.response.finish_reasons',
  prompt: 'gen_ai.prompt.name',
  conversation: 'gen_ai.conversation.id',
  isCompacted: 'gen_ai.conversation.compacted',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheRead: 'gen_ai.usage.cache_read.input_tokens',
  cacheWrite: 'gen_ai.usage.cache_write.input_tokens',
  reasoning: 'gen_ai.usage.reasoning.output_tokens',
  tokenType: 'gen_ai.token.type',
  tokenUsage: 'gen_ai.client.token.usage',
  duration: 'gen_ai.client.operation.duration',
  firstChunk: 'gen_ai.client.operation.time_to_first_chunk',
} as const;

/** What some of them were called before, which most of today's dashboards know. */
const EARLIER: Readonly<Record<string, string>> = {
  [GEN_AI.provider]: 'gen_ai.system',
  [GEN_AI.cacheWrite]: 'gen_ai.usage.cache_creation.input_tokens',
};

/** Which names are told: all of the newest convention, and those of the one before it where nobody opted for the newest alone. */
export type Naming = (attributes: Attributes) => Attributes;

/** The naming that `OTEL_SEMCONV_STABILITY_OPT_IN` asks for. */
export function namingOf({ OTEL_SEMCONV_STABILITY_OPT_IN: optIn = '' }: NodeJS.ProcessEnv): Naming {
  const chosen = optIn.split(',').map((each) => each.trim());
  if (chosen.includes('gen_ai_latest_experimental')) return (attributes) => attributes;
  return (attributes) => {
    const earlier = Object.entries(attributes).flatMap(([name, value]) => {
      const before = EARLIER[name];
      return before === undefined ? [] : [[before, value] as const];
    });
    return { ...attributes, ...Object.fromEntries(earlier) };
  };
}

/** Attributes of HTTP, servers and errors. */
export const HTTP = {
  errorType: 'error.type',
  address: 'server.address',
  port: 'server.port',
  method: 'http.request.method',
  status: 'http.response.status_code',
  path: 'url.path',
} as const;

/** Attributes of the `compact` span, for which there is no convention yet. */
export const COMPACTION = {
  trigger: 'compaction.trigger',
  method: 'compaction.method',
  outcome: 'compaction.outcome',
  reason: 'compaction.reason',
  tokensBefore: 'compaction.tokens.before',
  tokensAfter: 'compaction.tokens.after',
  bytesBefore: 'compaction.bytes.before',
  bytesAfter: 'compaction.bytes.after',
  prefixKept: 'compaction.cache_prefix_bytes_kept',
  folded: 'compaction.events.folded',
  kept: 'compaction.events.kept',
  pass: 'compaction.pass',
  isDegraded: 'compaction.degraded',
  violations: 'compaction.violations',
  redactions: 'compaction.redactions',
  calls: 'compaction.calls',
  purpose: 'compaction.purpose',
} as const;

/** Providers by what they are called in the name of a summarizer. */
export const SUMMARIZER_PROVIDERS: Readonly<Record<string, string>> = {
  openai: 'openai',
  'openai-compatible': 'openai',
  anthropic: 'anthropic',
  google: 'gcp.gemini',
};

/** Providers by the dialect they are spoken to in. */
export const PROVIDERS = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gcp.gemini',
  none: 'unknown',
} as const;
