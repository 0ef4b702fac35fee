import { createHintFinder, type Hint, type HintFinder } from './hints.ts';
import { isWholeName, NAMES } from './named.ts';
import { PATTERNS } from './patterns.ts';

/** Topics beside the patterns, which go by their place in the list. */
export const NAMED_TOPIC: number = PATTERNS.length;
export const PRIVATE_KEY_TOPIC: number = PATTERNS.length + 1;

let finder: HintFinder | undefined;

/** What a text may hold: one pass for all hints is faster than one for each, and nearly all texts hold none. */
export function topicsIn(text: string): ReadonlySet<number> {
  return theFinder().topicsIn(text);
}

/** Whether a text may hold a secret. */
export function isSuspect(text: string): boolean {
  return theFinder().isSuspect(text);
}

function theFinder(): HintFinder {
  finder ??= createHintFinder(hints());
  return finder;
}

function hints(): readonly Hint[] {
  const named = NAMES.map((name) => ({
    text: name,
    topic: NAMED_TOPIC,
    isFolded: true,
    isStart: isWholeName(name),
    isFollowed: mayEndName,
  }));
  const known = PATTERNS.flatMap(({ hints: texts, anywhere = false, isFollowed }, topic) =>
    texts.map((text) => ({
      text,
      topic,
      isFolded: anywhere === true,
      isStart: anywhere === false,
      ...(isFollowed === undefined ? {} : { isFollowed }),
    })),
  );
  const key = { text: '-----BEGIN ', topic: PRIVATE_KEY_TOPIC, isFolded: false, isStart: false };
  // Folded ones come first: the others then share their beginnings, whatever the case.
  return [...named, ...known, key].sort((one, other) => Number(other.isFolded) - Number(one.isFolded));
}

// A quote, a bracket or a sign; behind white space a sign or a verb, unless it is a flag and its value. Anything else
// makes another word of the name.
function mayEndName(bytes: Uint8Array, start: number, end: number): boolean {
  const code = bytes[end] ?? 0;
  if (code === 0) return false;
  if (code > 32) return code >= 128 || ENDS.has(code);
  const next = bytes[end + 1] ?? 0;
  const last = next <= 32 ? (bytes[end + 2] ?? 0) : next;
  return last >= 128 || SIGNS.has(last) || isVerb(bytes, end + 1) || isFlag(bytes, start);
}

const ENDS = new Set(codes(`"':=\\]`));
const SIGNS = new Set(codes(':='));
const LONGEST_NAME = 41;

function codes(text: string): readonly number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0));
}

// `is`, `ist`, `was` or `lautet`: the fifth bit of a letter is its case.
function isVerb(bytes: Uint8Array, at: number): boolean {
  return VERBS.some((verb) => verb.every((code, index) => ((bytes[at + index] ?? 0) | 32) === code));
}

const VERBS = ['is', 'was', 'lautet'].map(codes);

function isFlag(bytes: Uint8Array, start: number): boolean {
  for (let at = start - 1; at > 0 && start - at <= LONGEST_NAME && (bytes[at] ?? 0) > 32; at -= 1) {
    if (bytes[at] === DASH && bytes[at - 1] === DASH) return true;
  }
  return false;
}

const DASH = 45;
