import { isObject, listOf } from '../../formats/native.ts';
import { builders } from '../builders.ts';
import { imagePayload, signatureOf } from '../payload.ts';
import type { CallsStep, PromptStep } from '../script.ts';
import {
  type AnsweredCall,
  answeredCalls,
  type Dialect,
  idsOf,
  namedCalls,
  type Piece,
  type Placed,
  piece,
  TOOL_SCHEMA,
} from './piece.ts';

const { user, result } = builders.gemini;

/** Gemini's contents: calls pair by position, one model content between two of the user, the first call signed. */
export const geminiDialect: Dialect = {
  render: (placed) => {
    const { step, at } = placed;
    switch (step.kind) {
      case 'prompt':
        return [piece(at, prompt(step), { isPrompt: true })];
      case 'system':
      case 'compaction':
        return [];
      case 'answer':
        return [piece(at, model([...thought(step.reasoning), { text: step.text }]), { isAnswer: true })];
      case 'calls':
        return callPieces({ ...placed, step });
      case 'server-tool': {
        const code = { executableCode: { language: 'PYTHON', code: step.query } };
        const output = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: step.found } };
        return [piece(at, model([code, output, { text: step.text }]), { isAnswer: true })];
      }
      case 'orphan-result':
        return [piece(at, result('', 'nobody', step.text))];
      default:
        return step satisfies never;
    }
  },
  join: (pieces) => withUserFirst(merged(pieces)),
  system: (text) => ({ parts: [{ text }] }),
  tools: (names) => [{ functionDeclarations: names.map((name) => ({ name, parameters: TOOL_SCHEMA })) }],
};

function model(parts: readonly unknown[]): unknown {
  return { role: 'model', parts };
}

function prompt({ text, images }: PromptStep): unknown {
  return images.length === 0 ? user(text) : { role: 'user', parts: [{ text }, ...images.map(image)] };
}

function image(length: number): object {
  return { inlineData: { mimeType: 'image/png', data: imagePayload(length) } };
}

function thought(text: string | undefined): readonly object[] {
  return text === undefined ? [] : [{ text, thought: true }];
}

function callPieces(placed: Placed<CallsStep>): readonly Piece[] {
  const { step, at, thinking } = placed;
  const calls = namedCalls(placed);
  const spoken = step.text === '' && calls.length > 0 ? [] : [{ text: step.text }];
  const parts = calls.map(({ name, input }, index) => ({
    functionCall: { name, args: input },
    // Parallel calls: only the first carries it (G6).
    ...(thinking === 'signed' && index === 0 ? { thoughtSignature: signatureOf(name, at) } : {}),
  }));
  const answered = answeredCalls(placed);
  const aside = step.aside === undefined ? [] : [{ text: step.aside }];
  const reply = [...answered.map(response), ...aside];
  const note = {
    results: idsOf(answered),
    isPrompt: answered.length === 0 && aside.length > 0,
    isAside: answered.length > 0 && aside.length > 0,
  };
  return [
    piece(at, model([...thought(step.reasoning), ...spoken, ...parts]), { calls: idsOf(calls) }),
    ...(reply.length === 0 ? [] : [piece(at, { role: 'user', parts: reply }, note)]),
  ];
}

function response({ name, result: { text, isError, image: length } }: AnsweredCall): object {
  const attached = length === undefined ? {} : { parts: [image(length)] };
  return { functionResponse: { name, response: { [isError ? 'error' : 'output']: text }, ...attached } };
}

// A call content must follow one of the user (G2), so what the model says in a row is one content.
function merged(pieces: readonly Piece[]): readonly Piece[] {
  const contents: Piece[] = [];
  for (const next of pieces) {
    const last = contents.at(-1);
    const isSame = last !== undefined && isModel(last.native) && isModel(next.native);
    if (isSame) contents.pop();
    contents.push(isSame ? both(last, next) : next);
  }
  return contents;
}

function both(last: Piece, next: Piece): Piece {
  const parts = [...partsOf(last.native), ...partsOf(next.native)];
  return { native: model(parts), note: { ...next.note, calls: [...last.note.calls, ...next.note.calls] } };
}

// G4: contents start with the user.
function withUserFirst(pieces: readonly Piece[]): readonly Piece[] {
  const [first] = pieces;
  if (first === undefined || !isModel(first.native)) return pieces;
  return [piece(0, user('Go on.'), { isPrompt: true }), ...pieces];
}

function isModel(native: unknown): boolean {
  return isObject(native) && native['role'] === 'model';
}

function partsOf(native: unknown): readonly unknown[] {
  return isObject(native) ? listOf(native['parts']) : [];
}
