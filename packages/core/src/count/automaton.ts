import { CLASS, type ClassName } from './classes.ts';
import { LEAD, OTHER, SCRIPT, type Shape, TOKEN, WORD } from './costs.ts';

/**
 * The o200k pre-tokenizer as two tables by `state << 5 | class`: `next` holds the state that follows, shifted for the next
 * class, `price` what the step costs. `end` goes by the state a text stops in.
 * Where a piece begins (a word with one leading mark, three digits, punctuation with its line break, blanks) a token is
 * charged; what byte pair merging makes of its length follows the measured costs. No cost is negative, so the estimate
 * of a growing text falls by at most the one token it owed.
 */
export type Automaton = { readonly next: Uint16Array; readonly price: Uint16Array; readonly end: Uint16Array };

type Step = readonly [to: number, cost: number];
type Build = Automaton & {
  readonly link: (from: number, on: ClassName, step: Step) => void;
  /** Makes `to` go on like `from`, with `owed` paid on every step. */
  readonly copy: (from: number, to: number, owed?: number) => void;
};

const LEADS = ['glue', 'dash', 'slash', 'equals', 'star', 'open', 'loose'] as const;
const RULERS = ['glue', 'dash', 'slash', 'equals', 'star', 'box'] as const;
const SCRIPTS = ['cyrillic', 'slavic', 'semitic', 'indic', 'dense', 'thai', 'han', 'kana', 'hangul', 'rare'] as const;
const ACCENTED = ['latin', 'tonal'] as const;
const SHAPES: readonly Shape[] = ['lower', 'capital', 'upper', 'mixed'];
const BEFORE = ['spaced', 'bare', 'coded'] as const;
type Before = (typeof BEFORE)[number];

const RUNS = 7;
const LENGTHS = 13;

// `MARK` is a single mark that the word behind it takes along, `RUN` punctuation that no word takes; `RULED` has seen
// one unit that rulers are drawn with, `RULER` more of the same; `CLOSED` is punctuation with its line break. They must
// stay below 256.
const START = 0;
const LETTERS = 1;
const DIGITS = LETTERS + 4;
const SPACE = DIGITS + 3;
const SPACES = SPACE + 1;
const TAB = SPACES + 1;
const TABS = TAB + 1;
const NEWLINE = TABS + 1;
const NEWLINES = NEWLINE + 1;
const CLOSED = NEWLINES + 1;
const APOSTROPHE = CLOSED + 1;
const CONTRACTION = APOSTROPHE + 1;
const EMOJI = CONTRACTION + 1;
const ASTRAL = EMOJI + 1;
const RUN = ASTRAL + 1;
const MARK = RUN + RUNS;
const MARK_LOWER = MARK + LEADS.length;
const MARK_UPPER = MARK_LOWER + LEADS.length;
const RULED = MARK_UPPER + LEADS.length;
const RULER = RULED + RULERS.length;
const WORDS = RULER + RULERS.length;
const STATES = WORDS + BEFORE.length * SHAPES.length * LENGTHS;
const LOOSE = MARK + LEADS.indexOf('loose');

/** The automaton, built from the measured costs. */
export function buildAutomaton(): Automaton {
  const build = emptyBuild();
  addStart(build);
  for (let state = START + 1; state < STATES; state += 1) build.copy(START, state);
  addScripts(build);
  addPunctuation(build);
  addRulers(build);
  for (let length = 1; length <= LENGTHS; length += 1) addWords(build, length);
  LEADS.forEach((name, index) => {
    addLead(build, name, index);
  });
  addBlanks(build);
  addPairs(build);
  return build;
}

function emptyBuild(): Build {
  const next = new Uint16Array(STATES << 5);
  const price = new Uint16Array(STATES << 5);
  return {
    next,
    price,
    end: new Uint16Array(STATES),
    link: (from, on, [to, cost]) => {
      next[(from << 5) | CLASS[on]] = to << 5;
      price[(from << 5) | CLASS[on]] = cost;
    },
    copy: (from, to, owed = 0) => {
      const row = [from << 5, (from + 1) << 5] as const;
      next.set(next.subarray(...row), to << 5);
      price.set(
        price.subarray(...row).map((cost) => cost + owed),
        to << 5,
      );
    },
  };
}

