import type { IncomingHttpHeaders } from 'node:http';
import { geminiError } from './errors.ts';
import { isObject, listOf, objectsOf, piecesOf, problem, sign, sse, textOf } from './json.ts';
import type { Answer, Answering, Json, Problem, Reading, ReplyCall, Usage, Wire } from './types.ts';

/** Gemini generateContent and streamGenerateContent. */
export const gemini: Wire = {
  dialect: 'gemini',
  keyOf,
  read,
  check: ({ messages, model }) =>
    pairingProblem(messages) ?? shapeProblem(messages) ?? signatureProblem(messages, model),
  answer,
  tooLong: (tokens, window) => ({
    status: 400,
    kind: 'too-long',
    message: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
  }),
  errorBody: geminiError,
  errorEvent: (failure) => sse(geminiError(failure)),
};

function keyOf(headers: IncomingHttpHeaders, path: string): string | undefined {
  const key = headers['x-goog-api-key'];
  return typeof key === 'string' ? key : (new URL(path, 'http://local').searchParams.get('key') ?? undefined);
}

function read(body: Json, path: string): Reading | Problem {
  const [, model = '', method] = /models\/([^/:]+):(\w+)/.exec(path) ?? [];
  const { contents, systemInstruction, system_instruction: spelled, tools } = body;
  if (!Array.isArray(contents) || contents.length === 0) {
    return problem('G5', '* GenerateContentRequest.contents: contents is not specified');
  }
  const system = systemInstruction ?? spelled;
  const fixed = { ...(system === undefined ? {} : { system }), ...(tools === undefined ? {} : { tools }) };
  return { model, stream: method === 'streamGenerateContent', messages: contents, fixed };
}

type Side = { readonly role: string; readonly calls: number; readonly responses: number };

function sideOf(content: unknown): Side {
  const parts = objectsOf(isObject(content) ? content['parts'] : undefined);
  return {
    role: textOf(isObject(content) ? content['role'] : '') || 'user',
    calls: parts.filter((part) => isObject(part['functionCall'])).length,
    responses: parts.filter((part) => isObject(part['functionResponse'])).length,
  };
}

// Written apart from the engine's own rules, so that a mistake there is not repeated here.
function pairingProblem(contents: readonly unknown[]): Problem | undefined {
  const sides = contents.map(sideOf);
  for (const [at, { role, calls, responses }] of sides.entries()) {
    const [previous, next] = [sides[at - 1], sides[at + 1]];
    if (responses > 0 && !previous?.calls) {
      return problem('G3', 'Please ensure that function response turn comes immediately after a function call turn.');
    }
    if (calls > 0 && (next?.responses ?? 0) !== calls) {
      return problem(
        'G1',
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    }
    if (calls > 0 && (previous?.role !== 'user' || role !== 'model')) {
      return problem(
        'G2',
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
    }
  }
  return namesProblem(contents);
}

function namesProblem(contents: readonly unknown[]): Problem | undefined {
  let asked: string[] = [];
  for (const content of contents.filter(isObject)) {
    const parts = objectsOf(content['parts']);
    const named = (field: string): string[] =>
      parts.flatMap((part) => (isObject(part[field]) ? [textOf(part[field]['name'])] : [])).sort();
    const answered = named('functionResponse');
    if (answered.length > 0 && answered.join() !== asked.join()) {
      return problem('G1', 'Please ensure that function response parts name the functions of the function call turn.');
    }
    asked = named('functionCall');
  }
  return undefined;
}

function shapeProblem(contents: readonly unknown[]): Problem | undefined {
  for (const [at, content] of contents.entries()) {
    const parts = listOf(isObject(content) ? content['parts'] : undefined);
    if (parts.length === 0)
      return problem('G5', `* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`);
    if (!parts.every(hasData)) {
      return problem(
        'G5',
        `* GenerateContentRequest.contents[${at}].parts[0].data: required oneof field 'data' must have one initialized field`,
      );
    }
  }
  if (sideOf(contents[0]).role !== 'user')
    return problem('G4', 'Please ensure that multiturn requests start with a user turn.');
  return undefined;
}

const DATA = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
];

function hasData(part: unknown): boolean {
  return isObject(part) && DATA.filter((field) => part[field] !== undefined).length === 1;
}

function signatureProblem(contents: readonly unknown[], model: string): Problem | undefined {
  if (!model.startsWith('gemini-3')) return undefined;
  const from = contents.findLastIndex((content) => {
    const { role, responses } = sideOf(content);
    return role === 'user' && responses === 0;
  });
  for (const [at, content] of contents.entries()) {
    const parts = objectsOf(isObject(content) ? content['parts'] : undefined);
    const call = parts.find((part) => isObject(part['functionCall']));
    if (call === undefined) continue;
    const signature = call['thoughtSignature'];
    const own = sign(
      textOf((call['functionCall'] as Json)['name']),
      JSON.stringify((call['functionCall'] as Json)['args']),
    );
    if (signature !== undefined && signature !== own && signature !== 'skip_thought_signature_validator') {
      return problem('G6', 'Thought signature is not valid');
    }
    if (at > from && signature === undefined) {
      return problem(
        'G6',
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${textOf((call['functionCall'] as Json)['name'])}\`, position ${at + 1}.`,
      );
    }
  }
  return undefined;
}

function answer(answering: Answering): Answer {
  const { reply, path } = answering;
  const parts = partsOf(answering);
  const finish = reply.refusal !== undefined ? 'SAFETY' : reply.isCut ? 'MAX_TOKENS' : 'STOP';
  const whole = response(answering, parts, finish);
  const texts = parts.flatMap((part) =>
    typeof part['text'] === 'string' ? piecesOf(part['text'], 20).map((text) => ({ ...part, text })) : [part],
  );
  const bodies = texts.map((part, at) => response(answering, [part], at === texts.length - 1 ? finish : undefined));
  // Without `alt=sse` the stream is one JSON array.
  const isArray = !/[?&]alt=sse/.test(path);
  const events = isArray
    ? bodies.map(
        (body, at) => `${at === 0 ? '[' : ',\r\n'}${JSON.stringify(body)}${at === bodies.length - 1 ? ']' : ''}`,
      )
    : bodies.map((body) => sse(body));
  return { json: whole, events, contentType: isArray ? 'application/json' : 'text/event-stream' };
}

function partsOf({ reply, reading }: Answering): readonly Json[] {
  const { text, thinking, calls = [], refusal } = reply;
  const words = refusal ?? text;
  const parts = [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
    ...(words === undefined ? [] : [{ text: words }]),
    ...calls.map((call, at) => callPart(call, at === 0 && reading.model.startsWith('gemini-3'))),
  ];
  return parts.length > 0 ? parts : [{ text: '' }];
}

function callPart({ name, input }: ReplyCall, isSigned: boolean): Json {
  const call = { functionCall: { name, args: input } };
  return isSigned ? { ...call, thoughtSignature: sign(name, JSON.stringify(input)) } : call;
}

function response({ id, reading, usage }: Answering, parts: readonly Json[], finish: string | undefined): Json {
  return {
    candidates: [
      { content: { parts, role: 'model' }, ...(finish === undefined ? {} : { finishReason: finish }), index: 0 },
    ],
    usageMetadata: usageOf(usage),
    modelVersion: reading.model,
    responseId: `resp-${id}`,
  };
}

function usageOf({ input, output, cacheRead, reasoning }: Usage): Json {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    totalTokenCount: input + output,
    ...(cacheRead > 0 ? { cachedContentTokenCount: cacheRead } : {}),
    ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
  };
}
