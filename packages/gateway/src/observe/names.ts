// The GenAI conventions are still in development: every name of theirs that we use stands here and nowhere else.

/** Attributes of the inference span. */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  isStream: 'gen_ai.request.stream',
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
} as const;

/** Attributes of HTTP and errors. */
export const HTTP = {
  errorType: 'error.type',
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
  folded: 'compaction.events.folded',
  kept: 'compaction.events.kept',
  pass: 'compaction.pass',
  isDegraded: 'compaction.degraded',
  violations: 'compaction.violations',
  redactions: 'compaction.redactions',
  calls: 'compaction.calls',
} as const;

/** Providers by the dialect they are spoken to in. */
export const PROVIDERS = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gcp.gemini',
  none: 'unknown',
} as const;
