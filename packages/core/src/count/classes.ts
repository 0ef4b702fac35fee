/**
 * What the estimator sees of a UTF-16 unit. Punctuation is grouped by how readily it merges with the word behind it
 * (`glue` as in `.name` most, `loose` as in `|name` least) and by whether it is drawn in rulers (`-----`); letters of
 * other scripts by what they cost.
 */
export type ClassName = keyof typeof CLASS;

/** Number of each class; five bits hold them all. */
export const CLASS = {
  lower: 0,
  upper: 1,
  digit: 2,
  space: 3,
  newline: 4,
  tab: 5,
  apostrophe: 6,
  glue: 7,
  dash: 8,
  slash: 9,
  equals: 10,
  star: 11,
  open: 12,
  loose: 13,
  latin: 14,
  tonal: 15,
  cyrillic: 16,
  slavic: 17,
  semitic: 18,
  indic: 19,
  dense: 20,
  thai: 21,
  han: 22,
  kana: 23,
  hangul: 24,
  rare: 25,
  sign: 26,
  box: 27,
  pictograph: 28,
  emoji: 29,
  astral: 30,
  trail: 31,
} as const;

/** Class of every UTF-16 unit: 64 kB, of which text touches a few lines, in exchange for a loop without branches. */
export function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const [start, name] of RANGES) table.fill(CLASS[name], start);
  for (const [units, name] of MEMBERS) {
    for (const unit of units) table[unit.charCodeAt(0)] = CLASS[name];
  }
  return table;
}

// First unit of each range; it holds up to the next. Unicode blocks, put together by measured tokens per letter:
// `semitic` takes Greek in, `indic` Georgian and Armenian, `dense` Khmer and Burmese; `rare` is what o200k spells in bytes.
const RANGES: readonly (readonly [start: number, name: ClassName])[] = [
  [0x00, 'sign'],
  [0x1b, 'loose'],
  [0x30, 'digit'],
  [0x3a, 'loose'],
  [0x41, 'upper'],
  [0x5b, 'loose'],
  [0x61, 'lower'],
  [0x7b, 'loose'],
  [0x7f, 'sign'],
  [0xc0, 'latin'],
  [0x370, 'semitic'],
  [0x400, 'slavic'],
  [0x410, 'cyrillic'],
  [0x450, 'slavic'],
  [0x451, 'cyrillic'],
  [0x452, 'slavic'],
  [0x530, 'indic'],
  [0x590, 'semitic'],
  [0x700, 'rare'],
  [0x900, 'indic'],
  [0xa00, 'dense'],
  [0xa80, 'indic'],
  [0xb00, 'rare'],
  [0xb80, 'indic'],
  [0xc00, 'dense'],
  [0xc80, 'indic'],
  [0xd80, 'dense'],
  [0xe00, 'thai'],
  [0xe80, 'rare'],
  [0x1000, 'dense'],
  [0x10a0, 'indic'],
  [0x1100, 'rare'],
  [0x1780, 'dense'],
  [0x1800, 'rare'],
  [0x1e00, 'tonal'],
  [0x1f00, 'rare'],
  [0x2000, 'sign'],
  [0x2030, 'pictograph'],
  [0x2190, 'sign'],
  [0x2194, 'pictograph'],
  [0x2300, 'rare'],
  [0x2500, 'box'],
  [0x25a0, 'pictograph'],
  [0x27c0, 'rare'],
  [0x2e80, 'han'],
  [0x3000, 'sign'],
  [0x3040, 'kana'],
  [0x3100, 'rare'],
  [0x3400, 'han'],
  [0xa000, 'rare'],
  [0xac00, 'hangul'],
  [0xd7b0, 'rare'],
  [0xd800, 'astral'],
  [0xd83c, 'emoji'],
  [0xd83f, 'astral'],
  [0xdc00, 'trail'],
  [0xe000, 'rare'],
  [0xf900, 'han'],
  [0xfb00, 'rare'],
  [0xfe00, 'pictograph'],
  [0xfe10, 'sign'],
  [0xfe70, 'rare'],
  [0xff00, 'sign'],
];

const MEMBERS: readonly (readonly [units: string, name: ClassName])[] = [
  [' ', 'space'],
  ['\n\r', 'newline'],
  ['\t\v\f\u00a0\u2028\u2029\u3000', 'tab'],
  ["'", 'apostrophe'],
  ['._(', 'glue'],
  ['-', 'dash'],
  ['/', 'slash'],
  ['=', 'equals'],
  ['*#~+^', 'star'],
  ['[<,', 'open'],
  ['\u200d', 'pictograph'],
  ['″‹›€™⇒−√≤≥', 'sign'],
];
