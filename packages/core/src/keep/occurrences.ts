/** Where values are looked for, made when it is needed: texts, and the identifiers that stand in them, as one text. */
export type Haystack = { readonly texts: () => readonly string[]; readonly names: () => string };

/**
 * Which of some values stand in some texts as whole words: `450` does not stand in `45000`. One pass over the texts for
 * many values, and one over the names for each of a few that may be parts of longer ones.
 */
export function occurringIn(values: readonly string[], { texts, names }: Haystack): ReadonlySet<string> {
  const found = new Set<string>();
  const parts = values.filter((value) => PART.test(value)).slice(0, MOST_PARTS);
  for (const value of parts) if (names().includes(value)) found.add(value);
  const missing = new Set(values.filter((value) => !found.has(value)));
  if (missing.size === 0) return found;
  if (missing.size <= FEW) searchForEach(missing, texts(), found);
  else searchForAll(missing, texts(), found);
  return found;
}

// A search for one value goes through megabytes several times faster than the pass for all.
const FEW = 8;

function searchForEach(values: ReadonlySet<string>, texts: readonly string[], found: Set<string>): void {
  for (const value of values) {
    const marks = marksOf(value);
    // What has no word in it stands nowhere as one.
    if (marks < value.length && texts.some((text) => holdsWord(text, value, marks))) found.add(value);
  }
}

function holdsWord(text: string, value: string, marks: number): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const isStart = marks > 0 || at === 0 || !isWord(text.charCodeAt(at - 1));
    if (isStart && standsAt(text, value, at)) return true;
  }
  return false;
}

function searchForAll(values: ReadonlySet<string>, texts: readonly string[], found: Set<string>): void {
  const wanted = byFirstWord(values);
  for (const text of texts) searchText(text, wanted, found);
}

// The start of a hash, or the end of a long name, is known wherever it stands.
const PART = /^[0-9a-f]{7,40}$|^(?=.*[a-z])[A-Za-z_]{8,}$/;
const MOST_PARTS = 60;

type Wanted = ReadonlyMap<number, readonly string[]>;

// More values with one first word than this would make hostile texts slow: they count as not found.
const MOST_ALIKE = 24;

function byFirstWord(values: ReadonlySet<string>): Wanted {
  const wanted = new Map<number, string[]>();
  for (const value of values) {
    const hash = firstHash(value);
    const alike = wanted.get(hash) ?? [];
    if (alike.length < MOST_ALIKE) alike.push(value);
    wanted.set(hash, alike);
  }
  return wanted;
}

/** Hash of the run of word characters a value begins with, behind any marks. */
function firstHash(value: string): number {
  let hash = 0;
  for (let at = marksOf(value); at < value.length && isWord(value.charCodeAt(at)); at += 1) {
    hash = (Math.imul(hash, 31) + value.charCodeAt(at)) | 0;
  }
  return hash;
}

function marksOf(value: string): number {
  let at = 0;
  while (at < value.length && !isWord(value.charCodeAt(at))) at += 1;
  return at;
}

function searchText(text: string, wanted: Wanted, found: Set<string>): void {
  let hash = 0;
  let start = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 32;
    if (isWord(code)) {
      if (start < 0) start = at;
      hash = (Math.imul(hash, 31) + code) | 0;
    } else if (start >= 0) {
      for (const value of wanted.get(hash) ?? []) {
        if (!found.has(value) && standsAt(text, value, start - marksOf(value))) found.add(value);
      }
      start = -1;
      hash = 0;
    }
  }
}

function standsAt(text: string, value: string, at: number): boolean {
  if (at < 0 || !text.startsWith(value, at)) return false;
  const end = at + value.length;
  if (end < text.length && isWord(text.charCodeAt(end)) && isWord(text.charCodeAt(end - 1))) return false;
  return !isNumber(value) || !isInNumber(text, at, end);
}

function isNumber(value: string): boolean {
  return /^[\d.,]+$/.test(value);
}

// `450` is not in `1,450` nor in `450.5`.
function isInNumber(text: string, at: number, end: number): boolean {
  return /\d[.,]$/.test(text.slice(Math.max(at - 2, 0), at)) || /^[.,]\d/.test(text.slice(end, end + 2));
}

function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || code > 127
  );
}
