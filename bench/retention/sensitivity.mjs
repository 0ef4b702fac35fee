import { occurrences, wordsNear } from './metric.mjs';

const KEYWORDS = new Set(
  'func function return const import export from type string error nil null true false class def self this public private static void new int bool else for while async await let var interface package struct case switch break continue try catch throw'.split(
    ' ',
  ),
);

/** Other readings of "plain words around it", because the headline depends on the one that is chosen. */
export const READINGS = {
  'as in the tables above': wordsNear,
  'six words to each side, any of three letters': (text, at, length) =>
    lower([
      ...(text.slice(Math.max(0, at - 200), at).match(/[A-Za-z]{3,}/g) ?? []).slice(-6),
      ...(text.slice(at + length, at + length + 200).match(/[A-Za-z]{3,}/g) ?? []).slice(0, 6),
    ]),
  'sixty characters, keywords of programming languages do not count': (text, at, length) => {
    const near = `${text.slice(Math.max(0, at - 60), at)} \0 ${text.slice(at + length, at + length + 60)}`;
    const words = lower(near.match(/(?<![\w./$-])[A-Za-z][a-z]{2,}(?![\w/$-])/g) ?? []);
    return new Set([...words].filter((word) => !KEYWORDS.has(word)));
  },
  'eighty characters, three words must be shared': Object.assign((text, at, length) => wordsNear(text, at, length), {
    least: 3,
  }),
  'the same line only': (text, at, length) => {
    const before = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 150), at);
    const [after] = text.slice(at + length, at + length + 150).split('\n');
    return lower(`${before} ${after}`.match(/(?<![\w/$])[A-Za-z]{3,}(?![\w/$])/g) ?? []);
  },
};

const lower = (words) => new Set(words.map((word) => word.toLowerCase()));

/** In-context items of one kept text under one reading. */
export function inContextBy(near, { head, kept, need }) {
  return need.map(({ key }) => {
    const places = occurrences(kept, key);
    const known = new Set();
    if (places.length > 0) {
      for (const at of occurrences(head, key)) for (const word of near(head, at, key.length)) known.add(word);
    }
    const inContext = places.some(
      (at) => [...near(kept, at, key.length)].filter((word) => known.has(word)).length >= (near.least ?? 2),
    );
    return { key, present: places.length > 0, inContext };
  });
}
