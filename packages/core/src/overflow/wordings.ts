import type { OverflowProvider } from './provider.ts';

/** What a limit counts. */
export type OverflowUnit = 'tokens' | 'characters' | 'bytes';

/**
 * How one provider says that a request is too long. In the text `{limit}`, `{requested}`, `{input}`, `{output}` and
 * `{over}` stand for numbers and `…` for up to 80 characters; case, quotes and the kind of white space do not count.
 */
export type Wording = {
  readonly text: string;
  readonly provider?: OverflowProvider;
  /** @default 'tokens' */
  readonly unit?: OverflowUnit;
  /** The smallest limit of characters that is one of a whole text. */
  readonly least?: number;
};

const by = (provider: OverflowProvider, ...texts: readonly string[]): readonly Wording[] =>
  texts.map((text) => ({ text, provider }));
const shared = (...texts: readonly string[]): readonly Wording[] => texts.map((text) => ({ text }));

/** Wordings that only an overflow has; the more figures a wording gives, the earlier it stands. */
export const WORDINGS: readonly Wording[] = [
  ...by(
    'anthropic',
    'prompt is too long: {requested} tokens > {limit} maximum',
    'input length and max_tokens exceed context limit: {input} + {output} > {limit}',
    'request size exceeds model context window',
  ),
  // Passed on by Bedrock, Databricks and others (anthropics/claude-code#7495).
  { provider: 'anthropic', text: 'too many total text bytes: {requested} > {limit}', unit: 'bytes' },
  { text: 'too many total text bytes', unit: 'bytes' },
  ...by(
    'openrouter',
    "endpoint's maximum context length is {limit} tokens. However, you requested about {requested} tokens ({input} of text input…{output} in the output)",
    "endpoint's maximum context length is {limit} tokens. However, you requested about {requested} tokens",
  ),
  ...by(
    'vllm',
    'maximum context length is {limit} tokens. However, you requested {output} output tokens and your prompt contains…{input} input tokens',
    "is too large: {output}. This model's maximum context length is {limit} tokens and your request has {input} input tokens",
    'prompt (length {requested}) is longer than the maximum model length of {limit}',
    'prompt length of {requested} is longer than the maximum model length of {limit}',
    'prompt (total length {requested}) is too long to fit into the model (context length {limit})',
  ),
  ...by(
    'openai',
    'maximum context length is {limit} tokens. However, your messages resulted in {requested} tokens',
    'input tokens exceed the configured limit of {limit} tokens. Your messages resulted in {requested} tokens',
    'your input exceeds the context window of this model',
  ),
  ...shared(
    'maximum context length is {limit} tokens. However, you requested {requested} tokens ({input} in the messages,…{output} in the completion)',
    'maximum context length is {limit} tokens, however you requested {requested} tokens ({input} in your prompt; {output} for the completion)',
    'maximum context length is {limit} tokens…you requested {requested} tokens',
    'maximum context length is {limit}',
    "({requested}) exceeds model's maximum context length ({limit})",
    "exceeds the model's maximum context length of {limit}",
    'length {requested} exceeds the maximum allowed input length of {limit}',
    'prompt too long: {requested} tokens exceeds max context window of {limit}',
    'prompt is {requested} tokens but the model context window is {limit}',
    'prompt token count of {requested} cannot exceed {limit}',
    'prompt has {requested} tokens, exceeding the limit of {limit}',
    'prompt is {requested} tokens long, which exceeds the max of {limit}',
    // NVIDIA; DeepInfra; TensorRT-LLM and Replicate, whose code is E1002; watsonx.
    'input length {requested} exceeds maximum allowed token size {limit}',
    'input length {requested} exceeds maximum input length {limit}',
    'prompt length ({requested}) exceeds maximum input length ({limit})',
    'prompt length exceeds maximum input length',
    'number of input tokens {requested} cannot exceed the total tokens limit {limit}',
  ),
  ...by(
    'google',
    'input token count ({requested}) exceeds the maximum number of tokens allowed ({limit})',
    'input token count exceeds the maximum number of tokens allowed ({limit})',
    'input token count exceeds the maximum number of tokens allowed {limit}',
    'input token count is {requested} but model only supports up to {limit}',
    'input token count is {requested} but the model only supports up to {limit}',
  ),
  ...by(
    'xai',
    'maximum prompt length is {limit} but the request contains {requested} tokens',
    '[input_too_large]…({requested} tokens) exceeds budget ({limit} tokens)',
  ),
  ...by(
    'bedrock',
    'too many input tokens. Max input tokens: {limit}, request input token count: {requested}',
    'input is too long for requested model',
  ),
  // Of the whole input, not of a field of it: there a short limit is that of a name.
  {
    provider: 'bedrock',
    text: 'malformed input request: expected maxLength: {limit}, actual: {requested}',
    unit: 'characters',
    least: 1000,
  },
  { provider: 'bedrock', text: 'expected maxLength: {limit}, actual: {requested}', unit: 'characters' },
  ...by('fireworks', 'prompt is too long: {requested}, model maximum context length: {limit}'),
  ...by(
    'together',
    'inputs tokens + max_new_tokens must be <= {limit}. Given: {input} inputs tokens and {output} max_new_tokens',
    'inputs must have less than {limit} tokens. Given: {requested}',
    "input ({requested} tokens) is longer than the model's context length ({limit} tokens)",
  ),
  ...by('mistral', 'prompt contains {requested} tokens…too large for model with {limit} maximum context length'),
  ...by('cerebras', 'current length is {requested} while limit is {limit}'),
  ...by('copilot', 'prompt token count of {requested} exceeds the limit of {limit}'),
  ...by(
    'moonshot',
    'request exceeded model token limit: {limit} (requested: {requested})',
    'request exceeded model token limit: {limit}',
    'request exceeded model token limit',
  ),
  ...by('dashscope', 'range of input length should be [1, {limit}]'),
  {
    provider: 'dashscope',
    text: 'string value length ({requested}) exceeds the maximum allowed ({limit}',
    unit: 'characters',
  },
  ...by(
    'cohere',
    'too many tokens: size limit exceeded by {over} tokens…the limit for this model is {limit} tokens',
    'too many tokens: size limit exceeded by {over} tokens',
    'too many tokens: total number of tokens…cannot exceed {limit} - received {requested}',
  ),
  ...by(
    'llama.cpp',
    'request ({requested} tokens) exceeds the available context size ({limit} tokens)',
    'requested tokens ({requested}) exceed context window of {limit}',
    'exceeds the available context size',
  ),
  ...by(
    'lm-studio',
    'n_keep: {requested}>= n_ctx: {limit}',
    'n_keep: {requested} >= n_ctx: {limit}',
    'n_keep ({requested}) >= n_ctx ({limit})',
    'keep the first {requested} tokens when context the overflows…context length of only {limit} tokens',
    'tokens to keep from the initial prompt is greater than the context length',
  ),
  ...by('ollama', 'prompt too long; exceeded max context length by {over} tokens'),
  // MiniMax's number in brackets is its error code, not a size (NousResearch/hermes-agent#14743).
  ...by('minimax', 'context window exceeds limit'),
  ...by('zai', 'prompt exceeds max length'),
];

