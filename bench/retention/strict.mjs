// Future-reference recall once more, by another hand: words are split at white space and quotes and judged by their
// shape, context is ten words to each side, of which articles, pronouns and keywords of programming languages do not
// count. It shares no pattern with metric.mjs or the product, so that what holds only under one reading shows.

const EDGES = /^[^\p{L}\p{N}/~@$_-]+|[^\p{L}\p{N}/_-]+$/gu;
const PLAIN = /^\p{L}{3,}$/u;
const EMPTY_WORDS = new Set(
  'the and for with that this from are was were has have had not but you your its will can all any into out our let now new use then than when which what where there here also just been being would could should may might must get got set per via'.split(
    ' ',
  ),
);
const CODE_WORDS = new Set(
  'func function return const import export type string error nil null true false class def self public private static void int bool else while async await var interface package struct case switch break continue try catch throw undefined number boolean'.split(
    ' ',
  ),
);

const words = (text) => text.split(/[\s"'`()[\]{}<>,;|=]+/u);

/** The identifiers of a text: spelling by which one is known → its class. */
export function identifiersOf(text) {
  const found = new Map();
  for (const raw of words(text)) {
    const word = raw.replace(EDGES, '');
    if (word.length < 3 || word.length > 200) continue;
    for (const piece of /^\w+:\/\//.test(word) ? [word] : word.split(/:(?!\/)/)) enter(piece, found);
  }
  return found;
}

function enter(piece, found) {
  const kind = shapeOf(piece);
  if (kind === undefined) return;
  const key = kind === 'path' ? piece.split('/').filter(isSegment).slice(-2).join('/') : piece;
  if (key.length >= 4 && !found.has(key)) found.set(key, kind);
}

const isSegment = (part) => part !== '' && part !== '.' && part !== '..' && part !== '~';

function shapeOf(word) {
  if (/^\w+:\/\/\S/.test(word)) return 'url';
  if (/^--\w/.test(word)) return 'flag';
  if (/^[$#]?\d[\d,.]*%?$/.test(word)) return isTelling(word) ? 'number' : undefined;
  const hasLetter = /\p{L}/u.test(word);
  if (!hasLetter) return undefined;
  if (word.includes('/')) return /\w\/\w|^[/~]/.test(word) ? 'path' : undefined;
  if (/\.[a-z]{1,5}$/.test(word) && !/^\d/.test(word)) return 'file';
  if (/^[0-9a-f]{7,40}$/.test(word) && /\d/.test(word)) return 'hash';
  if (/\d/.test(word) && /[_-]/.test(word)) return 'id';
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(word)) return 'constant';
  if (/\p{L}_\p{L}|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(word)) return 'symbol';
  return undefined;
}

// Round numbers, years and small ones are in every text.
function isTelling(word) {
  const digits = word.replace(/\D/g, '');
  return (
    digits.length >= 3 &&
    !/^(?:19|20)\d\d$/.test(word) &&
    !/^[1-9]0+$/.test(digits) &&
    (Number(digits) & (Number(digits) - 1)) !== 0
  );
}

/** What is needed after a cut; `isCommon` tells what everybody knows. */
export function neededBy({ head, tail, system, future }, isCommon) {
  const known = identifiersOf(head.join('\n'));
  const visible = identifiersOf([system, ...tail].join('\n'));
  const shown = new Set();
  const needed = [];
  for (const { role, text } of future) {
    for (const [key, kind] of identifiersOf(text)) {
      if (shown.has(key)) continue;
      shown.add(key);
      if (role === 'assistant' && known.has(key) && !visible.has(key) && !isCommon(key)) needed.push({ key, kind });
    }
  }
  return needed;
}

/** Words everybody knows: in a quarter of the sources, or names of tools and their arguments. */
export function commonIn(corpus) {
  const sources = new Map();
  const schema = new Set();
  for (const { source, texts, messages } of corpus) {
    for (const text of texts)
      for (const key of identifiersOf(text).keys()) {
        if (!sources.has(key)) sources.set(key, new Set());
        sources.get(key).add(source);
      }
    for (const { parts } of messages)
      for (const { kind, name, input } of parts) {
        if (kind !== 'tool-call') continue;
        schema.add(name);
        for (const [, key] of input.matchAll(/"([^"\\]{2,40})"\s*:/g)) schema.add(key);
      }
  }
  const least = Math.ceil(new Set(corpus.map(({ source }) => source)).size / 4);
  return (key) => schema.has(key) || (sources.get(key)?.size ?? 0) >= least;
}

/** Per needed identifier whether a line of the kept text holds it, and whether with two plain words of its own. */
export function scoreBy(head, kept, needed) {
  const original = contextsOf(head.join('\n'), needed);
  const surviving = contextsOf(kept, needed);
  return needed.map(({ key, kind }) => {
    const near = surviving.get(key) ?? [];
    const source = new Set((original.get(key) ?? []).flatMap((all) => [...all]));
    const inContext = near.some((all) => [...all].filter((word) => source.has(word)).length >= 2);
    return { key, kind, present: near.length > 0, inContext };
  });
}

const REACH = 10;

/** For each key the plain words around each of its occurrences. */
function contextsOf(text, needed) {
  const wanted = new Set(needed.map(({ key }) => key));
  const contexts = new Map();
  const all = words(text);
  all.forEach((raw, at) => {
    for (const key of identifiersOf(raw).keys()) {
      if (!wanted.has(key)) continue;
      const near = [...all.slice(Math.max(0, at - REACH), at), ...all.slice(at + 1, at + 1 + REACH)];
      if (!contexts.has(key)) contexts.set(key, []);
      contexts.get(key).push(new Set(near.map(plain).filter((word) => word !== '')));
    }
  });
  return contexts;
}

function plain(raw) {
  const word = raw.replace(EDGES, '').toLowerCase();
  return PLAIN.test(word) && !EMPTY_WORDS.has(word) && !CODE_WORDS.has(word) ? word : '';
}
