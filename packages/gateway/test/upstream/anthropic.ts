import type { IncomingHttpHeaders } from 'node:http';
import { anthropicError, bearerOf } from './errors.ts';
import { isObject, objectsOf, piecesOf, problem, sse, textOf } from './json.ts';
import { bindingOf, bindingProblem, type Turn, turnsOf } from './thinking.ts';
import type { Answering, Json, Problem, Reading, Usage, Wire } from './types.ts';

/** Anthropic Messages. */
export const anthropic: Wire = {
  dialect: 'anthropic',
  keyOf: (headers) => keyHeader(headers) ?? bearerOf(headers),
  read,
  check: (reading, body, headers) =>
    versionProblem(headers) ??
    pairingProblem(turnsOf(reading.messages)) ??
    shapeProblem(reading, body) ??
    bindingProblem(reading, body),
  answer: (answering) => {
    const content = contentOf(answering);
    return { json: message(answering, content), events: events(answering, content) };
  },
  tooLong: (tokens, window) => ({
    status: 400,
    kind: 'too-long',
    message: `prompt is too long: ${tokens} tokens > ${window} maximum`,
  }),
  errorBody: anthropicError,
  errorEvent: (failure) => sse(anthropicError(failure), 'error'),
};

function keyHeader(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : undefined;
}

function versionProblem(headers: IncomingHttpHeaders): Problem | undefined {
  return headers['anthropic-version'] ? undefined : problem('version', 'anthropic-version: header is required');
}

function read(body: Json, path: string): Reading | Problem {
  const { model, messages, system, tools, stream, max_tokens: most } = body;
  if (typeof model !== 'string') return problem('model', 'model: Field required');
  if (!Array.isArray(messages)) return problem('messages', 'messages: Field required');
  if (messages.length === 0) return problem('messages', 'messages: at least one message is required');
  if (typeof most !== 'number' && !path.endsWith('/count_tokens')) {
    return problem('max_tokens', 'max_tokens: Field required');
  }
  const fixed = { ...(system === undefined ? {} : { system }), ...(tools === undefined ? {} : { tools }) };
  return { model, stream: stream === true, messages, fixed };
}

// Written apart from the engine's own rules, so that a mistake there is not repeated here.
function pairingProblem(turns: readonly Turn[]): Problem | undefined {
  const ids = new Set<string>();
  for (const [at, { role, blocks }] of turns.entries()) {
    const uses = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => textOf(id));
    const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => textOf(id));
    const [previous, next] = [turns[at - 1], turns[at + 1]];
    const asked = new Set(previous?.blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => textOf(id)));
    const stray = results.find((id) => role !== 'user' || !asked.has(id));
    if (stray !== undefined) {
      const text = `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
      return problem('A6', text);
    }
    if (new Set(results).size < results.length) {
      return problem('A7', 'each tool_use must have a single result. Found multiple `tool_result` blocks');
    }
    if (uses.some((id) => ids.has(id)) || new Set(uses).size < uses.length) {
      return problem('A7', `messages.${at}: \`tool_use\` ids must be unique`);
    }
    for (const id of uses) ids.add(id);
    const answered = new Set(leadingResults(next));
    const open = uses.filter((id) => !answered.has(id));
    const isLast =
      blocks.findLastIndex(({ type }) => type !== 'tool_use') < blocks.findIndex(({ type }) => type === 'tool_use');
    if (open.length > 0 || (uses.length > 0 && !isLast)) return unanswered(at, open.length > 0 ? open : uses);
  }
  return undefined;
}

function leadingResults(turn: Turn | undefined): readonly string[] {
  if (turn?.role !== 'user') return [];
  const end = turn.blocks.findIndex(({ type }) => type !== 'tool_result');
  return turn.blocks.slice(0, end < 0 ? undefined : end).map(({ tool_use_id: id }) => textOf(id));
}

