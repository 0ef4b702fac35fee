import { bearerOf, openaiError } from './errors.ts';
import { isObject, listOf, objectsOf, piecesOf, problem, sse, textOf } from './json.ts';
import type { Answering, Json, Problem, Reading, ReplyCall, Usage, Wire } from './types.ts';

/** OpenAI Chat Completions. */
export const chat: Wire = {
  dialect: 'openai-chat',
  keyOf: bearerOf,
  read,
  check: ({ messages }) => pairingProblem(messages) ?? shapeProblem(messages),
  answer: (answering) => ({ json: completion(answering), events: chunks(answering) }),
  tooLong: (tokens, window) => ({
    status: 400,
    kind: 'too-long',
    message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    param: 'messages',
    code: 'context_length_exceeded',
  }),
  errorBody: openaiError,
  errorEvent: (failure) => sse(openaiError(failure)),
};

function read(body: Json): Reading | Problem {
  const { model, messages, tools, stream } = body;
  if (typeof model !== 'string') return problem('model', 'you must provide a model parameter');
  if (!Array.isArray(messages))
    return problem('messages', "Missing required parameter: 'messages'.", { param: 'messages' });
  if (messages.length === 0) {
    const text =
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
    return problem('messages', text, { param: 'messages', code: 'empty_array' });
  }
  return { model, stream: stream === true, messages, fixed: tools === undefined ? {} : { tools } };
}

// Written apart from the engine's own rules, so that a mistake there is not repeated here.
function pairingProblem(messages: readonly unknown[]): Problem | undefined {
  let open = new Set<string>();
  for (const [at, message] of messages.entries()) {
    if (!isObject(message)) return problem('O6', `Invalid type for 'messages[${at}]': expected an object.`);
    if (message['role'] === 'tool') {
      const id = textOf(message['tool_call_id']);
      if (!open.delete(id)) return orphan(at);
      continue;
    }
    if (open.size > 0) return unanswered(open, at);
    const calls = objectsOf(message['tool_calls']).map(({ id }) => textOf(id));
    open = new Set(calls);
    if (open.size < calls.length) return problem('O3', `Duplicate value for 'tool_call_id' of 'messages[${at}]'.`);
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
}

function orphan(at: number): Problem {
  const message =
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
  return problem('O2', message, { param: `messages.[${at}].role` });
}

function unanswered(open: ReadonlySet<string>, at: number): Problem {
  const message = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`;
  return problem('O1', message, { param: `messages.[${at}].role` });
}

function shapeProblem(messages: readonly unknown[]): Problem | undefined {
  for (const [at, message] of objectsOf(messages).entries()) {
    const { role, content, tool_calls: calls } = message;
    const place = { param: `messages.[${at}].content` };
    if (!['system', 'developer', 'user', 'assistant', 'tool'].includes(textOf(role))) {
      return problem('O6', `Invalid value: '${textOf(role)}'.`, { param: `messages[${at}].role` });
    }
    if (role !== 'assistant' && content === null) {
      return problem('O6', `Invalid value for 'content': expected a string, got null.`, place);
    }
    if (role === 'assistant' && (content ?? null) === null && listOf(calls).length === 0) {
      return problem('O5', 'Invalid assistant message: content or tool_calls must be set', place);
    }
    if (Array.isArray(content) && content.length === 0) return problem('O6', 'Expected a non-empty array.', place);
    if (role !== 'user' && objectsOf(content).some(({ type }) => type === 'image_url')) {
      return problem('O7', `Image URLs are only allowed for messages with role 'user'.`, place);
    }
  }
  return undefined;
}

function completion({ id, reading, reply, usage }: Answering): Json {
  const { text, calls = [], refusal } = reply;
  const message = {
    role: 'assistant',
    content: refusal === undefined && text !== undefined ? text : null,
    refusal: refusal ?? null,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call, at) => toolCall(call, `${id}_${at}`)) }),
    annotations: [],
  };
  return {
    ...envelope(id, reading.model, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(reply) }],
    usage: usageOf(usage),
    service_tier: 'default',
  };
}

function toolCall({ name, input, id }: ReplyCall, own: string): Json {
  return { id: id ?? `call_${own}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function envelope(id: string, model: string, object: string): Json {
  return { id: `chatcmpl-${id}`, object, created: 1_790_000_000, model, system_fingerprint: 'fp_local' };
}

function finishOf({ calls = [], isCut }: Answering['reply']): string {
  return isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
}

function usageOf({ input, output, cacheRead, reasoning }: Usage): Json {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead - (cacheRead % 128), audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  };
}

function chunks({ id, reading, reply, usage, body }: Answering): readonly string[] {
  const wantsUsage = isObject(body['stream_options']) && body['stream_options']['include_usage'] === true;
  const chunk = (delta: Json, finish: string | null = null): string =>
    sse({
      ...envelope(id, reading.model, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(wantsUsage ? { usage: null } : {}),
    });
  const { text = '', refusal = '', calls = [] } = reply;
  return [
    chunk({ role: 'assistant', content: '', refusal: null }),
    ...piecesOf(refusal).map((piece) => chunk({ refusal: piece })),
    ...(refusal ? [] : piecesOf(text).map((piece) => chunk({ content: piece }))),
    ...calls.flatMap((call, index) => {
      const { function: fn, ...head } = toolCall(call, `${id}_${index}`);
      const { name, arguments: input } = fn as { name: string; arguments: string };
      const first = chunk({ tool_calls: [{ index, ...head, function: { name, arguments: '' } }] });
      const rest = piecesOf(input, 8).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      );
      return [first, ...rest];
    }),
    chunk({}, finishOf(reply)),
    ...(wantsUsage
      ? [sse({ ...envelope(id, reading.model, 'chat.completion.chunk'), choices: [], usage: usageOf(usage) })]
      : []),
    'data: [DONE]\n\n',
  ];
}
