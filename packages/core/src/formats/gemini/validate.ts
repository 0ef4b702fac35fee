import type { Severity, Violation } from '../../model/format.ts';
import { isObject, type Native, stringOf } from '../native.ts';
import { holdsLoneSurrogate } from '../violations.ts';
import { contentOf, dataOf, isSigned, type PartData, type Side } from './fields.ts';

// Left out: unknown keys (G5; the set of keys grows with each API version) and signatures of another service (G7; the
// list does not tell where it goes). Calls at the very end are pending, not unanswered.

type Finding = readonly [rule: string, severity: Severity, detail: string];

type Turn = {
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
    const findings = [...pairing(place), ...order(place), ...shape(turn), ...values(turn)];
    if (at >= signedFrom && lacksSignature(turn)) findings.push(['G6', 'error', 'first call has no thoughtSignature']);
    return findings.map(([rule, severity, detail]) => ({ rule, severity, at, detail }));
  });
}

function readTurn(native: unknown): Turn {
  const content = contentOf(native);
  const parts = (content?.parts ?? []).map((part) => ({ native: part, data: dataOf(part) }));
  const count = (field: string): number => parts.filter(({ data }) => data[0]?.field === field).length;
  return { side: content?.side, parts, calls: count('functionCall'), responses: count('functionResponse') };
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

function* pairing({ turn, previous, next }: Place): Generator<Finding> {
  const { calls, responses } = turn;
  if (calls > 0 && next && next.responses !== calls) {
    yield ['G1', 'error', `${calls} calls, ${next.responses} responses in the next content`];
  }
  if (calls > 0 && previous?.side !== 'user') yield ['G2', 'error', 'calls do not follow a user or response content'];
  if (responses > 0 && !previous?.calls) yield ['G3', 'error', 'responses do not follow a call content'];
}

function* order({ turn, previous, next }: Place): Generator<Finding> {
  if (!turn.side) return;
  if (!previous && turn.side === 'model') yield ['G4', 'error', 'starts with a model content'];
  if (previous?.side === turn.side) yield ['G4', 'portability', `two ${turn.side} contents in a row`];
  if (!next && turn.side === 'model') yield ['G4', 'portability', 'ends with a model content'];
}

function* shape({ side, parts }: Turn): Generator<Finding> {
  if (!side) yield ['G5', 'error', 'no content with role user, model or function'];
  else if (parts.length === 0) yield ['G5', 'error', 'no parts'];
  for (const [at, { native, data }] of parts.entries()) {
    if (data.length !== 1) yield ['G5', 'error', `parts[${at}] has ${data.length} data fields`];
    // Vertex: "it has an empty text parameter". With a signature it is how streams end, and valid.
    else if (data[0]?.value === '' && !isSigned(native)) yield ['G5', 'portability', `parts[${at}] has empty text`];
  }
}

function* values({ parts }: Turn): Generator<Finding> {
  const fields = parts.flatMap(({ data }, at) => data.map((one) => ({ ...one, where: `parts[${at}].${one.field}` })));
  for (const { field, value, where } of fields) {
    if (field === 'text' ? typeof value !== 'string' : !isObject(value))
      yield ['G8', 'error', `${where} has a wrong type`];
    else if (field === 'text' && holdsLoneSurrogate(value)) yield ['G8', 'error', `${where} has a lone surrogate`];
    else if (isObject(value) && field === 'functionCall') yield* struct(value, where, 'args');
    else if (isObject(value) && field === 'functionResponse') yield* struct(value, where, 'response');
  }
}

function* struct(native: Native, where: string, key: 'args' | 'response'): Generator<Finding> {
  const body = native[key] ?? undefined;
  if (!stringOf(native['name'])) yield ['G8', 'error', `${where} has no name`];
  if (body === undefined && key === 'response') yield ['G8', 'portability', `${where} has no response`];
  if (body !== undefined && !isObject(body)) yield ['G8', 'error', `${where}.${key} is no object`];
  if (holdsLoneSurrogate(body)) yield ['G8', 'error', `${where} has a lone surrogate`];
}
