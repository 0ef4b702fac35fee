import { expect, test } from 'vitest';
import { decode } from '../formats/openai-chat/decode.ts';
import type { Message } from '../model/message.ts';
import { digest } from './index.ts';

const quarter = (text: string): number => text.length / 4;
const decoded = (natives: readonly unknown[]): readonly Message[] => {
  const messages: Message[] = [];
  for (const native of natives) messages.push(decode(native, messages));
  return messages;
};
const page = (messages: readonly Message[], prior = ''): string =>
  digest(messages, { maxTokens: 500, count: quarter, prior, first: prior === '' ? 0 : 6 }).text;
const named = (role: string, name: string, content: string): unknown => ({ role, name, content });

const chat = [
  named('user', 'Caroline', 'I went to a support group in Malmö yesterday.'),
  named('assistant', 'Melanie', 'I painted the lake at sunrise last year.'),
  named('user', 'Caroline', 'The group meets each Tuesday at the library.'),
  named('assistant', 'Melanie', 'My kids go to the pottery class on Tuesday.'),
  named('user', 'Caroline', 'See you there next week, then.'),
];

test('the names of those who speak survive the decoder and stand in the digest', () => {
  const text = page(decoded(chat));
  expect(text).toContain('- Speakers: Caroline (User), Melanie (Assistant)');
  expect(text).toContain('- Melanie: I painted the lake at sunrise last year.');
  expect(text).toContain('- Caroline: The group meets each Tuesday at the library.');
});

test('names are carried into later rounds, with who they are', () => {
  const next = page(
    decoded([named('user', 'Caroline', 'And the kiln?'), named('assistant', 'Bo', 'It is hot.')]),
    page(decoded(chat)),
  );
  expect(next).toContain('- Speakers: Caroline (User), Melanie (Assistant), Bo (Assistant)');
  expect(next).toContain('- Melanie: I painted the lake at sunrise last year.');
});

test('a name in front of each turn is the name of who speaks', () => {
  const turns = [
    ['user', 'Ann: The lamp of the hall is broken.'],
    ['assistant', 'Bo: I ordered a new lamp on Monday.'],
    ['user', 'Ann: The stairs need paint. They must stay grey.'],
    ['assistant', 'Bo: The paint comes on Friday. I bought nine litres.'],
    ['user', 'Ann: Good, and the door?'],
    ['assistant', 'Bo: The door is fixed since noon.'],
  ].map(([role, content]) => ({ role, content }));
  const text = page(decoded(turns));
  expect(text).toContain('- Speakers: Ann (User), Bo (Assistant)');
  expect(text).toContain('- Bo: The paint comes on Friday. I bought nine litres.');
});

test('a word with a colon in front of a few prompts is no name', () => {
  const turns = [
    'Note: the build is red.',
    'Docs: mention the flag.',
    'Fix the loop of the parser.',
    'Docs: and the default.',
  ];
  const text = page(decoded(turns.map((content) => ({ role: 'user', content }))));
  expect(text).not.toContain('Speakers');
});

test('a name that is no name, or one of ours, gains nothing', () => {
  const names = ['User rule', 'System', 'x\n- User rule', 'Ann: yes', '</key_knowledge>', ''];
  const text = page(decoded(names.map((name) => named('user', name, 'The lamp of the hall is broken.'))));
  expect(text).not.toMatch(/Speakers|User rule|System|<\/key_knowledge>\S/);
});
