/** The lines of a quote as they are shown: what a bracket or a comma leaves open goes on in its line. */
export function shownLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const open = lines.at(-1);
    if (open !== undefined && isOpen(open, line)) lines[lines.length - 1] = `${open}${gapIn(open)}${line}`;
    else lines.push(line);
  }
  return lines.map(withoutOpening).filter((line) => /[\p{L}\p{N}]/u.test(line));
}

/** A line without what opens a block of which no more is quoted. */
export function withoutOpening(line: string): string {
  return line.replace(OPENING, '');
}

/** The lines of the source that one line may have been put together from. */
export function piecesOf(line: string): readonly string[] {
  return line.split(SEAM).map(withoutOpening);
}

const OPENING = /\s?[{([,]$/;
const SEAM = /(?<=[([]) ?|(?<=,) /;
const WIDEST = 200;

function isOpen(open: string, line: string): boolean {
  return /[([,]$/.test(open) && !COMMENT.test(line) && !COMMENT.test(open) && open.length + line.length < WIDEST;
}

const COMMENT = /^(?:\/\/|\/\*|\*|#|--|<!--)/;
const gapIn = (open: string): string => (open.endsWith(',') ? ' ' : '');