function unanswered(at: number, ids: readonly string[]): Problem {
  const text = `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
  return problem('A3', text);
}

function shapeProblem({ messages, fixed }: Reading, body: Json): Problem | undefined {
  for (const [at, message] of messages.entries()) {
    if (!isObject(message)) return problem('A1', `messages.${at}: Input should be an object`);
    const { role, content } = message;
    if (role !== 'user' && role !== 'assistant') {
      return problem('A15', `messages.${at}.role: Input should be 'user' or 'assistant'`);
    }
    const isEmpty = content === '' || (Array.isArray(content) && content.length === 0);
    const isFinalAssistant = role === 'assistant' && at === messages.length - 1;
    if (isEmpty && !isFinalAssistant) {
      return problem(
        'A8',
        `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
      );
    }
    if (objectsOf(content).some(({ type, text }) => type === 'text' && textOf(text).trim() === '')) {
      return problem('A8', 'messages: text content blocks must be non-empty');
    }
  }
  const first = messages[0];
  if (isObject(first) && first['role'] !== 'user')
    return problem('A1', 'messages: first message must use the "user" role');
  const marks = JSON.stringify([fixed.tools, fixed.system, messages]).split('"cache_control":{').length - 1;
  if (marks > 4) return problem('A9', `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  return loopProblem(turnsOf(messages), body);
}

function loopProblem(turns: readonly Turn[], body: Json): Problem | undefined {
  if (!isObject(body['thinking']) || body['thinking']['type'] !== 'enabled') return undefined;
  const start = turns.findLastIndex(
    ({ role, blocks }) => role === 'user' && blocks.some(({ type }) => type !== 'tool_result'),
  );
  const first = turns.slice(start + 1).find(({ role }) => role === 'assistant');
  const opening = textOf(first?.blocks[0]?.['type']);
  if (first === undefined || opening === 'thinking' || opening === 'redacted_thinking') return undefined;
  const at = turns.indexOf(first);
  const text = `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${opening}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`;
  return problem('A10', text);
}

function contentOf({ id, reading, body, reply }: Answering): readonly Json[] {
  const { text, thinking, calls = [], refusal } = reply;
  const words = refusal ?? text;
  const wantsThinking = isObject(body['thinking']) && body['thinking']['type'] !== 'disabled';
  return [
    ...(thinking !== undefined && wantsThinking
      ? [{ type: 'thinking', thinking, signature: bindingOf(reading, thinking) }]
      : []),
    ...(words === undefined || words === '' ? [] : [{ type: 'text', text: words }]),
    ...calls.map((call, at) => ({
      type: 'tool_use',
      id: call.id ?? `toolu_${id}_${at}`,
      name: call.name,
      input: call.input,
    })),
  ];
}

function stopOf({ calls = [], isCut, refusal }: Answering['reply']): string {
  return refusal !== undefined ? 'refusal' : isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
}

function usageOf({ input, output, cacheRead, cacheWrite }: Usage): Json {
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
    service_tier: 'standard',
  };
}

function message({ id, reading, reply, usage }: Answering, content: readonly Json[]): Json {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: reading.model,
    content,
    stop_reason: stopOf(reply),
    stop_sequence: null,
    usage: usageOf(usage),
  };
}

function events(answering: Answering, content: readonly Json[]): readonly string[] {
  const whole = message(answering, content);
  const { output } = answering.usage;
  const start = { ...whole, content: [], stop_reason: null, usage: usageOf({ ...answering.usage, output: 1 }) };
  const named = (data: Json): string => sse(data, textOf(data['type']));
  return [
    named({ type: 'message_start', message: start }),
    named({ type: 'ping' }),
    ...content.flatMap((block, index) => [
      named({ type: 'content_block_start', index, content_block: opened(block) }),
      ...deltas(block).map((delta) => named({ type: 'content_block_delta', index, delta })),
      named({ type: 'content_block_stop', index }),
    ]),
    named({
      type: 'message_delta',
      delta: { stop_reason: whole['stop_reason'], stop_sequence: null },
      usage: { output_tokens: output },
    }),
    named({ type: 'message_stop' }),
  ];
}

function opened(block: Json): Json {
  switch (block['type']) {
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool_use':
      return { ...block, input: {} };
    default:
      return { ...block, text: '' };
  }
}

function deltas(block: Json): readonly Json[] {
  switch (block['type']) {
    case 'thinking':
      return [
        ...piecesOf(textOf(block['thinking']), 10).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block['signature'] },
      ];
    case 'tool_use':
      return piecesOf(JSON.stringify(block['input']), 8).map((piece) => ({
        type: 'input_json_delta',
        partial_json: piece,
      }));
    default:
      return piecesOf(textOf(block['text'])).map((text) => ({ type: 'text_delta', text }));
  }
}