function addStart({ link }: Build): void {
  link(START, 'lower', [word('bare', 'lower', 1), TOKEN]);
  link(START, 'upper', [word('bare', 'upper', 1), TOKEN]);
  for (const name of ACCENTED) link(START, name, [word('bare', 'lower', 1), TOKEN + OTHER[name]]);
  for (const name of SCRIPTS) link(START, name, [LETTERS, nth(SCRIPT[name], 0)]);
  LEADS.forEach((name, index) => {
    link(START, name, [MARK + index, TOKEN]);
  });
  link(START, 'apostrophe', [LOOSE, TOKEN]);
  link(START, 'sign', [LOOSE, nth(OTHER.sign, 0)]);
  link(START, 'box', [RULED + RULERS.indexOf('box'), nth(OTHER.box, 0)]);
  link(START, 'pictograph', [RUN + 1, nth(OTHER.pictograph, 0)]);
  link(START, 'digit', [DIGITS, TOKEN]);
  link(START, 'newline', [NEWLINE, TOKEN]);
  // What follows decides whether these make a token of their own, so nothing is charged yet.
  link(START, 'space', [SPACE, 0]);
  link(START, 'tab', [TAB, 0]);
  link(START, 'emoji', [EMOJI, 0]);
  link(START, 'astral', [ASTRAL, 0]);
  link(START, 'trail', [RUN, TOKEN]);
}

function addScripts({ link }: Build): void {
  for (let length = 1; length <= 3; length += 1) {
    const from = DIGITS + length - 1;
    if (length < 3) link(from, 'digit', [from + 1, 0]);
    link(from, 'lower', [word('coded', 'lower', 1), TOKEN]);
    link(from, 'upper', [word('coded', 'upper', 1), TOKEN]);
  }
  for (let length = 1; length <= 4; length += 1) {
    for (const name of SCRIPTS) {
      link(LETTERS + length - 1, name, [LETTERS + Math.min(length, 3), nth(SCRIPT[name], length)]);
    }
  }
}

function addPunctuation({ link }: Build): void {
  for (let length = 1; length <= RUNS; length += 1) {
    const from = RUN + length - 1;
    const to = RUN + Math.min(length, RUNS - 1);
    const price = nth(OTHER.run, length - 1);
    for (const name of ['open', 'loose', 'apostrophe'] as const) link(from, name, [to, price]);
    RULERS.forEach((name, index) => {
      link(from, name, [RULED + index, name === 'box' ? nth(OTHER.box, 1) : price]);
    });
    link(from, 'sign', [to, nth(OTHER.sign, 1)]);
    link(from, 'pictograph', [to, nth(OTHER.pictograph, 1)]);
    link(from, 'newline', [CLOSED, 0]);
  }
  link(CLOSED, 'slash', [CLOSED, 0]);
}

function addRulers({ link, copy }: Build): void {
  RULERS.forEach((name, index) => {
    const growth = name === 'box' ? OTHER.box : OTHER.ruler;
    copy(RUN + 2, RULED + index);
    copy(RUN + 2, RULER + index);
    link(RULED + index, name, [RULER + index, nth(growth, 1)]);
    link(RULER + index, name, [RULER + index, nth(growth, 2)]);
  });
}

function addWords({ link }: Build, length: number): void {
  const grow = (before: Before, shape: Shape): void => {
    const from = word(before, shape, length);
    const grown = shape !== 'upper' ? shape : length === 1 ? 'capital' : 'mixed';
    const to = word(before, grown, length + 1);
    const price = nth(WORD[before][grown], grown !== 'mixed' ? length - 1 : shape === 'upper' ? 0 : 1);
    link(from, 'lower', [to, price]);
    for (const name of ACCENTED) link(from, name, [to, price + OTHER[name]]);
    if (shape === 'upper') link(from, 'upper', [word(before, shape, length + 1), nth(WORD[before].upper, length - 1)]);
    else if (before === 'coded') link(from, 'upper', [word('coded', 'upper', 1), TOKEN]);
    link(from, 'apostrophe', [APOSTROPHE, 0]);
  };
  for (const shape of SHAPES) for (const before of BEFORE) grow(before, shape);
}

