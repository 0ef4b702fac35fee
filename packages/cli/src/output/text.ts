/** A text safe for a terminal line: no escape sequences, no control characters, white space as single blanks. */
export function plain(text: string): string {
  return text.replace(ESCAPES, '').replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
}

/** A text of several lines safe for a terminal: no escape sequences, no control characters, nothing that turns its direction. */
export function harmless(text: string): string {
  return text.replace(ESCAPES, '').replace(HARMFUL, '').toWellFormed();
}

/** A text cut to a number of columns, with an ellipsis where something was left out. */
export function fitColumns(text: string, columns: number): string {
  let used = 0;
  let end = 0;
  for (const char of text) {
    used += columnsOf(char);
    if (used > columns - 1) break;
    end += char.length;
  }
  const rest = text.slice(end);
  return columns < 1 ? '' : widthOf(rest) <= columns - widthOf(text.slice(0, end)) ? text : `${text.slice(0, end)}…`;
}

/** The end of a text that fits a number of columns, with an ellipsis where something was left out. */
export function fitEnd(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let end = text;
  while (widthOf(end) > Math.max(columns, 1) - 1) end = end.slice(String.fromCodePoint(end.codePointAt(0) ?? 0).length);
  return `…${end}`;
}

/** Columns of the widest of some texts. */
export function widest(texts: readonly string[]): number {
  return texts.reduce((columns, text) => Math.max(columns, widthOf(text)), 0);
}

/** A number with its noun: `1 call`, `2 calls`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Columns of the terminal that standard output is, or of a usual one. */
export function columns(): number {
  return process.stdout.columns || Number(process.env['COLUMNS']) || 80;
}

/** Breaks lines between words where they are longer than the terminal is wide; what is indented hangs. */
export function wrapLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, Math.max(width, 20)))
    .join('\n');
}

/** Columns a text takes in a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += columnsOf(char);
  return width;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const ESCAPES = /\u001b(?:\[[0-9;?]{0,20}[ -/]?[@-~]|\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\)|[@-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

function wrapLine(line: string, width: number): readonly string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const hang = indent === '' ? '' : `${indent}  `;
  const lines: string[] = [];
  let open = line;
  while (open.length > width) {
    const before = open.lastIndexOf(' ', width);
    // A word wider than the terminal stands alone.
    const at = before > hang.length ? before : open.indexOf(' ', width);
    if (at < 0) break;
    lines.push(open.slice(0, at).trimEnd());
    open = hang + open.slice(at + 1).trimStart();
  }
  return [...lines, open];
}

function columnsOf(char: string): number {
  return WIDE.test(char) ? 2 : ZERO.test(char) ? 0 : 1;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const ZERO = /\p{M}|[\u200b-\u200d\ufeff]/u;
