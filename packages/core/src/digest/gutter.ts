/** What a tool puts in front of the lines that it shows: the pattern of it; `undefined` where the lines have none. */
export function gutterOf(lines: readonly string[]): RegExp | undefined {
  const shown = lines.slice(0, SAMPLE).filter((line) => line.trim() !== '');
  return GUTTERS.find((gutter) => isGutter(shown, gutter) && (gutter !== LISTED || shown.some(isBare)));
}

const SAMPLE = 200;
// A list's numbers stand in front of something, each of them.
const LISTED = /^\s*(\d{1,6})\. ?/;
const isBare = (line: string): boolean => /^\s*\d{1,6}\.\s*$/.test(line);
// `  12→text`, `12\ttext`, `12: text`, `12| text`, `12 | text`, `12- text`, `12. text`, `12│text`.
const GUTTERS = [
  /^\s*(\d{1,6})→/,
  /^\s*(\d{1,6})\t/,
  /^\s*(\d{1,6}):[ \t]?/,
  /^\s*(\d{1,6}) ?\| ?/,
  /^\s*(\d{1,6})- ?/,
  LISTED,
  /^\s*(\d{1,6})[│█]/,
];

/** Numbers of lines run on; those of a table, of a log's dates or of a list of orders do not. */
function isGutter(lines: readonly string[], gutter: RegExp): boolean {
  let [numbered, steps, before] = [0, 0, Number.NaN];
  for (const line of lines) {
    const found = gutter.exec(line)?.[1];
    if (found === undefined) continue;
    numbered += 1;
    if (Number(found) === before + 1) steps += 1;
    before = Number(found);
  }
  if (numbered === 0 || numbered < lines.length * MOSTLY) return false;
  // One or two lines show no run: what is set to the right, or has an arrow, is no text of its own.
  if (numbered < FEWEST) return lines.every((line) => /^ {3,}\d+\t|^\s*\d+→/.test(line));
  return steps >= (numbered - 1) * MOSTLY;
}

const MOSTLY = 0.7;
const FEWEST = 3;
