/** A language by its script, or for Latin ones by its smallest words; `undefined` where too little is said to tell. */
export function languageOf(text: string): string | undefined {
  const sample = text.slice(0, SAMPLE).replace(NOT_PROSE, ' ');
  const letters = (sample.match(/\p{L}/gu) ?? []).length;
  if (letters < LEAST_LETTERS) return undefined;
  for (const [language, script] of SCRIPTS) {
    // Prose of other scripts is full of Latin names and code.
    if ((sample.match(script) ?? []).length > letters * 0.2) return language;
  }
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scores = LATIN.map(([language, small]) => ({
    language,
    score: words.filter((word) => small.has(word)).length / Math.max(words.length, 1),
  })).sort((a, b) => b.score - a.score);
  const [best, second] = scores;
  const isClear = best !== undefined && best.score >= 0.12 && best.score >= (second?.score ?? 0) * 1.5;
  return isClear ? best.language : undefined;
}

const SAMPLE = 20_000;
const LEAST_LETTERS = 40;
// Fenced code, inline code, paths, URLs and tags say nothing about a language.
// Scripts without spaces run on around them: only what can be part of a path goes.
const NOT_PROSE = /```[^`]{0,5000}```|`[^`\n]{1,300}`|<[^<>\n]{1,80}>|[!-;=?-~]{0,200}[/\\_][!-;=?-~]{0,200}/g;

const SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  // Japanese is written with Han as well; its own letters tell.
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['Chinese', /\p{Script=Han}/gu],
  ['Korean', /\p{Script=Hangul}/gu],
  ['a language in Cyrillic letters', /\p{Script=Cyrillic}/gu],
  ['a language in Arabic letters', /\p{Script=Arabic}/gu],
  ['Hebrew', /\p{Script=Hebrew}/gu],
  ['Greek', /\p{Script=Greek}/gu],
  ['Thai', /\p{Script=Thai}/gu],
  ['a language in Devanagari letters', /\p{Script=Devanagari}/gu],
];

const LATIN: readonly (readonly [language: string, small: ReadonlySet<string>])[] = [
  ['English', words('the and to of is in it that for you with was are this on be not have at from')],
  ['German', words('der die das und ist nicht ein eine zu mit den von für auf im ich es sich auch wird')],
  ['French', words('le la les et est une des dans pour que qui pas du sur avec ce il au je sont')],
  ['Spanish', words('el los las y es una para que con por del se no su como está al lo más pero')],
  ['Portuguese', words('o os as e é uma para que com por do da não em no na se mais como ao')],
  ['Italian', words('il gli e è una per che con di del non in si come sono della nel più da ma')],
  ['Dutch', words('de het een en is niet van voor met op te dat die aan zijn ook er maar naar wordt')],
];

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
