import { bearerOf, openaiError } from './errors.ts';
import { isObject, listOf, objectsOf, piecesOf, problem, sign, sse, textOf } from './json.ts';
import type { Answering, Json, Problem, Reading, Usage, Wire } from './types.ts';

const COMPACTIONS = ['compaction', 'compaction_summary', 'context_compaction'];

/** OpenAI Responses, with what it remembers of earlier ones. */
export function responsesWire(): Wire {
  const memory = new Map<string, readonly unknown[]>();
  return {
    dialect: 'openai-responses',
    keyOf: bearerOf,
    read: (body) => read(body, memory),
    check: (reading, body) => pairingProblem(reading.shown ?? reading.messages) ?? itemProblem(body, memory),
    answer: (answering) => {
      const output = outputOf(answering);
      if (answering.body['store'] !== false) {
        memory.set(`resp_${answering.id}`, [...answering.reading.messages, ...output]);
      }
      return { json: responseOf(answering, output, 'completed'), events: events(answering, output) };
    },
    tooLong: () => ({
      status: 400,
      kind: 'too-long',
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
      param: 'input',
      code: 'context_length_exceeded',
    }),
    errorBody: openaiError,
    errorEvent: (failure) =>
      sse(
        {
          type: 'error',
          code: failure.code ?? failure.kind,
          message: failure.message,
          param: null,
          sequence_number: 99,
        },
        'error',
      ),
  };
}

/** What `POST /v1/responses/compact` answers: all user messages, then one compaction item (R7). */
export function compactedWindow({ messages }: Reading): Json {
  const users = objectsOf(messages).filter(({ role }) => role === 'user');
  const item = { id: 'cmp_local', type: 'compaction', encrypted_content: sealed(users) };
  return { id: 'resp_compact', object: 'response.compaction', created_at: 1_790_000_000, output: [...users, item] };
}

function sealed(value: unknown): string {
  const text = Buffer.from(JSON.stringify(value)).toString('base64');
  return `${text}.${sign(text)}`;
}

function isSealed(value: unknown): boolean {
  const [text = '', signature] = textOf(value).split('.');
  return signature === sign(text);
}

function read(body: Json, memory: ReadonlyMap<string, readonly unknown[]>): Reading | Problem {
  const { model, input, instructions, tools, stream, previous_response_id: previous } = body;
  if (typeof model !== 'string') return problem('model', "Missing required parameter: 'model'.");
  const given = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);
  if (given.length === 0) return problem('input', "Missing required parameter: 'input'.", { param: 'input' });
  const past = typeof previous === 'string' ? memory.get(previous) : [];
  if (past === undefined) {
    const text = `Previous response with id '${textOf(previous)}' not found.`;
    return problem('previous', text, { param: 'previous_response_id', code: 'previous_response_not_found' });
  }
  const messages = [...past, ...given];
  const last = messages.findLastIndex((item) => isObject(item) && COMPACTIONS.includes(textOf(item['type'])));
  const fixed = {
    ...(typeof instructions === 'string' ? { system: instructions } : {}),
    ...(tools === undefined ? {} : { tools }),
  };
  // What stands before the latest compaction item is not shown to the model.
  return { model, stream: stream === true, messages, fixed, ...(last > 0 ? { shown: shownFrom(messages, last) } : {}) };
}

function shownFrom(messages: readonly unknown[], last: number): readonly unknown[] {
  const users = messages.slice(0, last).filter((item) => isObject(item) && item['role'] === 'user');
  return [...users, ...messages.slice(last)];
}

// Written apart from the engine's own rules, so that a mistake there is not repeated here.
function pairingProblem(items: readonly unknown[]): Problem | undefined {
  const calls = new Set<string>();
  const answered = new Set<string>();
  for (const item of objectsOf(items)) {
    const id = textOf(item['call_id']);
    if (item['type'] === 'function_call') calls.add(id);
    if (item['type'] !== 'function_call_output') continue;
    if (!calls.has(id))
      return problem('R1', `No tool call found for function call output with call_id ${id}.`, { param: 'input' });
    if (answered.has(id)) return problem('O3', `Duplicate output for call_id ${id}.`, { param: 'input' });
    answered.add(id);
  }
  const open = [...calls].find((id) => !answered.has(id));
  return open === undefined
    ? undefined
    : problem('R2', `No tool output found for function call ${open}.`, { param: 'input' });
}

function itemProblem(body: Json, memory: ReadonlyMap<string, readonly unknown[]>): Problem | undefined {
  const items = objectsOf(body['input']);
  for (const [at, item] of items.entries()) {
    const { type, id, summary, encrypted_content: hidden } = item;
    if (hidden !== undefined && hidden !== null && !isSealed(hidden)) {
      const text =
        'The encrypted content could not be verified. Reason: Encrypted content could not be decrypted or parsed.';
      return problem('R6', text, { code: 'invalid_encrypted_content' });
    }
    if (type !== 'reasoning') continue;
    if (!Array.isArray(summary)) return problem('R4', `Input[${at}] missing required field \`summary\``);
    if (hidden === undefined && typeof id === 'string' && !isRemembered(id, memory)) {
      return problem('R5', `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`);
    }
    const next = textOf(items[at + 1]?.['type'] ?? items[at + 1]?.['role']);
    if (!['message', 'assistant', 'function_call', 'reasoning'].includes(next)) {
      return problem(
        'R3',
        `Item '${textOf(id)}' of type 'reasoning' was provided without its required following item.`,
      );
    }
  }
  return undefined;
}

