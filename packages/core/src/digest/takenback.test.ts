import { expect, test } from 'vitest';
import type { Message } from '../model/message.ts';
import { digest } from './index.ts';
import { standingRules } from './takenback.ts';

const standing = (...texts: readonly string[]): readonly string[] =>
  standingRules(texts.map((text) => ({ text, isRule: true })));

test.each([
  ['Use tabs.', 'No, use spaces instead.'],
  ['Use tabs for indentation.', 'Actually, use spaces for indentation.'],
  ['Use tabs for indentation.', 'Use spaces for indentation, not tabs.'],
  ['Use npm to install packages.', 'Use pnpm instead of npm to install packages.'],
  ['Answer in German.', 'I changed my mind, answer in English.'],
  ['Keep the config in YAML.', 'Keep the config in TOML instead of YAML.'],
  ['Use double quotes.', 'On second thought, use single quotes.'],
])('a rule that a newer one takes back in so many words goes: %s %s', (older, newer) => {
  expect(standing(older, 'Never push to main.', newer)).toEqual(['Never push to main.', newer]);
});

test.each([
  // Another subject, a narrower place, a case, no word of correction, or a prohibition.
  ['Use pnpm.', 'No, use spaces instead.'],
  ['Use tabs.', 'In Python, use spaces, not tabs.'],
  ['Use tabs in Makefiles.', 'No, use spaces instead.'],
  ['Use tabs.', 'Use spaces when the file has them already, not tabs.'],
  ['Answer in German.', 'Write the commit messages in English.'],
  ['Answer in German.', 'Use English for the README instead.'],
  ['Never use tabs.', 'Actually, use spaces.'],
  ['Never push to main.', 'Actually, push to main now.'],
  ['Keep the config in YAML.', 'Keep the tests in TOML instead of YAML.'],
  ['No tabs.', 'Use tabs.'],
  ['Deploy only from main.', 'Deploy only to main.'],
  ['Use red instead of blue.', 'Use blue instead of red paint on Sundays.'],
  ['Do not push to main.', 'Push to dev instead of main.'],
])('where that is not certain both stand, the newest last: %s %s', (older, newer) => {
  expect(standing(older, newer)).toEqual([older, newer]);
});

test('a rule that is said again in the same words, but for manners, stands once, where it was said last', () => {
  expect(
    standing(
      'Please do not touch the tests.',
      'Use pnpm.',
      "And don't touch the tests, please!",
      'Use 4 spaces.',
      'Use 2 spaces.',
    ),
  ).toEqual(['Use pnpm.', "And don't touch the tests, please!", 'Use 4 spaces.', 'Use 2 spaces.']);
});

test('what takes a rule back is a rule in its place, in this round and the next', () => {
  const said = (role: 'user' | 'assistant', text: string): Message => ({
    role,
    parts: [{ kind: 'text', text }],
    native: undefined,
  });
  const options = { maxTokens: 600 };
  const rules = (text: string): readonly string[] => text.match(/^- User rule: .*$/gm) ?? [];
  const first = [said('user', 'Sort the imports. Use tabs for indentation. Never push.'), said('assistant', 'Done.')];
  const second = [
    said('user', 'Now the exports.'),
    said('assistant', 'Done as well.'),
    said('user', 'No, use spaces instead. They are what the others use.'),
    said('assistant', 'Spaces now.'),
    said('user', 'Go on with the tests then and tell me how many there are.'),
  ];
  const expected = ['- User rule: Never push.', '- User rule: No, use spaces instead.'];
  expect(rules(digest([...first, ...second], options).text)).toEqual(expected);
  const before = digest(first, options);
  expect(rules(before.text)).toContain('- User rule: Use tabs for indentation.');
  const next = digest(second, { ...options, prior: before.text, ledger: before.ledger, first: 2 });
  expect(rules(next.text)).toEqual(expected);
});