// A mark and the one letter behind it are mostly a single token; from the second letter on the mark is felt.
function addLead({ link, copy }: Build, name: (typeof LEADS)[number], index: number): void {
  const { lower, capital, upper } = WORD.bare;
  copy(RUN, MARK + index);
  if (name !== 'open' && name !== 'loose') link(MARK + index, name, [RULER + index, nth(OTHER.ruler, 0)]);
  link(MARK + index, 'lower', [MARK_LOWER + index, 0]);
  link(MARK + index, 'upper', [MARK_UPPER + index, 0]);
  copy(word('bare', 'lower', 1), MARK_LOWER + index);
  copy(word('bare', 'upper', 1), MARK_UPPER + index);
  link(MARK_LOWER + index, 'lower', [word('bare', 'lower', 2), nth(lower, 0) + LEAD.lower[name]]);
  link(MARK_UPPER + index, 'lower', [word('bare', 'capital', 2), nth(capital, 0) + LEAD.upper[name]]);
  link(MARK_UPPER + index, 'upper', [word('bare', 'upper', 2), nth(upper, 0) + LEAD.upper[name]]);
}

function addBlanks({ link, copy, end }: Build): void {
  link(SPACE, 'lower', [word('spaced', 'lower', 1), TOKEN]);
  link(SPACE, 'upper', [word('spaced', 'upper', 1), TOKEN]);
  for (const name of ACCENTED) link(SPACE, name, [word('spaced', 'lower', 1), TOKEN + OTHER[name]]);
  for (const name of [...LEADS, 'apostrophe'] as const) link(SPACE, name, [RUN, TOKEN]);
  link(SPACE, 'sign', [RUN, nth(OTHER.sign, 0)]);
  link(SPACE, 'digit', [DIGITS, 2 * TOKEN]);
  copy(SPACE, SPACES, TOKEN);
  copy(START, TAB, TOKEN);
  link(TAB, 'lower', [MARK_LOWER, TOKEN]);
  link(TAB, 'upper', [MARK_UPPER, TOKEN]);
  copy(TAB, TABS, TOKEN);
  for (const state of [SPACE, SPACES, TAB, TABS]) {
    link(state, 'space', [SPACES, OTHER.spaces]);
    link(state, 'tab', [state < TAB ? SPACES : TABS, OTHER.tabs]);
    link(state, 'newline', [NEWLINE, TOKEN]);
    end[state] = TOKEN;
  }
  link(NEWLINE, 'newline', [NEWLINES, nth(OTHER.newlines, 0)]);
  link(CLOSED, 'newline', [NEWLINES, nth(OTHER.newlines, 0)]);
  link(NEWLINES, 'newline', [NEWLINES, nth(OTHER.newlines, 1)]);
}

// `don't` is one piece, `don'` two; half a surrogate pair is a token of its own.
function addPairs({ link, copy, end }: Build): void {
  copy(LOOSE, APOSTROPHE, TOKEN);
  link(APOSTROPHE, 'lower', [CONTRACTION, OTHER.contraction]);
  copy(word('bare', 'lower', 1), CONTRACTION);
  copy(START, EMOJI, TOKEN);
  link(EMOJI, 'trail', [RUN + 1, OTHER.emoji]);
  copy(START, ASTRAL, TOKEN);
  link(ASTRAL, 'trail', [RUN + 1, OTHER.astral]);
  for (const state of [APOSTROPHE, EMOJI, ASTRAL]) end[state] = TOKEN;
}

function word(before: Before, shape: Shape, length: number): number {
  const row = BEFORE.indexOf(before) * SHAPES.length + SHAPES.indexOf(shape);
  return WORDS + row * LENGTHS + Math.min(length, LENGTHS) - 1;
}

function nth(costs: readonly number[], index: number): number {
  return costs[Math.min(index, costs.length - 1)] ?? 0;
}
