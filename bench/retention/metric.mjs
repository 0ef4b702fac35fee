// Future-reference recall. Written apart from packages/core/src/facts: the measure must not share the patterns it judges.

/** Identifier classes, first match wins at a position. All linear: no quantifier inside a quantifier. */
const CLASSES = [
  ['url', /\bhttps?:\/\/[^\s"'`<>()[\]{}|\\]+/g],
  ['path', /(?:[A-Za-z]:)?[\w.@~+-]*\/[\w.@~+/-]*[\w]/g],
  [
    'file',
    /\b[\w-]+\.(?:[jt]sx?|[cm]js|py|go|rs|md|json|ya?ml|toml|sh|txt|css|html|java|rb|c|h|cpp|lock|log|sql|proto)\b/g,
  ],
  [
    'hash',
    /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64})\b/g,
  ],
  ['flag', /(?<![\w-])--[a-z][\w-]*[\w]/g],
  ['error', /\b(?:E[A-Z]{4,}|[A-Z]+\d{3,}|[A-Z][A-Za-z]*(?:Error|Exception)|HTTP [45]\d\d|exit code \d+)\b/g],
  ['constant', /\b[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b/g],
  ['id', /\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+[_-][\w-]*\w\b/g],
  ['symbol', /\b(?:[a-z]+[a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z][a-z0-9]*_\w*[a-z0-9]|[A-Za-z]\w*(?=\(\)))/g],
  ['number', /(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w.])/g],
];

/** Identifiers of a text: key → class. A path is known by its last two segments, so that a shorter spelling still counts. */
export function identifiers(text) {
  const found = new Map();
  for (const [kind, pattern] of CLASSES) {
    for (const { 0: raw } of text.matchAll(pattern)) {
      const key = normalize(kind, raw);
      if (key !== undefined && !found.has(key)) found.set(key, kind === 'file' ? 'path' : kind);
    }
  }
  return found;
}

function normalize(kind, raw) {
  if (kind === 'path') {
    const segments = raw.split('/').filter((part) => part !== '' && part !== '.' && part !== '..' && part !== '~');
    const key = segments
      .slice(-2)
      .join('/')
      .replace(/[.:,]+$/, '');
    return key.length >= 4 && /[A-Za-z]/.test(key) ? key : undefined;
  }
  if (kind === 'url') return raw.replace(/[.,:;)]+$/, '');
  if (kind === 'number') {
    const digits = raw.replace(/\D/g, '');
    if (digits.length < 3 || /^(?:19|20)\d\d$/.test(raw) || /^\d0+$/.test(digits) || POWERS.has(digits))
      return undefined;
    return raw.replace(/,+$/, '');
  }
  return raw.length >= 4 && raw.length <= 120 ? raw : undefined;
}

const POWERS = new Set(['128', '256', '512', '1024', '2048', '4096', '8192', '404', '200', '500']);

/** Whole-word positions of a key. */
export function occurrences(text, key, limit = 200) {
  const at = [];
  for (let from = text.indexOf(key); from >= 0 && at.length < limit; from = text.indexOf(key, from + 1)) {
    if (!isWord(text[from - 1], key[0]) && !isWord(text[from + key.length], key.at(-1))) at.push(from);
  }
  return at;
}

const isWord = (outside, inside) => outside !== undefined && /\w/.test(outside) && /\w/.test(inside);

const NEAR = 80;
const STOP = new Set(
  'the and for with that this from are was were has have had not but you your its will can all any into out our let now new use'.split(
    ' ',
  ),
);

/** Plain words near a position: letters only, not part of an identifier, no stop words. */
export function wordsNear(text, at, length) {
  const start = Math.max(0, at - NEAR);
  const words = new Set();
  for (const part of [text.slice(start, at), text.slice(at + length, at + length + NEAR)]) {
    for (const { 0: word, index } of part.matchAll(/[A-Za-z][a-z]{2,}/g)) {
      const before = part[index - 1] ?? ' ';
      const after = part[index + word.length] ?? ' ';
      if (/[\w/.$-]/.test(before) || /[\w/$-]/.test(after)) continue;
      const lower = word.toLowerCase();
      if (!STOP.has(lower)) words.add(lower);
    }
  }
  return words;
}

/** Whether the key survives at all, and whether with at least two plain words it stood near originally. */
export function survival(key, original, kept) {
  const places = occurrences(kept, key);
  if (places.length === 0) return { present: false, inContext: false };
  const known = new Set();
  for (const at of occurrences(original, key)) for (const word of wordsNear(original, at, key.length)) known.add(word);
  const inContext = places.some((at) => {
    let shared = 0;
    for (const word of wordsNear(kept, at, key.length)) if (known.has(word)) shared += 1;
    return shared >= 2;
  });
  return { present: true, inContext };
}

/**
 * What will be needed: first seen again after the cut in the assistant's own words, known from the head, neither in the
 * tail nor in the system prompt, and not common knowledge.
 */
export function needed({ head, tail, future, system }, isCommon) {
  const headText = head.join('\n');
  const visible = [system, ...tail].join('\n');
  const headIds = identifiers(headText);
  const seen = new Set();
  const result = [];
  for (const { role, text } of future) {
    for (const [key, kind] of identifiers(text)) {
      if (seen.has(key)) continue;
      seen.add(key);
      if (role !== 'assistant' || isCommon(key)) continue;
      if (!headIds.has(key) && occurrences(headText, key, 1).length === 0) continue;
      if (occurrences(visible, key, 1).length > 0) continue;
      result.push({ key, kind });
    }
  }
  return result;
}
