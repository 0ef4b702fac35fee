import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cuesOf, WIDE } from './cues.ts';
import { demandCues, isAskedBy, isDemand, isDemandBy } from './demand.ts';
import { NO_RULES, RULES } from './sentences.fixture.ts';

const ALL = 0xffff;
const words =
  'must|has|have|to|may|not|allowed|forbidden|no|need|want|never|always|don’t|don’t|do|make|sure|ensure|avoid|leave|stop|doing|only|it|use|keep|prefer|without|let’s|remember|nothing|about|in|before|you|each|wait|hold|until|we|say|stays|remains|as|is|untouched|frozen|off-limits|read-only|out|of|scope|confidential|hands|off|decided|decision:|will|I’ll|go|with|take|stick|choose|pick|ich|nehme|entschieden|niemals|nie|keine|keins|bitte|ohne|nur|ne|pas|n’est|interdit|veuillez|non|toques|prohibido|vietato|geen|niet|maken|не|трогай|不要|должен|should|shouldn’t|needs|please|instead|can|could|mustard|notable|onlyone|x_must|é|from|now|on|future|circumstances|stick|refrain|nobody|touches|okay|rather|goes|through|unless|until|without|my|approval|me|first|answer|German|English|write|auf|Deutsch|ab|jetzt|frag|vorher|immer|toujours|utilise|usa|siempre|sempre|antwoord|Nederlands|vraag|eerst|altijd|demande-moi|avant|ahora|prima'.split(
    '|',
  );
const anySentence = fc
  .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ' ', ' ', ', ', '. ', '\n', '-', '’')), {
    minLength: 1,
    maxLength: 9,
  })
  .map((parts) => parts.flat().join('').trim())
  .chain((text) => fc.constantFrom(text, text.replaceAll('’', "'"), text.toUpperCase(), `${text}!`));

test('a sentence is spared only the patterns that it cannot match', () => {
  fc.assert(
    fc.property(anySentence, (sentence) => {
      const cues = demandCues(sentence, 0, sentence.length);
      expect(isDemand(sentence)).toBe(isDemandBy(sentence, ALL));
      expect(isAskedBy(sentence, cues)).toBe(isAskedBy(sentence, ALL));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['she never knew', 2],
  ['Never!', 2],
  ['nevermore, snever', 0],
  ['it is read-only now', 4],
  ['read', 0],
  ['é', WIDE],
  ['never read only', 6],
  ['will they', 8],
  ['willing', 8],
])('of %j the cues are %i', (text, expected) => {
  const cues = cuesOf([
    [2, ' never '],
    [4, ' read only | only '],
    [8, ' will'],
  ]);
  expect(cues(text, 0, text.length)).toBe(expected);
  expect(cues(`a${text}a`, 1, text.length + 1)).toBe(expected);
});

// The odd ones were kept apart while the patterns were made for the even ones.
test('what users rule is told from what they only tell', () => {
  const missed = (half: number): readonly string[] => RULES.filter((rule, at) => at % 2 === half && !isDemand(rule));
  const wrong = (half: number): readonly string[] => NO_RULES.filter((told, at) => at % 2 === half && isDemand(told));
  expect([missed(0), wrong(0)]).toEqual([[], []]);
  expect(missed(1).length).toBeLessThan(RULES.length / 20);
  expect(wrong(1).length).toBeLessThan(NO_RULES.length / 20);
});
