import { widest, widthOf } from '../../output/text.ts';
import { inlineSpans } from './inline.ts';
import { type Canvas, unstyled } from './style.ts';
import { wrapSpans } from './wrap.ts';

/** A table of Markdown as lines: columns where they fit, else one cell a line under its row. */
export function tableLines(source: readonly string[], canvas: Canvas): readonly string[] {
  const [head = [], ...rows] = source.filter((_, index) => index !== 1).map(cellsOf);
  const widths = head.map((_, column) => widest([head, ...rows].map((row) => wordsOf(row[column] ?? ''))));
  const total = widths.reduce((sum, width) => sum + width, 0) + (widths.length - 1) * GAP.length;
  return total <= canvas.width ? asColumns([head, ...rows], widths, canvas) : asCards(head, rows, canvas);
}

const GAP = '  ';

function cellsOf(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

function shownWidth(cell: string): number {
  return widthOf(wordsOf(cell));
}

function wordsOf(cell: string): string {
  return inlineSpans(cell, [])
    .map(({ text }) => text)
    .join('');
}

function asColumns(
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  { style }: Canvas,
): readonly string[] {
  const lines = rows.map((row, index) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        const looks = index === 0 ? (['bold'] as const) : ([] as const);
        const shown = inlineSpans(cell, looks).map((span) => style(span.text, ...span.looks));
        return shown.join('') + ' '.repeat(Math.max(width - shownWidth(cell), 0));
      })
      .join(GAP)
      .trimEnd(),
  );
  const rule = style(widths.map((width) => '─'.repeat(width)).join(GAP), 'dim');
  return [lines[0] ?? '', rule, ...lines.slice(1)];
}

/** A row as a list of its cells with their headings: readable however narrow it is. */
function asCards(head: readonly string[], rows: readonly (readonly string[])[], canvas: Canvas): readonly string[] {
  const { width, style } = canvas;
  return rows.flatMap((row) => [
    ...wrapSpans(inlineSpans(row[0] ?? '', ['bold']), { width, style }),
    ...row.slice(1).flatMap((cell, index) => {
      const name = wrapSpans(inlineSpans(head[index + 1] ?? '', []), { width: 1000, style: unstyled })[0] ?? '';
      const spans = [{ text: `${name}: `, looks: ['dim'] as const }, ...inlineSpans(cell, [])];
      return wrapSpans(spans, { width, style, first: '  ', hang: '    ' });
    }),
  ]);
}
