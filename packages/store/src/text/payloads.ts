import { createHash } from 'node:crypto';
import { StoreError } from '../model/errors.ts';

/** A long string literal taken out of a JSON text: where it stood in what is left, and its content. */
export type Hole = { readonly at: number; readonly hash: string; readonly text: string };

/** A JSON text without its long literals. */
export type Split = { readonly rest: string; readonly holes: readonly Hole[] };

// Below this a reference costs more than it saves.
const LONG = 2048;

/**
 * Takes long string literals (tool outputs, media) out of a JSON text, so that each is stored once by its content.
 * Works on the characters, never on parsed values: joining gives the very text.
 */
export function splitPayloads(json: string): Split {
  if (json.length < LONG) return { rest: json, holes: [] };
  const kept: string[] = [];
  const holes: Hole[] = [];
  let keptLength = 0;
  let done = 0;
  for (let open = json.indexOf('"'); open >= 0; ) {
    const close = closingQuote(json, open + 1);
    if (close < 0) break;
    if (close - open > LONG) {
      kept.push(json.slice(done, open + 1));
      keptLength += open + 1 - done;
      const text = json.slice(open + 1, close);
      holes.push({ at: keptLength, hash: payloadHash(text), text });
      done = close;
    }
    open = json.indexOf('"', close + 1);
  }
  return holes.length === 0 ? { rest: json, holes } : { rest: `${kept.join('')}${json.slice(done)}`, holes };
}

/** A text without its literals, and what to do where they are not all there. */
export type Torn = {
  readonly id: string;
  readonly rest: string;
  readonly holes: number;
  readonly remedy: string;
};

/** Puts the literals back, all of them: a text with one missing would look whole. */
export function wholeText(
  { id, rest, holes, remedy }: Torn,
  payloads: readonly { readonly at: number; readonly text: string }[],
): string {
  if (payloads.length === holes) return joinPayloads(rest, payloads);
  throw new StoreError('corrupt', `Message ${JSON.stringify(id)} has lost a payload; ${remedy}.`);
}

/** Puts literals into the text they were taken from. */
export function joinPayloads(rest: string, holes: readonly { readonly at: number; readonly text: string }[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { at, text } of holes) {
    pieces.push(rest.slice(done, at), text);
    done = at;
  }
  pieces.push(rest.slice(done));
  return pieces.join('');
}

function closingQuote(json: string, from: number): number {
  for (let quote = json.indexOf('"', from); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (json[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote;
  }
  return -1;
}

/** What tells a payload from every other: by it each is stored once. */
export function payloadHash(text: string): string {
  return createHash('sha256').update(text, 'utf16le').digest('base64url');
}
