import { widthOf } from '../../output/text.ts';
import type { Look, Style } from './style.ts';

/** A piece of a line with how it looks. */
export type Span = { readonly text: string; readonly looks: readonly Look[] };

/** How lines are broken. */
export type Breaking = {
  readonly width: number;
  readonly style: Style;
  /** Stands before the first line, and before the others. */
  readonly first?: string;
  readonly hang?: string;
};

/** Breaks spans into lines of a width, between words where it can; a word wider than a line is cut. */
export function wrapSpans(
  spans: readonly Span[],
  { width, style, first = '', hang = '' }: Breaking,
): readonly string[] {
  const lines: Span[][] = [[]];
  let used = 0;
  const room = (): number => Math.max(width - widthOf(lines.length === 1 ? first : hang), 4);
  const put = (word: Span): void => {
    lines.at(-1)?.push(word);
    used += widthOf(word.text);
  };
  const breakLine = (): void => {
    lines.push([]);
    used = 0;
  };
  const putOnNew = ({ text, looks }: Span): void => {
    if (used > 0) breakLine();
    for (const piece of cut(text, room())) {
      if (used > 0) breakLine();
      put({ text: piece, looks });
    }
  };
  for (const word of spans.flatMap(wordsOf)) {
    const isSpace = word.text.trim() === '';
    if (isSpace && used === 0 && lines.length > 1) continue;
    if (used + widthOf(word.text) <= room()) put(word);
    else if (isSpace) breakLine();
    else putOnNew(word);
  }
  return lines.map((line, index) => {
    const end = line.findLastIndex(({ text }) => text.trim() !== '') + 1;
    const words = line.slice(0, end).map((span) => style(span.text, ...span.looks));
    return `${index === 0 ? first : hang}${words.join('')}`;
  });
}

/** Words, and what stands between them. */
function wordsOf({ text, looks }: Span): readonly Span[] {
  return text
    .split(/(\s+)/)
    .filter((word) => word !== '')
    .map((word) => ({ text: word, looks }));
}

/** A text in pieces no wider than so many columns. */
export function cut(text: string, width: number): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const char of text) {
    const own = widthOf(char);
    if (used + own > width && piece !== '') {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += char;
    used += own;
  }
  return piece === '' ? pieces : [...pieces, piece];
}

/** A line in rows between words, which together are the very line; the space a row ends with may stand one column behind it. */
export function fold(line: string, width: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of line.match(/\S+|\s/gu) ?? []) {
    const isSpace = word.trim() === '';
    if (row !== '' && widthOf(row) + widthOf(word) > width + (isSpace ? 1 : 0)) {
      rows.push(row);
      row = '';
    }
    const pieces = cut(row + word, isSpace ? width + 1 : width);
    row = pieces.at(-1) ?? '';
    for (const piece of pieces.slice(0, -1)) rows.push(piece);
  }
  return [...rows, row];
}

/** Plain words broken into lines. */
export function wrapText(text: string, breaking: Breaking & { readonly looks?: readonly Look[] }): readonly string[] {
  return text.split('\n').flatMap((line) => wrapSpans([{ text: line, looks: breaking.looks ?? [] }], breaking));
}
