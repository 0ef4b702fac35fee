import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { isObject, textOf } from './json.ts';
import type { Reading, Unit } from './types.ts';

// Long runs of one character take the tokenizer quadratic time.
const SLICE = 2000;
const TOKENS_OF_MEDIA = 800;
const TOKENS_AROUND_MESSAGE = 4;
const MOST_KNOWN = 50_000;

const known = new Map<string, Unit>();

/** System prompt, tools and messages with their tokens, counted by a tokenizer the engine does not use. */
export function unitsOf(reading: Reading): readonly Unit[] {
  const { fixed, messages, shown = messages } = reading;
  return [fixed.tools, fixed.system, ...shown].filter((each) => each !== undefined).map(unitOf);
}

function unitOf(native: unknown): Unit {
  const text = JSON.stringify(native) ?? '';
  const counted = known.get(text);
  if (counted) return counted;
  const unit = {
    text,
    tokens: TOKENS_AROUND_MESSAGE + tokensOf(native),
    isCacheMark: text.includes('"cache_control"'),
  };
  if (known.size > MOST_KNOWN) known.clear();
  known.set(text, unit);
  return unit;
}

/** Tokens of a text. */
export function tokensOfText(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += SLICE) tokens += countTokens(text.slice(at, at + SLICE));
  return tokens;
}

function tokensOf(value: unknown): number {
  if (typeof value === 'string') return tokensOfText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return 1;
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + tokensOf(each), 0);
  if (!isObject(value)) return 0;
  if (isMedia(value)) return TOKENS_OF_MEDIA;
  let tokens = 0;
  for (const [key, each] of Object.entries(value)) {
    // A signature is not shown to the model.
    if (key === 'signature' || key === 'thoughtSignature' || key === 'cache_control') continue;
    tokens += tokensOf(each) + (key === 'type' || key === 'role' || key === 'content' || key === 'text' ? 0 : 1);
  }
  return tokens;
}

function isMedia(value: Readonly<Record<string, unknown>>): boolean {
  const type = textOf(value['type']);
  return (
    ['image', 'image_url', 'input_image', 'input_file', 'document'].includes(type) || isObject(value['inlineData'])
  );
}