/** Wordings too general to stand against signs of a rate limit, an output limit or a medium that is too large. */
export const GENERAL_WORDINGS: readonly Wording[] = [
  ...by('litellm', 'ContextWindowExceededError'),
  ...shared(
    'context_length_exceeded',
    'context length exceeded',
    'context_window_exceeded',
    'context window exceeded',
    'exceeds the context window',
    'exceeds the context length',
    'exceeds maximum context length',
    'maximum context length',
    'context window limit',
    'context size exceeded',
    'context size has been exceeded',
    'prompt is too long',
    'prompt too long',
    'input is too long',
    'reduce the length of the messages',
    'exceed_context_size_error',
  ),
  { provider: 'anthropic', text: 'request exceeds the maximum size', unit: 'bytes' },
  ...['request_too_large', 'request entity too large', 'payload too large', 'content too large'].map(
    (text): Wording => ({ text, unit: 'bytes' }),
  ),
  {
    text: 'string too long. Expected a string with maximum length {limit}, but got a string with length {requested}',
    unit: 'characters',
  },
];

/** Texts of what is not an overflow, though it may speak of tokens, lengths and limits. */
export const NEAR_MISSES: readonly (readonly [
  reason: 'rate-limit' | 'output-limit' | 'media',
  texts: readonly string[],
])[] = [
  [
    'rate-limit',
    [
      ...['rate limit', 'rate_limit', 'ratelimit', 'too many requests', 'per minute', 'per min (', 'per day', '(tpm)'],
      ...['quota', 'throttl', 'please wait before', 'resource_exhausted', 'resource exhausted', 'credit balance'],
      ...['overloaded', 'usage limit', 'error code: 429', 'status code: 429', 'http 429'],
    ],
  ],
  [
    'output-limit',
    [
      ...['max_tokens is too large', 'max_completion_tokens is too large', 'max_tokens must be', 'max tokens must be'],
      ...['max_new_tokens must be', 'number of output tokens', 'output token maximum', 'completion tokens, whereas'],
      ...['maxoutputtokens', 'max_output_tokens', 'range of max_tokens', 'max_completion_tokens specified'],
      'maximum tokens you requested exceeds',
    ],
  ],
  [
    'media',
    ['image exceeds', 'image dimensions', 'image too large', 'image is too large', 'too many images', 'pdf pages'],
  ],
];
