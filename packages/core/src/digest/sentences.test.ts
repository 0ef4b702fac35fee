import { expect, test } from 'vitest';
import type { Message } from '../model/message.ts';
import { digest } from './index.ts';
import { sentencesOf } from './units.ts';

const split = (text: string): readonly string[] => sentencesOf(text, 0).map((unit) => unit.text);
const said = (role: 'user' | 'assistant', text: string): Message => ({
  role,
  parts: [{ kind: 'text', text }],
  native: undefined,
});

test.each([
  'Der Auftrag NL-770234 ist angelegt, Versand am 11. März aus Haldensleben.',
  'Dann senden wir ab 19. den neuen Beutel.',
  'Wir liefern am 3. oder 4. April.',
  'Nehmen Sie z. B. den Beutel Nr. 5 oder ggf. den anderen, d. h. den alten.',
  'Das steht in Abs. 2 bzw. Art. 7 des Vertrags.',
  'See Fig. 3 and Sec. 4, approx. 12 pages by Miller et al. in total.',
])('a day’s number or an abbreviation ends no sentence: %s', (text) => {
  expect(split(text)).toEqual([text]);
});

test.each([
  ['Es waren elf. Danach kam nichts.', ['Es waren elf.', 'Danach kam nichts.']],
  ['The limit is 11. Then it stops.', ['The limit is 11.', 'Then it stops.']],
  ['Option B. Next one.', ['Option B.', 'Next one.']],
])('other sentences end where they end: %s', (text, sentences) => {
  expect(split(text)).toEqual(sentences);
});

test('the title of a clause is one with what the clause says', () => {
  expect(
    split('Clause 4.6 Interest. It is 4% above base. Clause 5.3 Rent review. Upwards only. § 7 Haftung. Keine.'),
  ).toEqual([
    'Clause 4.6 Interest. It is 4% above base.',
    'Clause 5.3 Rent review. Upwards only.',
    '§ 7 Haftung. Keine.',
  ]);
});

test('cheers and farewells of a chat take no room', () => {
  const turns = ['Spill the beans!', 'Love that purple color!', "I'll keep ya posted.", 'Long time no talk!'];
  const chat = turns.flatMap((cheer, at) => [
    said('user', `${cheer} I moved to Malmö in the year ${2010 + at}, to the street behind the harbour.`),
    said('assistant', `${cheer} We went camping at the lake number ${at} with both of the kids.`),
  ]);
  const { text } = digest(
    [
      said('user', 'We talk about our lives.'),
      ...chat,
      said('user', 'Good night.'),
      said('assistant', 'Sleep well in the north.'),
    ],
    {
      maxTokens: 700,
    },
  );
  for (const cheer of turns) expect(text).not.toContain(cheer);
  expect(text).toContain('camping at the lake number');
});

test('a result with a mark of joy is no cheer where work is done', () => {
  const call: Message = {
    role: 'assistant',
    parts: [{ kind: 'tool-call', callId: 'c', name: 'Bash', input: '{"command":"make list"}' }],
    native: undefined,
  };
  const done = [
    said('user', 'Sort it.'),
    call,
    said('assistant', 'All the sorting tests pass!'),
    said('user', 'Go on with names.'),
    said('assistant', 'I sort by names now, in every language.'),
  ];
  expect(digest(done, { maxTokens: 500 }).text).toContain('All the sorting tests pass!');
});
