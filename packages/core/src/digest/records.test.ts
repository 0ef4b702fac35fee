import { expect, test } from 'vitest';
import type { Message } from '../model/message.ts';
import { digest } from './index.ts';
import { withOwners } from './records.ts';

const said = (role: 'user' | 'assistant', text: string): Message => ({
  role,
  parts: [{ kind: 'text', text }],
  native: undefined,
});

const ferries = [
  'These ferries go to Aland on Friday:',
  '',
  '1. **Ferry KL201**',
  '   - Departure: 7:00',
  '   - Price: €98',
  '2. **Ferry KL377**',
  '   - Departure: 9:30',
  '   - Price: €152',
].join('\n');

test('a value in a list stands in one line with what it is the value of', () => {
  expect(withOwners(ferries).split('\n')).toEqual([
    'These ferries go to Aland on Friday:',
    'These ferries go to Aland on Friday: … 1. **Ferry KL201** - Departure: 7:00 - Price: €98',
    'These ferries go to Aland on Friday: … 2. **Ferry KL377** - Departure: 9:30 - Price: €152',
  ]);
});

test.each([
  ['For the Oslo office:\n- Rent 4,200\n- Heating 380', 'For the Oslo office: - Rent 4,200 - Heating 380'],
  ['### Oslo\n\n- Rent 4,200\n\n- Heating 380', '### Oslo - Rent 4,200 - Heating 380'],
  ['Here are the details:\n- Seat: 4A\n- Meal: none', 'Here are the details:\n- Seat: 4A - Meal: none'],
  [
    '- **Outbound:** OSL to BGO\n  - Gate: 7\n- **Return:** BGO to OSL\n  - Gate: 11',
    '- **Outbound:** OSL to BGO - Gate: 7\n- **Return:** BGO to OSL - Gate: 11',
  ],
  // A title under the first of several numbers is none of the second.
  [
    '1. **KL201**\n   - Gate: 7\n   **then KL5**\n   - Gate: 9\n2. **KL377**\n   - Gate: 3',
    '1. **KL201** - Gate: 7\n**then KL5** - Gate: 9\n2. **KL377** - Gate: 3',
  ],
])('so it does under a lead-in, a heading and another value: %j', (prose, expected) => {
  expect(withOwners(prose)).toBe(expected);
});

test.each([
  '- Added 3 tests for the parser.\n- Ran them: all pass.',
  '- `limit`: the most rows\n- `src/a.ts`: 40 lines',
  '- Budget: never spend more than 300\n- Never call before 9',
  'One line.\nAnother line: with a colon.',
])('sentences, code and rules stay lines of their own: %j', (prose) => {
  expect(withOwners(prose)).toBe(prose);
});

test('a list too long for one quote names what it is about in each', () => {
  const rows = Array.from({ length: 20 }, (_, at) => `- Room ${101 + at}: ${80 + at} euros a night`);
  const lines = withOwners(`In the Hotel Linde:\n${rows.join('\n')}`).split('\n');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line).toMatch(/^In the Hotel Linde: (?:… )?- Room/);
});

test('no price of a digest stands without its ferry, whatever the budget', () => {
  const talk = [
    said('user', 'Which ferries go to Aland?'),
    said('assistant', ferries),
    said('user', 'Book the later one.'),
  ];
  for (const maxTokens of [80, 120, 200, 500]) {
    const { text } = digest(talk, { maxTokens, count: (page) => page.length / 4 });
    expect(text).not.toMatch(/(?<!KL201\*\* - Departure: 7:00 )- Price: €98/);
    expect(text).not.toMatch(/(?<!KL377\*\* - Departure: 9:30 )- Price: €152/);
  }
});

test('a megabyte of a list is joined in good time', () => {
  const started = process.cpuUsage();
  for (const piece of ['\n', '- ', '- a\n', '\t', '- 1\n', 'a:\n', '- a: b\n  - c: d\n', ' - ', '**a**\n- 1\n'])
    withOwners(piece.repeat(1_000_000 / piece.length));
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000).toBeLessThan(5000);
});
