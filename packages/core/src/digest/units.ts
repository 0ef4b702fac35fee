import { factKey } from '../facts/fact.ts';
import { ledgerKey } from '../facts/ledger.ts';
import { scanText } from '../facts/scan.ts';
import type { FactKind } from '../model/facts.ts';
import { codePointBoundary } from '../model/text.ts';

/** A line or sentence of the source that may be quoted. */
export type Unit = {
  readonly text: string;
  /** Ledger keys of the identifiers in it. */
  readonly keys: readonly string[];
  /** Plain words it has, lower case: they give an identifier its meaning. */
  readonly words: readonly string[];
  /** Where it stands in its group. */
  readonly order: number;
};

/** Sentences of prose, each at most `WIDEST` characters; what stands between code fences as lines of code. */
export function sentencesOf(text: string, order: number): readonly Unit[] {
  const blocks = text.slice(0, LONGEST).split(FENCE);
  let next = order;
  return blocks.flatMap((block, index) => {
    const units = index % 2 === 1 ? linesOf(block, next) : proseOf(block, next);
    next += units.length;
    return units;
  });
}

function proseOf(text: string, order: number): readonly Unit[] {
  const pieces: string[] = [];
  for (const line of text.split('\n')) {
    for (const sentence of line.split(SENTENCE_END)) pieces.push(...clipped(squeeze(sentence)));
  }
  return pieces.filter((piece) => piece.length > 1).map((piece, index) => unitOf(piece, order + index));
}

/** Lines of code or output, joined until they hold enough plain words to tell what they are about. */
export function linesOf(text: string, order: number): readonly Unit[] {
  const units: Unit[] = [];
  let open: Unit | undefined;
  for (const raw of text.slice(0, LONGEST).split('\n')) {
    const line = squeeze(raw.replace(LINE_NUMBER, '')).replace(CLOSING, '');
    if (line.length < 2) continue;
    for (const piece of clipped(line)) {
      const joined: string = open === undefined ? piece : `${open.text} ${piece}`;
      open = unitOf(joined, order + units.length);
      if (open.words.length < ENOUGH_WORDS && joined.length < WIDEST / 2) continue;
      units.push(open);
      open = undefined;
    }
  }
  return open === undefined ? units : [...units, open];
}

const LONGEST = 400_000;
const WIDEST = 220;
const ENOUGH_WORDS = 2;
const FENCE = /^ *```.*$/m;
const SENTENCE_END = /(?<=[.!?])\s+(?=\S)|(?<=[。！？])/;
const LINE_NUMBER = /^\s*\d+\s?[→|:\t]/;
// What is left of a line's start when the block it closes is not quoted.
const CLOSING = /^[\])};,\s]+/;

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Pieces of at most `WIDEST` characters, never cut inside a word; a blob without any boundary is left out. */
function clipped(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > WIDEST) {
    const piece = cutAtWord(rest, WIDEST);
    if (piece !== '') pieces.push(piece);
    rest = rest.slice(piece === '' ? codePointBoundary(rest, WIDEST) : piece.length).trimStart();
    if (piece === '') rest = rest.replace(WORD_REST, '');
  }
  return [...pieces, rest];
}

const WORD_REST = /^[\w./@~$%#:=&?+\\-]+/;

/** The start of a text, at most `length` characters, without half a word at its end. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(' ', length);
  if (space > length / 2) return text.slice(0, space);
  let end = codePointBoundary(text, length);
  while (end > 0 && PART_OF_WORD.test(text.charAt(end - 1) + text.charAt(end))) end -= 1;
  return text.slice(0, end);
}

// Two characters between which an identifier could run on, or a surrogate pair; scripts without spaces may be cut.
const PART_OF_WORD = /^[^\s"'`()[\]{}<>,;|\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]{2}$/;

/** A text with what it names. */
export function unitOf(text: string, order: number): Unit {
  const keys = new Set<string>();
  const taken: [number, number][] = [];
  scanText(text, (kind: FactKind, start, end) => {
    const value = text.slice(start, end);
    if (factKey({ kind, value }) === '') return;
    keys.add(ledgerKey({ kind, value }));
    if (kind !== 'name') taken.push([start, end]);
  });
  return { text, keys: [...keys], words: plainWords(text, taken), order };
}

const WORD = /[\p{L}]{3,}/gu;

function plainWords(text: string, taken: readonly (readonly [number, number])[]): readonly string[] {
  const words = new Set<string>();
  let next = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    while (next < taken.length && (taken[next]?.[1] ?? 0) <= index) next += 1;
    const isTaken = (taken[next]?.[0] ?? text.length) <= index || !standsAlone(text, index, index + word.length);
    if (!isTaken && !STOP_WORDS.has(word)) words.add(word.toLowerCase());
  }
  return [...words];
}

/** Not a member, a segment or half of a compound: `state` in `state.base` is no plain word. */
function standsAlone(text: string, start: number, end: number): boolean {
  return (
    !GLUE.includes(text.charAt(start - 1) || ' ') &&
    !(GLUE.includes(text.charAt(end) || ' ') && text.charAt(end + 1) > ' ')
  );
}

const GLUE = './$-_\\@#0123456789';

/** Words that say nothing by themselves. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'the and for with that this from are was were has have had not but you your its will can all any into out our let now new use they them then than when what which who how also just some there here been being would could should about over only very more most such'.split(
    ' ',
  ),
);
