import { createHintFinder, type Hint } from './hints.ts';
import { isWholeName, NAMES } from './named.ts';
import { PATTERNS } from './patterns.ts';

/** Topics beside the patterns, which go by their place in the list. */
export const NAMED_TOPIC: number = PATTERNS.length;
export const PRIVATE_KEY_TOPIC: number = PATTERNS.length + 1;

let finder: ((text: string) => ReadonlySet<number>) | undefined;

/** What a text may hold: one pass for all hints is faster than one for each, and nearly all texts hold none. */
export function topicsIn(text: string): ReadonlySet<number> {
  finder ??= createHintFinder(hints());
  return finder(text);
}

function hints(): readonly Hint[] {
  const named = NAMES.map((name) => ({
    text: name,
    topic: NAMED_TOPIC,
    isFolded: true,
    isStart: isWholeName(name),
    isFollowed: mayEndName,
  }));
  const known = PATTERNS.flatMap(({ hints: texts, anywhere = false }, topic) =>
    texts.map((text) => ({ text, topic, isFolded: anywhere, isStart: !anywhere })),
  );
  const key = { text: '-----BEGIN ', topic: PRIVATE_KEY_TOPIC, isFolded: false, isStart: false };
  // Folded ones come first: the others then share their beginnings, whatever the case.
  return [...named, ...known, key].sort((one, other) => Number(other.isFolded) - Number(one.isFolded));
}

// A quote, a bracket, a sign or white space; anything else makes another word of the name.
function mayEndName(code: number): boolean {
  return (
    code >= 128 || code <= 32 || code === 34 || code === 39 || code === 58 || code === 61 || code === 92 || code === 93
  );
}