function isRemembered(id: string, memory: ReadonlyMap<string, readonly unknown[]>): boolean {
  return [...memory.values()].some((items) => items.some((item) => isObject(item) && item['id'] === id));
}

function outputOf({ id, body, reply, reading, usage }: Answering): readonly Json[] {
  const { text, thinking, calls = [], refusal } = reply;
  const isHidden = listOf(body['include']).includes('reasoning.encrypted_content');
  const words = refusal === undefined ? { type: 'output_text', text, annotations: [] } : { type: 'refusal', refusal };
  return [
    ...compactionOf({ body, reading, usage, id }),
    ...(thinking === undefined
      ? []
      : [
          {
            id: `rs_${id}`,
            type: 'reasoning',
            summary: [{ type: 'summary_text', text: thinking }],
            ...(isHidden ? { encrypted_content: sealed(thinking) } : {}),
          },
        ]),
    ...(text === undefined && refusal === undefined
      ? []
      : [{ id: `msg_${id}`, type: 'message', status: 'completed', role: 'assistant', content: [words] }]),
    ...calls.map(({ name, input, id: own }, at) => ({
      id: `fc_${id}_${at}`,
      type: 'function_call',
      status: 'completed',
      call_id: own ?? `call_${id}_${at}`,
      name,
      arguments: JSON.stringify(input),
    })),
  ];
}

function compactionOf({
  body,
  reading,
  usage,
  id,
}: Pick<Answering, 'body' | 'reading' | 'usage' | 'id'>): readonly Json[] {
  const rule = objectsOf(body['context_management']).find(({ type }) => type === 'compaction');
  const from = rule?.['compact_threshold'];
  if (typeof from !== 'number' || usage.input < from) return [];
  return [{ id: `cmp_${id}`, type: 'compaction', encrypted_content: sealed(reading.messages.length) }];
}

function responseOf({ id, reading, body, reply, usage }: Answering, output: readonly Json[], status: string): Json {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_790_000_000,
    status: reply.isCut && status === 'completed' ? 'incomplete' : status,
    error: null,
    incomplete_details: reply.isCut ? { reason: 'max_output_tokens' } : null,
    instructions: body['instructions'] ?? null,
    model: reading.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: body['previous_response_id'] ?? null,
    store: body['store'] !== false,
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: body['tools'] ?? [],
    metadata: {},
    usage: status === 'in_progress' ? null : usageOf(usage),
  };
}

function usageOf({ input, output, cacheRead, reasoning }: Usage): Json {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead - (cacheRead % 128) },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

function events(answering: Answering, output: readonly Json[]): readonly string[] {
  const all: Json[] = [
    { type: 'response.created', response: responseOf(answering, [], 'in_progress') },
    { type: 'response.in_progress', response: responseOf(answering, [], 'in_progress') },
  ];
  for (const [index, item] of output.entries()) {
    all.push({ type: 'response.output_item.added', output_index: index, item: opened(item) });
    all.push(...deltas(item, index));
    all.push({ type: 'response.output_item.done', output_index: index, item });
  }
  const end = answering.reply.isCut ? 'response.incomplete' : 'response.completed';
  all.push({ type: end, response: responseOf(answering, output, 'completed') });
  return all.map((event, at) => sse({ ...event, sequence_number: at }, textOf(event['type'])));
}

function opened(item: Json): Json {
  if (item['type'] === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item['type'] === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  return item['type'] === 'reasoning' ? { ...item, summary: [] } : item;
}

function deltas(item: Json, index: number): readonly Json[] {
  const place = { item_id: item['id'], output_index: index };
  if (item['type'] === 'function_call') {
    const input = textOf(item['arguments']);
    return [
      ...piecesOf(input, 8).map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
      { type: 'response.function_call_arguments.done', ...place, arguments: input },
    ];
  }
  if (item['type'] === 'reasoning') return summaryDeltas(item, place);
  if (item['type'] !== 'message') return [];
  const [part = {}] = objectsOf(item['content']);
  const isText = part['type'] === 'output_text';
  const text = textOf(isText ? part['text'] : part['refusal']);
  const kind = isText ? 'output_text' : 'refusal';
  const inner = { ...place, content_index: 0 };
  const empty = isText ? { type: kind, text: '', annotations: [] } : { type: kind, refusal: '' };
  return [
    { type: 'response.content_part.added', ...inner, part: empty },
    ...piecesOf(text).map((delta) => ({ type: `response.${kind}.delta`, ...inner, delta })),
    { type: `response.${kind}.done`, ...inner, ...(isText ? { text } : { refusal: text }) },
    { type: 'response.content_part.done', ...inner, part },
  ];
}

function summaryDeltas(item: Json, place: Json): readonly Json[] {
  const [part = {}] = objectsOf(item['summary']);
  const inner = { ...place, summary_index: 0 };
  const text = textOf(part['text']);
  return [
    { type: 'response.reasoning_summary_part.added', ...inner, part: { type: 'summary_text', text: '' } },
    ...piecesOf(text, 8).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...inner, delta })),
    { type: 'response.reasoning_summary_text.done', ...inner, text },
    { type: 'response.reasoning_summary_part.done', ...inner, part },
  ];
}
