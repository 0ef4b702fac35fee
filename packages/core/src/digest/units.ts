import { factKey } from '../facts/fact.ts';
import { ledgerKey } from '../facts/keys.ts';
import { scanText } from '../facts/scan.ts';
import type { FactKind } from '../model/facts.ts';
import { codePointBoundary } from '../model/text.ts';
import { plainText, squeezed } from './clean.ts';
import { type Edit, editsIn, newSide } from './edits.ts';
import { isDrawing, withoutDirectives, withoutDrawn } from './markup.ts';
import { markedAs, withoutAuthority } from './orders.ts';
import { blockTeller } from './owners.ts';
import { isGreeting, isSmallTalk } from './request.ts';
import { type Shape, shapeOf } from './shape.ts';
import { continues } from './shown.ts';

/** A sentence of the source that may be quoted, or a line; lines that belong together are one, with breaks between. */
export type Unit = {
  readonly text: string;
  /** Ledger keys of the identifiers in it. */
  readonly keys: readonly string[];
  /** Plain words it has, lower case: they give an identifier its meaning. */
  readonly words: readonly string[];
  /** Where it stands in its group. */
  readonly order: number;
  /** What it is; of several lines the first one that is code. */
  readonly shape: Shape;
};

/** Code that stands in an answer or a prompt, with the path in front of it. */
export type Fenced = {
  readonly path: string;
  readonly lines: readonly string[];
  readonly edits: readonly Edit[];
  /** It shows what there is, and writes nothing. */
  readonly isSeen?: boolean;
};

/** Prose and the code between its fences, apart. */
export function splitFences(text: string): { readonly prose: string; readonly code: readonly Fenced[] } {
  const { text: whole, drawn } = withoutDrawn(withoutDirectives(plainText(text.slice(0, LONGEST))));
  const code: Fenced[] = drawn.map((shown) => ({ ...shown, edits: [], isSeen: true }));
  if (!whole.includes('```')) return { prose: whole, code };
  const prose: string[] = [];
  whole.split(FENCE).forEach((block, index) => {
    if (index % 2 === 0) prose.push(block);
    else {
      const before = (prose.pop() ?? '').trimEnd();
      const path = pathBefore(before);
      prose.push(path === '' ? before : before.slice(0, before.lastIndexOf('\n') + 1));
      code.push({ path, lines: newSide(block), edits: editsIn(block) });
    }
  });
  return { prose: prose.join('\n'), code };
}

function pathBefore(prose: string): string {
  const line = prose.trimEnd().slice(-200).split('\n').at(-1) ?? '';
  return /^[*`#: ]*([\w@.-]+(?:\/[\w@.-]+)*\.\w{1,5})[*`:]*$/.exec(line)?.[1] ?? '';
}

/** Sentences of prose, whole; a very long one in pieces that say where they are cut. */
export function sentencesOf(text: string, order: number): readonly Unit[] {
  const pieces: string[] = [];
  let stamp = '';
  let stamped = 0;
  for (const line of text.slice(0, LONGEST).split('\n')) {
    // A date in front of a message says little alone, and no more in front of a greeting.
    if (STAMP.test(line)) {
      stamp = `${line.trim()} `;
      stamped = pieces.length;
    } else if (line.trim() !== '') {
      for (const sentence of titled(line.split(SENTENCE_END))) {
        const isEmpty = stamp !== '' && (isGreeting(sentence) || isSmallTalk(sentence));
        for (const piece of clipped(squeezed(isEmpty ? sentence : `${stamp}${sentence}`))) pieces.push(piece);
        if (!isEmpty) stamp = '';
      }
    }
  }
  const all = stamp === '' ? pieces : [...pieces.slice(0, stamped), ...clipped(stamp.trim()), ...pieces.slice(stamped)];
  return all.filter((piece) => /[\p{L}\p{N}]/u.test(piece)).map((piece, index) => unitOf(piece, order + index));
}

/** Sentences of which a title is one with what follows it. */
function titled(sentences: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let title = '';
  for (const sentence of sentences) {
    const whole = title === '' ? sentence : `${title} ${sentence}`;
    const isTitle = sentence.length < LONGEST_TITLE && TITLE.test(sentence.trim());
    title = isTitle && title === '' ? whole : '';
    if (title === '') joined.push(whole);
  }
  return title === '' ? joined : [...joined, title];
}

const LONGEST_TITLE = 50;

/** Lines of code or output that name or say something; short ones that follow each other, and a comment with what it is about, as one. */
export function linesOf(lines: readonly string[], order: number): readonly Unit[] {
  const units: Unit[] = [];
  let size = 0;
  let open = '';
  let shape = TEXT;
  const close = (): void => {
    // Lines that say nothing apart may say it together.
    const quote = withoutAuthority(open);
    for (const piece of clipped(quote)) {
      const unit = { ...unitOf(markedAs(quote, piece), order + units.length), shape };
      if (saysSomething(unit)) units.push(unit);
    }
    open = '';
    shape = TEXT;
  };
  const tell = blockTeller(lines);
  let inside = '';
  for (const [at, raw] of lines.entries()) {
    size += raw.length;
    if (size > LONGEST) break;
    const line = lineText(raw);
    const seen = shapeOf(raw);
    const { isName, name } = tell(at, line, seen);
    const own = name === '' ? seen : TEXT;
    if (open !== '' && (isName || name !== inside || !goesOn({ open, shape }, line, own))) close();
    inside = name;
    if (isName) continue;
    if (line === '' && open !== '') close();
    else if (
      line.length > 2 &&
      !line.startsWith('```') &&
      !SAYS_NOTHING.test(line) &&
      !BROKEN_OFF.test(line) &&
      !isDrawing(line)
    ) {
      shape = open === '' || shape === 'comment' ? own : shape;
      const front = open === '' ? name : open;
      open = front === '' ? line : `${front}\n${line}`;
    }
  }
  close();
  return units;
}

