import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isContextOverflow, type OverflowReading, readOverflow } from './index.ts';

type Expected = Partial<Extract<OverflowReading, { overflow: true }>>;

const openai = (message: string, code: string | null = 'context_length_exceeded') => ({
  error: { message, type: 'invalid_request_error', param: 'messages', code },
});
const anthropic = (message: string, type = 'invalid_request_error') => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_011CUB2XUHWkFnQzxcKBbjpF',
});
const google = (message: string, status = 'INVALID_ARGUMENT', code = 400) => ({ error: { code, message, status } });

// Bodies as providers send them, seen in public reports of their users.
const bodies: readonly [provider: string, body: unknown, expected: Expected][] = [
  [
    'OpenAI, messages alone',
    openai(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens. Please reduce the length of the messages.",
    ),
    { by: 'code', provider: 'openai', unit: 'tokens', limit: 8192, requested: 8227 },
  ],
  [
    'OpenAI, messages and completion',
    openai(
      "This model's maximum context length is 4097 tokens. However, you requested 4120 tokens (3120 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
    ),
    { by: 'code', limit: 4097, requested: 4120, output: 1000 },
  ],
  [
    'OpenAI, functions as well',
    openai(
      "This model's maximum context length is 8192 tokens. However, you requested 8213 tokens (6683 in the messages, 730 in the functions, and 800 in the completion). Please reduce the length of the messages, functions, or completion.",
    ),
    { by: 'code', limit: 8192, requested: 8213, output: 800 },
  ],
  [
    'OpenAI, completions endpoint',
    openai(
      "This model's maximum context length is 8192 tokens, however you requested 8977 tokens (8977 in your prompt; 0 for the completion). Please reduce your prompt; or completion length.",
      null,
    ),
    { by: 'text', limit: 8192, requested: 8977, output: 0 },
  ],
  [
    'OpenAI, gpt-5',
    openai(
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 289650 tokens. Please reduce the length of the messages.',
    ),
    { by: 'code', provider: 'openai', limit: 272_000, requested: 289_650 },
  ],
  [
    'OpenAI, responses',
    {
      type: 'response.failed',
      response: {
        status: 'failed',
        error: {
          code: 'context_length_exceeded',
          message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
        },
      },
    },
    { by: 'code', provider: 'openai' },
  ],
  [
    'OpenAI, one text too long',
    {
      error: {
        message:
          "Invalid 'input[3].content[0].text': string too long. Expected a string with maximum length 10485760, but got a string with length 12582912 instead.",
        type: 'invalid_request_error',
        param: 'input[3].content[0].text',
        code: 'string_above_max_length',
      },
    },
    { by: 'text', unit: 'characters', limit: 10_485_760, requested: 12_582_912 },
  ],
  [
    'Azure',
    {
      url: 'https://me.openai.azure.com/openai/deployments/x',
      statusCode: 400,
      responseBody: JSON.stringify(
        openai(
          "This model's maximum context length is 32768 tokens. However, you requested 35969 tokens (9969 in the messages, 26000 in the completion). Please reduce the length of the messages or completion.",
        ),
      ),
    },
    { by: 'code', provider: 'azure', limit: 32_768, requested: 35_969, output: 26_000 },
  ],
  [
    'Anthropic',
    anthropic('prompt is too long: 208656 tokens > 200000 maximum'),
    { by: 'text', provider: 'anthropic', limit: 200_000, requested: 208_656 },
  ],
  [
    'Anthropic, with the answer',
    anthropic(
      'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again',
    ),
    { by: 'text', provider: 'anthropic', limit: 200_000, requested: 242_959, output: 64_000 },
  ],
  [
    'Anthropic, 413 by size',
    { error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
    { by: 'code', provider: 'anthropic', unit: 'bytes' },
  ],
  ['Anthropic, 413 by window', anthropic('Request size exceeds model context window'), { by: 'text', unit: 'tokens' }],
  [
    'Anthropic, the answer stopped',
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'So' }],
      stop_reason: 'model_context_window_exceeded',
    },
    { by: 'stop-reason', unit: 'tokens' },
  ],
  ['Mistral, the answer stopped', { choices: [{ index: 0, finish_reason: 'model_length' }] }, { by: 'stop-reason' }],
  [
    'Vertex, Claude behind a proxy',
    '413 {"error":{"message":"{\\"type\\":\\"error\\",\\"error\\":{\\"type\\":\\"invalid_request_error\\",\\"message\\":\\"Prompt is too long\\"}}","type":"None","param":"None","code":"413"}}',
    { by: 'text', unit: 'tokens' },
  ],
  [
    'Gemini',
    google('The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).'),
    { by: 'text', provider: 'google', limit: 1_048_576, requested: 1_200_293 },
  ],
  [
    'Gemini, without a count',
    google('The input token count exceeds the maximum number of tokens allowed (1048576).'),
    { by: 'text', provider: 'google', limit: 1_048_576 },
  ],
  [
    'Gemini, in a list',
    [google('The input token count (314175) exceeds the maximum number of tokens allowed (131072).')],
    { by: 'text', limit: 131_072, requested: 314_175 },
  ],
  [
    'Gemini, JSON in JSON',
    '{"error":{"message":"{\\n  \\"error\\": {\\n    \\"code\\": 400,\\n    \\"message\\": \\"The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).\\",\\n    \\"status\\": \\"INVALID_ARGUMENT\\"\\n  }\\n}\\n","code":400,"status":"Bad Request"}}',
    { by: 'text', limit: 1_048_576, requested: 3_475_108 },
  ],
  [
    'Vertex',
    google(
      'Unable to submit request because the input token count is 1251952 but model only supports up to 1048576. Reduce the input token count and try again.',
    ),
    { by: 'text', provider: 'google', limit: 1_048_576, requested: 1_251_952 },
  ],
  [
    'Bedrock',
    Object.assign(new Error('Input is too long for requested model.'), {
      name: 'ValidationException',
      $fault: 'client',
      $metadata: { httpStatusCode: 400, requestId: '16fb0962-139d-4c70-ba9c-602d9630e854' },
    }),
    { by: 'text', provider: 'bedrock' },
  ],
  [
    'Bedrock, Claude',
    {
      name: 'ValidationException',
      message: 'The model returned the following errors: prompt is too long: 200049 tokens > 200000 maximum',
    },
    { by: 'text', limit: 200_000, requested: 200_049 },
  ],
  [
    'Bedrock, Cohere models',
    'ValidationException: 400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9279',
    { by: 'text', provider: 'bedrock', limit: 8192, requested: 9279 },
  ],
  [
    'Bedrock, Titan',
    'ValidationException: Malformed input request: expected maxLength: 50000, actual: 63881, please reformat your input and try again.',
    { by: 'text', unit: 'characters', limit: 50_000, requested: 63_881 },
  ],
  [
    'Mistral',
    {
      object: 'error',
      message: 'Prompt contains 65673 tokens and 0 draft tokens, too large for model with 40960 maximum context length',
      type: 'invalid_request_prompt',
      code: '3051',
    },
    { by: 'text', provider: 'mistral', limit: 40_960, requested: 65_673 },
  ],
  ['Groq', openai('Please reduce the length of the messages or completion.'), { by: 'code', unit: 'tokens' }],
  [
    'DeepSeek',
    openai(
      "This model's maximum context length is 131072 tokens. However, you requested 141980 tokens (133980 in the messages, 8000 in the completion). Please reduce the length of the messages or completion.",
      'invalid_request_error',
    ),
    { by: 'text', limit: 131_072, requested: 141_980, output: 8000 },
  ],
  [
    'xAI',
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    },
    { by: 'text', provider: 'xai', limit: 131_072, requested: 136_973 },
  ],
  [
    'xAI, newer',
    'status = INVALID_ARGUMENT details = "Failed to start sampling: [input_too_large] Current message (1149677 tokens) exceeds budget (975424 tokens)"',
    { by: 'text', provider: 'xai', limit: 975_424, requested: 1_149_677 },
  ],
  [
    'Together, text-generation-inference',
    '422 "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 65537. Given: 79993 `inputs` tokens and 1024 `max_new_tokens`"',
    { by: 'text', limit: 65_537, requested: 81_017, output: 1024 },
  ],
  [
    'Together, sglang',
    {
      object: 'error',
      message: "The input (1000016 tokens) is longer than the model's context length (131072 tokens).",
      code: 400,
    },
    { by: 'text', provider: 'together', limit: 131_072, requested: 1_000_016 },
  ],
  [
    'Fireworks',
    {
      error: {
        object: 'error',
        type: 'invalid_request_error',
        code: 'invalid_request_error',
        message: 'The prompt is too long: 40177, model maximum context length: 32767',
      },
    },
    { by: 'text', provider: 'fireworks', limit: 32_767, requested: 40_177 },
  ],
  [
    'OpenRouter',
    {
      error: {
        message:
          'This endpoint\'s maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
        code: 400,
        metadata: { provider_name: 'Chutes' },
      },
    },
    { by: 'text', provider: 'openrouter', limit: 32_768, requested: 42_832 },
  ],
  [
    'OpenRouter, with an upstream body',
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
          provider_name: 'Anthropic',
        },
      },
    },
    { by: 'text', provider: 'anthropic', limit: 200_000, requested: 210_000 },
  ],
  [
    'Cohere',
    {
      id: 'bda42bf8-db3f-4c32-bb2c-f76466e42a1e',
      message:
        'too many tokens: size limit exceeded by 19296 tokens. Try using shorter or fewer inputs. The limit for this model is 132000 tokens.',
    },
    { by: 'text', provider: 'cohere', limit: 132_000, requested: 151_296 },
  ],
  [
    'Cohere, generate',
    'CohereError: too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt or a smaller max_tokens value.',
    { by: 'text', provider: 'cohere', limit: 2048, requested: 6354 },
  ],
  [
    'Cerebras',
    {
      message: 'Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
    { by: 'code', provider: 'cerebras', limit: 40_000, requested: 42_328 },
  ],
  [
    'GitHub Copilot',
    {
      error: {
        message: 'prompt token count of 138898 exceeds the limit of 64000',
        code: 'model_max_prompt_tokens_exceeded',
      },
    },
    { by: 'code', provider: 'copilot', limit: 64_000, requested: 138_898 },
  ],
  [
    'Ollama',
    {
      error:
        'prompt too long; exceeded max context length by 540451 tokens (ref: 00ad71bb-fea0-4639-9dc9-3ad800192057)',
    },
    { by: 'text', provider: 'ollama' },
  ],
  ['Ollama, local', { error: 'the input length exceeds the context length' }, { by: 'text' }],
  [
    'vLLM',
    {
      object: 'error',
      message:
        "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=262145)",
      type: 'BadRequestError',
      code: 400,
    },
    { by: 'text', provider: 'vllm', limit: 262_144, requested: 262_145, output: 0 },
  ],
  [
    'vLLM, the answer does not fit behind the prompt',
    "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 131072 tokens and your request has 130000 input tokens (4096 > 131072 - 130000). None",
    { by: 'text', provider: 'vllm', limit: 131_072, requested: 134_096, output: 4096 },
  ],
  [
    'vLLM, engine',
    {
      detail:
        '[address=0.0.0.0:43769, pid=1065] The decoder prompt (length 66501) is longer than the maximum model length of 65536. Make sure that `max_model_len` is no smaller than the number of text tokens.',
    },
    { by: 'text', provider: 'vllm', limit: 65_536, requested: 66_501 },
  ],
  [
    'llama.cpp',
    {
      error: {
        code: 400,
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 14_429,
        n_ctx: 8192,
      },
    },
    { by: 'code', provider: 'llama.cpp', limit: 8192, requested: 14_429 },
  ],
  [
    'llama.cpp, with figures in the text',
    '400 request (66202 tokens) exceeds the available context size (65536 tokens), try increasing it',
    { by: 'text', provider: 'llama.cpp', limit: 65_536, requested: 66_202 },
  ],
  [
    'llama-cpp-python',
    'ValueError: Requested tokens (2285) exceed context window of 2048',
    { by: 'text', limit: 2048, requested: 2285 },
  ],
  [
    'LM Studio',
    {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    },
    { by: 'text', provider: 'lm-studio', limit: 4096, requested: 13_055 },
  ],
  [
    'LM Studio, older',
    'Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input',
    { by: 'text', provider: 'lm-studio', limit: 4096, requested: 15_857 },
  ],
  [
    'LM Studio, MLX',
    'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)',
    { by: 'text', limit: 7424, requested: 15_028 },
  ],
  [
    'LiteLLM',
    'litellm.BadRequestError: litellm.ContextWindowExceededError: AnthropicError - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 209353 tokens > 199999 maximum"}}',
    { by: 'text', limit: 199_999, requested: 209_353 },
  ],
  [
    'LiteLLM proxy',
    {
      error: {
        message:
          'litellm.BadRequestError: AnthropicException - b\'{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 179413 + 32768 > 200000, decrease input length or `max_tokens` and try again"}}\'. Received Model Group=anthropic/claude-sonnet-4-20250514\nAvailable Model Group Fallbacks=None',
        type: null,
        param: null,
        code: '400',
      },
    },
    { by: 'text', limit: 200_000, requested: 212_181, output: 32_768 },
  ],
  [
    'LiteLLM, other models',
    { error: { message: 'litellm.ContextWindowExceededError: OpenAIException - too long', code: '400' } },
    { by: 'text', provider: 'litellm' },
  ],
  [
    'a Python client, printed',
    "openai.BadRequestError: Error code: 400 - {'error': {'message': \"This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens. Please reduce the length of the messages.\", 'type': 'invalid_request_error', 'param': 'messages', 'code': 'context_length_exceeded'}}",
    { by: 'text', limit: 8192, requested: 8227 },
  ],
  [
    'DashScope',
    {
      error: {
        code: 'invalid_parameter_error',
        message: '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]',
        param: null,
        type: 'invalid_request_error',
      },
    },
    { by: 'text', provider: 'dashscope', limit: 983_616 },
  ],
  [
    'Moonshot',
    {
      error: {
        message: 'Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)',
        type: 'invalid_request_error',
      },
    },
    { by: 'text', provider: 'moonshot', limit: 262_144, requested: 269_030 },
  ],
  [
    'Moonshot, without what was requested',
    {
      error: {
        message: 'Invalid request: Your request exceeded model token limit: 131072',
        type: 'invalid_request_error',
      },
    },
    { by: 'text', provider: 'moonshot', limit: 131_072 },
  ],
  [
    'MiniMax, in its own shape with status 200',
    { base_resp: { status_code: 2013, status_msg: 'invalid params, context window exceeds limit' } },
    { by: 'text', provider: 'minimax' },
  ],
  [
    'Anthropic, a text of too many bytes',
    { type: 'invalid_request_error', message: 'too many total text bytes: 17929476 > 16000000' },
    { by: 'text', provider: 'anthropic', unit: 'bytes', limit: 16_000_000, requested: 17_929_476 },
  ],
  [
    'Bedrock behind another server',
    { message: 'BAD_REQUEST: too many total text bytes' },
    { by: 'text', unit: 'bytes' },
  ],
  [
    'NVIDIA',
    { error: 'Input length 4303 exceeds maximum allowed token size 4096' },
    { by: 'text', unit: 'tokens', limit: 4096, requested: 4303 },
  ],
  [
    'DeepInfra through OpenRouter',
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: 'Requested input length 39818 exceeds maximum input length 32767',
          provider_name: 'DeepInfra',
        },
      },
    },
    { by: 'text', limit: 32_767, requested: 39_818 },
  ],
  [
    'watsonx',
    {
      errors: [
        {
          code: 'invalid_input_argument',
          message:
            "Invalid input argument for Model 'meta-llama/llama-2-70b-chat': the number of input tokens 4098 cannot exceed the total tokens limit 4096 for this model",
        },
      ],
      status_code: 400,
    },
    { by: 'text', limit: 4096, requested: 4098 },
  ],
  [
    'Replicate',
    { error: 'E1002 PromptTooLong: Prompt length exceeds maximum input length. Detail: none', status: 'failed' },
    { by: 'text', unit: 'tokens' },
  ],
  [
    'TensorRT-LLM',
    { error: 'Cannot process new request: Prompt length (1251) exceeds maximum input length (1024).' },
    { by: 'text', limit: 1024, requested: 1251 },
  ],
  [
    'MiniMax, whose number is no size',
    {
      type: 'error',
      error: {
        type: 'bad_request_error',
        message: 'invalid params, context window exceeds limit (2013)',
        http_code: '400',
      },
    },
    { by: 'text', provider: 'minimax' },
  ],
  ['Z.ai', { error: { code: '1261', message: 'Prompt exceeds max length' } }, { by: 'text', provider: 'zai' }],
  [
    'a text wrapped by a terminal',
    'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 184915 +\n20000 > 204648, decrease input length or `max_tokens` and try again"}}',
    { by: 'text', limit: 204_648, requested: 204_915, output: 20_000 },
  ],
  [
    'a client that adds a guess of its own',
    'The model returned the following errors: input length and `max_tokens` exceed context limit: 196395 + 64000 > 204698, decrease input length or `max_tokens` and try again\n\nError: Request was throttled or rate limited. Please try: reducing the frequency of requests',
    { by: 'text', limit: 204_698, requested: 260_395, output: 64_000 },
  ],
  [
    'a proxy in front',
    '<html><head><title>413 Request Entity Too Large</title></head></html>',
    { by: 'text', unit: 'bytes' },
  ],
  [
    'a bare 413',
    Object.assign(new Error('413 status code (no body)'), { status: 413 }),
    { by: 'status', unit: 'bytes' },
  ],
];

