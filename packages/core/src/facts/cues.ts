/** Tells which groups of words a stretch of a text has, as bits; `WIDE` where it has more than ASCII. */
export type Cues = (text: string, start: number, end: number) => number;

/** The bit of a character beyond ASCII. */
export const WIDE = 1;

/**
 * Looks for all words at once, character by character (Aho and Corasick 1975): most sentences have none, and a pattern with
 * dozens of alternatives takes several times as long to say so. A space in a word is one character that is no letter,
 * digit or underscore; the ends of the stretch are such characters. Capitals count as small letters.
 */
export function cuesOf(groups: readonly (readonly [bit: number, words: string])[]): Cues {
  const { next, told } = automatonOf(groups);
  const start = next[0] ?? 0;
  return (text, from, to) => {
    let state = start;
    let units = 0;
    let bits = 0;
    for (let index = from; index < to; index += 1) {
      const code = text.charCodeAt(index);
      units |= code;
      state = next[state | (code < 128 ? (CLASSES[code] ?? 0) : 0)] ?? 0;
      bits |= told[state >> SHIFT] ?? 0;
    }
    return bits | (told[(next[state] ?? 0) >> SHIFT] ?? 0) | (units > 127 ? WIDE : 0);
  };
}

/** `next` goes by `state | class` and holds states shifted by `SHIFT`; `told` holds the bits of a state. */
type Automaton = { readonly next: Uint16Array; readonly told: Uint16Array };

const SHIFT = 5;
const WIDTH = 1 << SHIFT;
// Digits and the underscore, which belong to a word and to none of ours.
const OTHER = 27;
const CLASSES = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) => classOf(String.fromCharCode(code)));

function classOf(character: string): number {
  if (/[a-z]/i.test(character)) return character.toLowerCase().charCodeAt(0) - 96;
  return /\w/.test(character) ? OTHER : 0;
}

function automatonOf(groups: readonly (readonly [bit: number, words: string])[]): Automaton {
  const words = groups.flatMap(([bit, list]) => list.split('|').map((word) => [bit, word] as const));
  const most = words.reduce((sum, [, word]) => sum + word.length, 1);
  const next = new Uint16Array(most * WIDTH);
  const told = new Uint16Array(most);
  let states = 1;
  for (const [bit, word] of words) {
    let state = 0;
    for (const character of word) {
      const at = state | classOf(character);
      if (next[at] === 0) {
        next[at] = states << SHIFT;
        states += 1;
      }
      state = next[at] ?? 0;
    }
    told[state >> SHIFT] = (told[state >> SHIFT] ?? 0) | bit;
  }
  close({ next, told });
  return { next, told };
}

/** Where no word goes on, the longest end of what was read that begins another one does; breadth first. */
function close({ next, told }: Automaton): void {
  const fallback = new Uint16Array(told.length);
  const queue = [...next.subarray(0, WIDTH)].filter((state) => state !== 0);
  for (let state = queue.shift(); state !== undefined; state = queue.shift()) {
    const back = fallback[state >> SHIFT] ?? 0;
    told[state >> SHIFT] = (told[state >> SHIFT] ?? 0) | (told[back >> SHIFT] ?? 0);
    for (let type = 0; type < WIDTH; type += 1) {
      const to = next[state | type] ?? 0;
      const other = next[back | type] ?? 0;
      if (to === 0) next[state | type] = other;
      else {
        fallback[to >> SHIFT] = other;
        queue.push(to);
      }
    }
  }
}
