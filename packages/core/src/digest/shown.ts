/** The lines of a quote as they are shown: what a bracket, a comma or an operator leaves open goes on in its line. */
export function shownLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const open = lines.at(-1);
    if (open !== undefined && isOpen(open, line)) lines[lines.length - 1] = `${open}${gapIn(open, line)}${line}`;
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

/** True for a line with an operator in front, behind one that is not at its end: half an expression says little. */
export function continues(line: string, open: string): boolean {
  return CONTINUES.test(line) && !ENDED.test(open);
}

const ENDED = /[;{}]$/;

const CONTINUES = /^(?:\?\?|[?:|+]|&&|\|\|) \S/;
const OPENING = /\s?[{([,]$/;
const SEAM = /(?<=[([]|^[^\s{(]{1,64}: ?\{) ?|(?<=,) | (?=(?:\?\?|[?:|+]|&&|\|\|) )/;
const WIDEST = 200;

function isOpen(open: string, line: string): boolean {
  const goesOn = /[([,]$/.test(open) || BLOCK.test(open) || continues(line, open);
  return goesOn && !COMMENT.test(line) && !COMMENT.test(open) && open.length + line.length < WIDEST;
}

// A setting stands behind the name of its block.
const BLOCK = /^[^\s{(]{1,64}: ?\{$/;
const COMMENT = /^(?:\/\/|\/\*|\*|#|--|<!--)/;
const gapIn = (open: string, line: string): string => (open.endsWith(',') || continues(line, open) ? ' ' : '');