const figuresOf = (given: object): string[] =>
  Object.keys(given)
    .filter((key) => ['limit', 'requested', 'output'].includes(key))
    .sort();

test.each(bodies)('%s: an overflow, with what it says', (_provider, body, expected) => {
  const reading = readOverflow(body);
  expect(reading).toMatchObject({ overflow: true, ...expected });
  // Nothing is made up: a figure is there if and only if the body gives it.
  expect(figuresOf(reading)).toEqual(figuresOf(expected));
  expect(isContextOverflow(body)).toBe(true);
});

test.each<[string, unknown, Extract<OverflowReading, { overflow: false }>['reason']]>([
  [
    'OpenAI, tokens per minute, 429',
    {
      status: 429,
      error: {
        message:
          'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 342389. The input or output tokens must be reduced in order to run successfully.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
    'rate-limit',
  ],
  [
    'Groq, tokens per minute as 413',
    {
      status: 413,
      error: {
        message:
          'Request too large for model `llama-3.1-8b-instant` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 12328, please reduce your message size and try again.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
    'rate-limit',
  ],
  [
    'the same as a text',
    '413 Request too large for model `llama-3.3-70b-versatile` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce your message size and try again. Need more tokens? Upgrade to Dev Tier today',
    'rate-limit',
  ],
  [
    'Anthropic, input tokens per minute',
    anthropic(
      "This request would exceed your organization's rate limit of 30,000 input tokens per minute (org: x, model: claude-sonnet-4-20250514). Please reduce the prompt length or the maximum tokens requested, or try again later.",
      'rate_limit_error',
    ),
    'rate-limit',
  ],
  ['Anthropic, overloaded', anthropic('Overloaded', 'overloaded_error'), 'rate-limit'],
  [
    'Bedrock, throttled with the words of an overflow',
    Object.assign(new Error('Too many tokens, please wait before trying again.'), {
      name: 'ThrottlingException',
      $metadata: { httpStatusCode: 429 },
    }),
    'rate-limit',
  ],
  ['the same as a text', '{"message":"Too many tokens, please wait before trying again."}', 'rate-limit'],
  [
    'the same with its namespace',
    { __type: 'com.amazon.coral.service#ThrottlingException', message: 'Rate exceeded' },
    'rate-limit',
  ],
  [
    'Gemini, input token quota',
    google(
      'You exceeded your current quota. * Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_input_token_count, limit: 250000',
      'RESOURCE_EXHAUSTED',
      429,
    ),
    'rate-limit',
  ],
  [
    'OpenAI, no credit',
    { error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' } },
    'rate-limit',
  ],
  [
    'a 429 is never one, whatever it says',
    { status: 429, error: { code: 'context_length_exceeded', message: 'prompt is too long: 2 tokens > 1 maximum' } },
    'rate-limit',
  ],
  ['a printed 429', "Error code: 429 - {'error': {'message': 'maximum context length'}}", 'rate-limit'],
  [
    'OpenAI, too long an answer asked for',
    {
      error: {
        message:
          'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.',
        type: 'invalid_request_error',
        param: 'max_tokens',
        code: null,
      },
    },
    'output-limit',
  ],
  [
    'Anthropic, too long an answer',
    anthropic(
      'max_tokens: 128001 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-5-20251101',
    ),
    'output-limit',
  ],
  [
    'Bedrock, too long an answer',
    { message: 'The maximum tokens you requested exceeds the model limit of 32768' },
    'output-limit',
  ],
  [
    'Groq, too long an answer',
    {
      error: {
        message:
          '`max_tokens` must be less than or equal to `16384`, the maximum value for `max_tokens` is less than the `context_window` for this model',
      },
    },
    'output-limit',
  ],
  [
    'Gemini, too long an answer',
    google(
      'Unable to submit request because it has a maxOutputTokens value of 339835 but the supported range is from 1 (inclusive) to 65537 (exclusive).',
    ),
    'output-limit',
  ],
  [
    'Cohere, too long an answer',
    {
      message:
        'too many tokens: max tokens must be less than or equal to 4096, the maximum output for this model - received 8192.',
    },
    'output-limit',
  ],
  [
    'DashScope, too long an answer',
    'InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]',
    'output-limit',
  ],
  [
    'OpenRouter, an answer as long as the window',
    {
      error: {
        message:
          "This endpoint's maximum context length is 131072 tokens. However, you requested about 138956 tokens (7884 of text input, 131072 in the output). Please reduce the length of either one",
        code: 400,
      },
    },
    'output-limit',
  ],
  [
    'OpenAI, an answer as long as the window',
    openai(
      "This model's maximum context length is 8192 tokens. However, you requested 8256 tokens (64 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
    ),
    'output-limit',
  ],
  [
    'vLLM, an answer as long as the window',
    "400 'max_tokens' or 'max_completion_tokens' is too large: 64000. This model's maximum context length is 64001 tokens and your request has 24235 input tokens (64000 > 64001 - 24235). None",
    'output-limit',
  ],
  [
    'an image of too many pixels',
    anthropic(
      'messages.59.content.12.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    ),
    'media',
  ],
  [
    'an image of too many bytes',
    anthropic('messages.7.content.2.image.source.base64: image exceeds 5 MB maximum: 6710886 bytes > 5242880 bytes'),
    'media',
  ],
  [
    'a tool name too long',
    {
      error: {
        message:
          "Invalid 'tools[11].function.name': string too long. Expected a string with maximum length 64, but got a string with length 74 instead.",
        type: 'invalid_request_error',
        param: 'tools[11].function.name',
        code: 'string_above_max_length',
      },
    },
    'unrelated',
  ],
  [
    'a tool description too long',
    {
      error: {
        message:
          "Invalid 'tools[1].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 1533 instead.",
        code: 'string_above_max_length',
      },
    },
    'unrelated',
  ],
  ['a schema error', anthropic('tools.0.custom.input_schema.type: Field required'), 'unrelated'],
  [
    'a broken pair',
    anthropic('messages.32.content: Conversation blocks and tool result blocks cannot be provided in the same turn.'),
    'unrelated',
  ],
  [
    'a wrong key',
    { status: 401, error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } },
    'unrelated',
  ],
  ['a timeout', new DOMException('The operation timed out.', 'TimeoutError'), 'unrelated'],
  ['an answer cut at its own limit', { type: 'message', stop_reason: 'max_tokens', content: [] }, 'unrelated'],
  [
    'an answer that talks about overflows',
    {
      choices: [
        { finish_reason: 'stop', message: { role: 'assistant', content: 'prompt is too long: 2 tokens > 1 maximum' } },
      ],
    },
    'unrelated',
  ],
  [
    'another error, whose request quotes an overflow',
    Object.assign(new Error('Bad Request'), {
      statusCode: 400,
      requestBodyValues: { messages: [{ content: 'prompt is too long: 2 tokens > 1 maximum' }] },
    }),
    'unrelated',
  ],
  ['nothing', undefined, 'unrelated'],
  ['an empty text', '', 'unrelated'],
])('%s: not an overflow', (_name, body, reason) => {
  expect(readOverflow(body)).toEqual({ overflow: false, reason });
  expect(isContextOverflow(body)).toBe(false);
});

// The same body, as the libraries people use hand it over.
const BODY = anthropic('prompt is too long: 208656 tokens > 200000 maximum');
const TEXT = JSON.stringify(BODY);
const apiCallError = Object.assign(new Error('prompt is too long: 208656 tokens > 200000 maximum'), {
  name: 'AI_APICallError',
  url: 'https://api.anthropic.com/v1/messages',
  requestBodyValues: {},
  statusCode: 400,
  responseBody: TEXT,
  isRetryable: false,
  data: BODY,
});

test.each<[string, unknown]>([
  ['the body', BODY],
  ['its text', TEXT],
  ['an AI SDK error', apiCallError],
  [
    'an AI SDK error with the text of the body only',
    { name: 'AI_APICallError', message: 'Bad Request', responseBody: TEXT },
  ],
  [
    'an AI SDK retry error whose earlier attempts were throttled',
    Object.assign(new Error('Failed after 2 attempts. Last error: …'), {
      name: 'AI_RetryError',
      reason: 'errorNotRetryable',
      errors: [{ statusCode: 429, message: 'rate limit' }, apiCallError],
      lastError: apiCallError,
    }),
  ],
  ['an Anthropic SDK error', Object.assign(new Error(`400 ${TEXT}`), { status: 400, error: BODY, headers: {} })],
  [
    'an OpenAI SDK error',
    Object.assign(new Error('400 prompt is too long: 208656 tokens > 200000 maximum'), {
      status: 400,
      error: BODY.error,
    }),
  ],
  ['an axios error', { message: 'Request failed with status code 400', response: { status: 400, data: BODY } }],
  ['a response read to text', { status: 400, ok: false, body: TEXT }],
  [
    'a cause of a cause',
    new Error('the turn failed', { cause: new Error('the call failed', { cause: apiCallError }) }),
  ],
  ['an aggregate', new AggregateError([new Error('first'), apiCallError], 'all failed')],
  ['an event of a stream', `event: error\ndata: ${TEXT}\n\n`],
  ['JSON in a message', new Error(`Error code: 400 - ${TEXT}`)],
])('read from %s', (_name, error) => {
  expect(readOverflow(error)).toMatchObject({
    overflow: true,
    provider: 'anthropic',
    limit: 200_000,
    requested: 208_656,
  });
});

test.each(bodies)('with 429 the words of %s are a rate limit', (_provider, body) => {
  expect(readOverflow({ status: 429, error: body })).toEqual({ overflow: false, reason: 'rate-limit' });
});

test.each([
  [
    'Vertex, with an article',
    'Unable to submit request because the input token count is 1100000 but the model only supports up to 1048576. Reduce the input token count and try again.',
    { limit: 1_048_576, requested: 1_100_000 },
  ],
  [
    'Bedrock, of a short model',
    'Malformed input request: expected maxLength: 2048, actual: 3000, please reformat your input and try again.',
    { limit: 2048, requested: 3000 },
  ],
  ['a count that cannot exceed', 'Bad request: prompt token count of 140000 cannot exceed 128000', { limit: 128_000 }],
])('the wording of %s is an overflow', (_name, message, figures) => {
  expect(readOverflow({ status: 400, message })).toMatchObject({ overflow: true, ...figures });
});

test('what a refusal quotes of the user is no overflow', () => {
  const quoting = 'Invalid role in message: "context length exceeded is what the user asked about"';
  expect(isContextOverflow({ status: 400, error: { message: quoting } })).toBe(false);
  expect(isContextOverflow('{"error": {"message": "context length exceeded"}}')).toBe(true);
  expect(isContextOverflow('Failed: "context length exceeded" (code 400)')).toBe(false);
  expect(isContextOverflow({ message: 'toolConfig/tools/0/name: expected maxLength: 64, actual: 90' })).toBe(false);
});

test('a cycle ends', () => {
  const error: Record<string, unknown> = { message: 'no' };
  error['cause'] = error;
  error['error'] = { cause: error, details: [error, error] };
  expect(isContextOverflow(error)).toBe(false);
});

test('a structure without end ends', () => {
  class Endless {
    get cause(): Endless {
      return new Endless();
    }
    get errors(): Endless[] {
      return [new Endless(), new Endless()];
    }
  }
  expect(isContextOverflow(new Endless())).toBe(false);
});

test('what throws when touched is passed over', () => {
  const thorny = new Proxy(
    {},
    {
      get() {
        throw new Error('no');
      },
    },
  );
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  expect(isContextOverflow(thorny)).toBe(false);
  expect(isContextOverflow(revoked.proxy)).toBe(false);
  expect(isContextOverflow({ cause: thorny, error: revoked.proxy, message: 'prompt is too long' })).toBe(true);
});

test('a deep body is read as far as it goes', () => {
  let body: unknown = { message: 'prompt is too long' };
  for (let depth = 0; depth < 50_000; depth += 1) body = { error: body };
  expect(isContextOverflow(body)).toBe(false);
});

test('no value makes it throw', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }), (value) => {
      expect(typeof readOverflow(value).overflow).toBe('boolean');
      expect(typeof readOverflow({ error: value, message: value, cause: value }).overflow).toBe('boolean');
    }),
  );
});

test.each<[string, string]>([
  ['one letter', 'a'],
  ['braces', '{'],
  ['quotes', '"'],
  ['the start of a wording', 'prompt is too long: 1 tokens '],
  ['digits', '9'],
  ['the start of a wording with a gap', 'maximum context length is 1 tokens. '],
  ['lines of a stream', 'data: {\n'],
])('a megabyte of %s takes no longer than a moment', (_name, part) => {
  const text = part.repeat(Math.ceil(1_000_000 / part.length));
  const from = performance.now();
  readOverflow(new Error(text, { cause: { responseBody: text, error: { message: text } } }));
  expect(performance.now() - from).toBeLessThan(500);
});
