import type { Violation } from '../../model/format.ts';
import { isObject, stringOf } from '../native.ts';
import { errorAt, holdsLoneSurrogate, portabilityAt } from '../violations.ts';
import { contentOf, dataOf, isSigned, type PartData, type Side } from './fields.ts';

// Left out: unknown keys (G5; the set of keys grows with each API version) and signatures of another service (G7; the
// list does not tell where it goes). Calls at the very end are pending, not unanswered.

type Turn = {
  readonly at: number;
  /** `undefined` where the entry is no content. */
  readonly side: Side | undefined;
  readonly parts: readonly { readonly native: unknown; readonly data: readonly PartData[] }[];
  readonly calls: number;
  readonly responses: number;
};

type Place = { readonly turn: Turn; readonly previous: Turn | undefined; readonly next: Turn | undefined };

/** The Gemini rules G1 to G8 that the contents break, in order of position. */
export function validate(natives: readonly unknown[]): readonly Violation[] {
  const turns = Array.from(natives, readTurn);
  const signedFrom = turns.some(hasSignedCall) ? turns.findLastIndex(startsTurn) : turns.length;
  return turns.flatMap((turn, at) => {
    const place = { turn, previous: turns[at - 1], next: turns[at + 1] };
    const found = [...pairing(place), ...order(place), ...shape(turn)];
    if (at >= signedFrom && lacksSignature(turn)) found.push(errorAt(at, 'G6', 'call without thoughtSignature'));
    return found;
  });
}

function readTurn(native: unknown, at: number): Turn {
  const content = contentOf(native);
  const parts = (content?.parts ?? []).map((part) => ({ native: part, data: dataOf(part) }));
  const count = (field: string): number => parts.filter(({ data }) => data[0]?.field === field).length;
  return { at, side: content?.side, parts, calls: count('functionCall'), responses: count('functionResponse') };
}

function hasSignedCall({ parts }: Turn): boolean {
  return parts.some(({ native, data }) => data[0]?.field === 'functionCall' && isSigned(native));
}

// Rule G7: a content that mixes a response with text does not start a turn.
function startsTurn({ side, parts, responses }: Turn): boolean {
  return side === 'user' && responses === 0 && parts.length > 0;
}

// Gemini 2.5 signs the first part of an answer whatever it is; only thoughts do not stand for their call.
function lacksSignature({ side, parts }: Turn): boolean {
  const first = parts.findIndex(({ data }) => data[0]?.field === 'functionCall');
  const upToCall = parts.slice(0, first + 1);
  return side === 'model' && first >= 0 && !upToCall.some(({ native }) => isSigned(native) && !isThought(native));
}

function isThought(part: unknown): boolean {
  return isObject(part) && part['thought'] === true;
}

function* pairing({ turn, previous, next }: Place): Generator<Violation> {
  const { at, calls, responses } = turn;
  if (calls > 0 && next && next.responses !== calls) {
    yield errorAt(at, 'G1', `${calls} calls, ${next.responses} responses in the next content`);
  }
  if (calls > 0 && previous?.side !== 'user') yield errorAt(at, 'G2', 'calls after no user message');
  if (responses > 0 && !previous?.calls) yield errorAt(at, 'G3', 'responses after no calls');
}

function* order({ turn: { at, side }, previous, next }: Place): Generator<Violation> {
  if (!side) return;
  if (!previous && side === 'model') yield errorAt(at, 'G4', 'starts with a model message');
  if (previous?.side === side) yield portabilityAt(at, 'G4', `two ${side} messages in a row`);
  if (!next && side === 'model') yield portabilityAt(at, 'G4', 'ends with a model message');
}

function* shape({ at, side, parts }: Turn): Generator<Violation> {
  if (!side) yield errorAt(at, 'G5', 'not a message of a known role');
  else if (parts.length === 0) yield errorAt(at, 'G5', 'content array is empty');
  for (const [index, { native, data }] of parts.entries()) {
    const where = `parts[${index}]`;
    if (data.length !== 1) yield errorAt(at, 'G5', `${where} has ${data.length} data fields`);
    // Vertex: "it has an empty text parameter". With a signature it is how streams end, and valid.
    else if (data[0]?.value === '' && !isSigned(native)) yield portabilityAt(at, 'G5', `${where} has empty text`);
    for (const one of data) yield* valueFaults(one, (detail) => errorAt(at, 'G8', `${where}.${one.field}${detail}`));
  }
}

function* valueFaults({ field, value }: PartData, error: (detail: string) => Violation): Generator<Violation> {
  const isText = field === 'text';
  if (isText ? typeof value !== 'string' : !isObject(value)) yield error(` is of type ${typeof value}`);
  const key = field === 'functionCall' ? 'args' : 'response';
  const isTool = isObject(value) && (field === 'functionCall' || field === 'functionResponse');
  const body = isTool ? (value[key] ?? undefined) : isText ? value : undefined;
  if (isTool && !stringOf(value['name'])) yield error(' has no name');
  if (isTool && body === undefined && key === 'response')
    yield { ...error(' has no response'), severity: 'portability' };
  if (isTool && body !== undefined && !isObject(body)) yield error(`.${key} is no object`);
  if (holdsLoneSurrogate(body)) yield error(' has a lone surrogate');
}
