/** Costs of one word by its length so far: entry `n` is what letter `n + 2` adds; the last entry repeats. */
export type Growth = readonly number[];

/** Capitals of a Latin word so far: none, the first letter, all of several, several and then small letters. */
export type Shape = 'lower' | 'capital' | 'upper' | 'mixed';

/** One token in the unit of all costs here: integers keep the sum exact. */
export const TOKEN = 256;

// Measured against o200k_base (gpt-tokenizer 4.0.0) on 9 MB of package sources, documentation, manuals, logs, lock
// files, speeches and the Universal Declaration of Human Rights in 50 languages, by least squares that stays near the
// mean tokens of a piece by length; scripts lie between what software strings and modern prose cost. None of the
// conversations that `bench/accuracy.mjs` judges the estimate on took part.

/**
 * What the second and later letters of a Latin word add, by its capitals and by what stands before it: a space, nothing
 * or a mark, or (`coded`) a digit as in hashes and base64. `mixed` is the turn from capitals to small letters inside a
 * word (`XMLHttp`), then each further letter.
 */
export const WORD: Readonly<Record<'spaced' | 'bare' | 'coded', Readonly<Record<Shape, Growth>>>> = {
  spaced: {
    lower: [0, 0, 0, 1, 1, 4, 14, 6, 10, 11, 19, 57],
    capital: [4, 1, 5, 11, 5, 3, 29, 20, 10, 30, 30, 61],
    upper: [0, 9, 21, 23, 6, 6, 30, 17, 18, 38, 38, 55],
    mixed: [150, 30],
  },
  bare: {
    lower: [2, 14, 6, 9, 10, 21, 33, 52, 49, 50, 60, 67],
    capital: [8, 1, 1, 1, 2, 5, 18, 13, 15, 20, 30, 70],
    upper: [10, 72, 42, 42, 44, 45, 56, 58, 59, 69, 80, 56],
    mixed: [230, 50],
  },
  coded: {
    lower: [3, 128, 95, 75, 90],
    capital: [56, 180, 100, 110],
    upper: [20, 180, 90, 130, 100],
    mixed: [245, 120],
  },
};

/** What a mark right before a word costs beyond the mark itself, from the word's second letter on. */
export const LEAD = {
  lower: { glue: 6, dash: 88, slash: 122, equals: 112, star: 98, open: 139, loose: 266 },
  upper: { glue: 50, dash: 163, slash: 206, equals: 121, star: 227, open: 167, loose: 233 },
} as const;

/** Letters of other scripts: the first of a run, the second, and so on; the last entry repeats. */
export const SCRIPT = {
  cyrillic: [256, 4, 26, 50, 42],
  slavic: [278, 94, 92, 135, 146],
  semitic: [240, 12, 48, 75, 95],
  indic: [200, 32, 56, 86, 80],
  dense: [244, 98, 132, 140, 139],
  thai: [256, 58, 78, 102, 100],
  han: [186, 188],
  kana: [244, 166],
  hangul: [299, 106],
  rare: [486, 436],
} as const;

/** Everything else. Lists: the first of its kind in a run, the second, …; the last entry repeats. */
export const OTHER = {
  // Latin letters beyond ASCII cost their word; Vietnamese ones less.
  latin: 240,
  tonal: 10,
  contraction: 61,
  spaces: 2,
  tabs: 8,
  newlines: [3, 16],
  run: [7, 42, 121, 132, 163, 157, 136],
  ruler: [2, 21, 4],
  box: [242, 251, 62],
  sign: [297, 295],
  pictograph: [314, 329],
  emoji: 404,
  astral: 724,
} as const;