const TEXT: Shape = 'text';

/** A line of code or output as it is quoted. */
export function lineText(raw: string): string {
  return squeezed(raw).replace(CLOSING, '');
}

/** Not a line's number alone, nor one short word of code such as `vec!` or `} else {`. */
function saysSomething({ text, keys, words }: Unit): boolean {
  if (words.length > 1 || words.some((word) => word.length > 12)) return true;
  return keys.length > 0 || (words.length > 0 && /\d/.test(text));
}

// A number of a line, a word of a language, a lone tag, the start of a comment.
const SAYS_NOTHING =
  /^(?:[^\p{L}\p{N}]+|\d{1,6} ?[.:→|│█)]\W*|<\/?[\w.]*\/?>[,;)]*|\/\*+|(?:return|var|const|let|else|try|import|export|type|begin|end|do|then|fi|done|pass|break|continue|finally|default:?)\W*)$/u;

// What was being written when its text ended: `self.`, `run(["--no-`.
const BROKEN_OFF = /^[a-z_][\w.]{0,30}\.$|^\S{1,40}["'([][\w-]*-$/;

/** A comment goes on to what it is about, a declaration to its first members, plain text to the next short line. */
function goesOn(from: { readonly open: string; readonly shape: Shape }, line: string, shape: Shape): boolean {
  const { open } = from;
  if (from.shape !== 'comment' && continues(line, open)) return open.length + line.length <= WIDEST;
  if (from.shape === 'comment')
    return open.length + line.length <= (shape === 'comment' || shape === 'declaration' ? WIDEST : JOINED);
  if (shape === 'comment' || shape === 'declaration' || shape === 'log' || from.shape === 'log') return false;
  if (from.shape === 'statement' || shape === 'statement')
    return from.shape === shape && /[({[,=:]$/.test(open) && open.length + line.length <= JOINED;
  return open.length + line.length <= JOINED;
}

const JOINED = 90;
const LONGEST = 400_000;
const WIDEST = 280;
const STAMP = /^\s*\[[^\]\n]{3,60}\]\s*$/;
const FENCE = /^ *```.*$/m;
// Not behind a list's number, a common abbreviation, or the number of a day.
const SENTENCE_END =
  /(?<=[.!?]["')\]*`]{0,2})(?<!^\s{0,20}(?:[-*] |#{1,6} )?\*{0,2}\d{1,3}\.|\b(?:e\.g|i\.e|etc|vs|cf|al|Dr|Mrs?|Ms|Mme|No|Nos|Nr|Fig|Sec|approx|Prof|St|Str|Abs|Art|Tel|ca|bzw|ggf|evtl|inkl|vgl|zzgl|sog|max|min|Sr|Sra|núm|pág)\.|\b[zZdusiop]\.(?: ?[BhaäoUÄeRd]\.)?|\b(?:am|ab|vom|zum|bis|der|dem|den|des|im|beim|jeden|le|el|il) \d{1,2}\.)\s+(?=\S)(?!(?<=\.\.\.["')\]*`]{0,2}\s+)\p{Ll})(?!(?<=\d\.\s+)(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|jan|feb|mar|apr|maj|maa|jun|jul|aug|sep|okt|nov|dec)\p{L}*)|(?<=[。！？])/u;
// `Clause 4.6 Interest.` leads to what follows.
const TITLE = /^(?:\p{Lu}\p{L}* |§ ?)?\d+(?:\.\d+)*[.)]?(?: [\p{L}-]+){1,4}[.:]$/u;
// What is left of a line's start when the block it closes is not quoted.
const CLOSING = /^[\])};,\s]+/;

/** Pieces of at most `WIDEST` characters, never cut inside a word, with a mark at each cut; a blob without any boundary is left out. */
function clipped(text: string): readonly string[] {
  if (text.length <= WIDEST) return [text];
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > WIDEST) {
    const piece = cutAtWord(rest, WIDEST);
    if (piece !== '') pieces.push(piece);
    rest = rest.slice(piece === '' ? codePointBoundary(rest, WIDEST) : piece.length).trimStart();
    if (piece === '') rest = rest.replace(WORD_REST, '');
  }
  const all = rest === '' ? pieces : [...pieces, rest];
  return all.map((piece, index) => `${index === 0 ? '' : '… '}${piece}${index === all.length - 1 ? '' : ' …'}`);
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

/** A text within a length, with a mark where it is cut. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${cutAtWord(text, length - 2)} …`;
}

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
  return { text, keys: [...keys], words: plainWords(text, taken), order, shape: 'text' };
}

const WORD = /[\p{L}]{3,}/gu;

function plainWords(text: string, taken: readonly (readonly [number, number])[]): readonly string[] {
  const words = new Set<string>();
  let next = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    while (next < taken.length && (taken[next]?.[1] ?? 0) <= index) next += 1;
    const isTaken = (taken[next]?.[0] ?? text.length) <= index || !standsAlone(text, index, index + word.length);
    if (!isTaken && !FILLERS.test(word)) words.add(word.toLowerCase());
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

/** Words that say nothing by themselves: articles, pronouns, auxiliaries, prepositions. */
const FILLERS =
  /^(?:the|an|and|or|but|not|this|that|these|those|there|here|it|its|you|your|we|our|they|them|their|is|are|was|were|be|been|being|am|do|does|did|has|have|had|will|would|can|could|should|may|might|must|of|to|in|on|at|by|for|from|with|into|onto|over|about|as|if|then|than|so|just|also|very|let|now)$/i;
