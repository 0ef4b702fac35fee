import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';
import { isSmallTalk } from './request.ts';

const message = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts, native: undefined });
const user = (text: string): Message => message('user', { kind: 'text', text });
const assistant = (text: string): Message => message('assistant', { kind: 'text', text });
let calls = 0;
const ran = (name: string, input: object, text: string, isError = false): readonly Message[] => {
  calls += 1;
  const callId = `c${calls}`;
  return [
    message('assistant', { kind: 'tool-call', callId, name, input: JSON.stringify(input) }),
    message('tool', { kind: 'tool-result', callId, name, text, isError, media: [] }),
  ];
};
const page = (messages: readonly Message[], maxTokens = 900): string => digest(messages, { maxTokens }).text;
const asked = user('Please port the parser in /srv/shop/src/parse.ts to the new reader.');

test.each([
  ['No changes to make: old_string and new_string are exactly the same.', 'No changes to make'],
  ['Found 8 matches of the text, but replace_all is false.\nString: }\n}', 'Found 8 matches'],
])('a failed edit’s error does not read as a line of its file: %s', (error, start) => {
  const edit = { file_path: '/srv/shop/src/parse.ts', old_string: 'readLine()', new_string: 'readAll()' };
  const text = page([asked, ...ran('Edit', edit, `<tool_use_error>${error}</tool_use_error>`, true)]);
  expect(text).toContain(`\n  change failed: ${start}`);
});

test('what an edit was asked for by is no line of its file', () => {
  const instruction = 'Add a Contributing section to the end of the README.md linking to CONTRIBUTING.md.';
  const edit = { instruction, file_path: '/srv/a/README.md', old_string: 'End', new_string: '## Contributing\nEnd' };
  expect(page([asked, ...ran('replace', edit, 'ok')])).not.toContain(instruction);
});

test('a harness that does not let the assistant stop asks for nothing and rules nothing', () => {
  const nudge =
    '<current_datetime>2026-04-24</current_datetime>\n\nYou have not yet marked the task as complete.\n\nIMPORTANT: Do NOT call task_complete if:\n- You have open questions\n';
  expect(page([asked, assistant('It is ported to the new reader.'), user(nudge)])).not.toMatch(
    /Last request|User rule/,
  );
});

test.each([
  'Thank you so much for your help! ###STOP###',
  'Great, thank you for your help! That’s all I needed. ###STOP###',
  'Will do, thank you for your help!',
  'Thank you! I’ll definitely reach out if I need anything else. Take care!',
  'You too!',
])('thanks and farewells are no request: %s', (thanks) => {
  const text = page([
    asked,
    assistant('Ported.'),
    user('Now port the printer as well.'),
    assistant('Done.'),
    user(thanks),
  ]);
  expect(text).toContain('Last request so far: Now port the printer as well.');
  expect(text).not.toContain(thanks);
});

test.each([
  'Thanks. Next make a chart of the revenue.',
  'Thank you, now deploy it to staging.',
  'You too should read src/a.ts.',
])('what is asked behind thanks is a request: %s', (request) => {
  expect(page([asked, assistant('Ported.'), user(request)])).toContain(`Last request so far: ${request}`);
});

test('an offer that is taken is no rule', () => {
  const taken = 'Yes, let’s go with the economy class for this option, please.';
  const text = page([
    asked,
    assistant('There are economy and business.'),
    user(taken),
    assistant('Booked.'),
    user('Go on'),
  ]);
  expect(text).not.toContain('User rule');
});

test('a question is no correction', () => {
  const text = page([
    asked,
    user('wait, do we only have a single link color?'),
    assistant('One.'),
    user('Add a second one.'),
  ]);
  expect(text).not.toContain('Correction');
});

test('a correction is quoted once, and nothing is put between sentences that have no spaces', () => {
  const text = page([
    user('请修复 src/refund.py 里的退款错误。订单号 ORD-88213。'),
    assistant('手续费 fee 为负数。我打算改用 abs(order.fee)。'),
    user('不对,fee 不可能是负数。请检查 src/fees.py。'),
    assistant('好的。'),
    user('部署到 staging 之前告诉我结果 src/deploy.sh。'),
  ]);
  expect(text.match(/fee 不可能是负数/g)).toHaveLength(1);
  expect(text).toContain('不对,fee 不可能是负数。请检查 src/fees.py。');
});

test.each([
  [
    'a list of lines with a dot behind the number',
    '14. name = "tracker_core"\n15. path = "src/main.rs"\n16.\n17. edition = "2024"',
  ],
  [
    'a map of a repository',
    '13│from shop.dump import dump\n14│from shop.models import Model\n15│\n16█from shop.main import setup_git',
  ],
])('numbers of lines are left off: %s', (_what, output) => {
  const text = page([asked, ...ran('Read', { file_path: '/srv/shop/Cargo.toml' }, output)]);
  expect(text).not.toMatch(/^ *\d+[.│█]/m);
});

test.each(['}', '...⋮...', '---', '880│', '16.', '?   	entire.io/cli [no test files]'])(
  'a crumb is no line: %j',
  (crumb) => {
    const output = `const poolMax = readPoolMax(options);\n\n${crumb}\n\nconst poolMin = readPoolMin(options);`;
    const text = page([asked, ...ran('Read', { file_path: '/srv/shop/pool.ts' }, output)]);
    expect(text).toContain('poolMin');
    expect(text).not.toMatch(new RegExp(`^ *${crumb.replace(/[.?[\]}]/g, '\\$&')}$`, 'm'));
  },
);

test('a list’s own numbers stay', () => {
  const output = '1. Install the reader\n2. Start the reader\n3. Stop the old parser';
  expect(page([asked, ...ran('Read', { file_path: '/srv/shop/STEPS.md' }, output)])).toContain('2. Start the reader');
});

test('a heading without what stands under it is not quoted', () => {
  const text = page([
    asked,
    assistant('- Deleted `TestSessionMetadataDir()` from paths_test.go.\n\n## Verification'),
    user('Go on with src/b.ts.'),
  ]);
  expect(text).not.toContain('## Verification');
});

test('one package’s line is not how the tests of all of them ended', () => {
  const output =
    'ok  \tentire.io/cli/agent\t(cached)\n?   \tentire.io/cli\t[no test files]\nok  \tentire.io/cli/trailers\t(cached)';
  expect(page([asked, ...ran('bash', { command: 'mise run test' }, output)])).toContain(
    'Last check: $ mise run test: ok\n',
  );
});

test('what a tool did to an order is told though earlier tries failed', () => {
  const update = (payment: string, text: string): readonly Message[] =>
    ran('update_reservation', { id: 'OBUT9V', cabin: 'business', payment }, text);
  const text = page([
    user('Change my flight, please.'),
    ...update('gift_card_7091239', 'Error: gift card balance is not enough'),
    ...update('credit_card_9879898', '{"reservation_id":"OBUT9V","cabin":"business"}'),
  ]);
  expect(text).toContain('- update_reservation OBUT9V, business, credit_card_9879898\n');
  expect(text).toContain('Last change: update_reservation OBUT9V, business, credit_card_9879898');
});

test('a bold or a quoted number, and three dots, do not end a sentence', () => {
  const finding = '**6. Missing coverage for `InstallHooks(true, ...)` in Claude Code** (Copilot)';
  expect(page([asked, assistant(`${finding}\n- Need tests for it.`), user('Go on with src/b.ts.')])).toContain(finding);
});

test('a file that is called by its name alone stands once', () => {
  const text = page([
    asked,
    ...ran('bash', { command: 'cd /tmp && mkdir -p x && echo "test" > test.txt' }, ''),
    ...ran('bash', { command: 'mkdir -p /tmp/x && echo "test" > test.txt' }, ''),
  ]);
  expect(text.match(/^- test\.txt/gm)).toHaveLength(1);
});

test('a tag in the middle of a sentence is one of its words', () => {
  const prompt = 'Make the changes so that the requirements specified in the <issue_description> are met.';
  expect(page([user(prompt)])).toContain('requirements specified in the issue description are met');
});

test('what was announced and done is not where things stand', () => {
  const text = page([
    asked,
    assistant('Let me fix the exploit script.\n```\nedit 6:7\n```'),
    user('[File: exploit.py (5 lines total)]'),
    assistant('We have the flag! I will submit it.\n```\nsubmit FLAG{LET_US_BEGIN}\n```'),
  ]);
  expect(text).toContain('Last said: We have the flag! I will submit it.');
});

test('what has not come about stands with what was meant', () => {
  const text = page(
    [
      user('My order 4471-BX never arrived, I want a refund of 129.90 EUR, or a new one.'),
      assistant('The lamp NW-LAMP-22 is out of stock until 25 November. I will refund 129.90 EUR. Shall I go ahead?'),
      user('Yes, go ahead with the refund.'),
      ...ran('create_refund', { order: '4471-BX', amount: 129.9 }, '{"error":"REFUND_LIMIT"}'),
      assistant(
        'Refunds above 100 EUR need a supervisor. I opened APR-20931 for it. I have not refunded anything yet.',
      ),
      user('Also change my address to Lindenstraße 12, 04109 Leipzig.'),
      ...ran('update_address', { zip: '04109' }, '{"ok":true,"address_id":"adr_88121"}'),
      assistant('Done: your new address is Lindenstraße 12 (adr_88121).'),
    ],
    300,
  );
  expect(text).toContain('I have not refunded anything yet.');
  expect(text).toContain('create_refund 4471-BX, 129.9 (failed, unresolved)');
});

test.each([
  'Wow, that is so cool!',
  'Looks like you had a great day!',
  'I 100% agree, Mel.',
  'Totally agree, Ann.',
  'Long time no talk.',
  'How are you doing?',
  "That's awesome, Caro!",
  "Can't wait!",
])('what only cheers, agrees or greets tells nothing: %s', (sentence) => {
  expect(isSmallTalk(sentence)).toBe(true);
});

test.each([
  'I agree that the cache is the problem.',
  'It was a great day at the pottery workshop!',
  'Looks like you broke the build.',
  'That is great for tests but wrong for production.',
  'Take a look at src/parse.ts.',
  'The talk is at 7 pm!',
  'We bought a house!',
  'The server is down!',
  'How are you going to pay for it?',
])('what tells something is no small talk: %s', (sentence) => {
  expect(isSmallTalk(sentence)).toBe(false);
});

test('the date of a greeting stands in front of what is told', () => {
  const said = (role: 'user' | 'assistant', text: string): Message => ({
    role,
    parts: [{ kind: 'text', text }],
    native: undefined,
  });
  const { text } = digest(
    [
      said('user', '[DATE: 3 May, 2031]\nHey Ann! Good to see you! How have you been?'),
      said('assistant', 'Hi Bo! I moved to Oslo.'),
      said('user', 'I started a pottery class on Mondays and made a blue bowl.'),
      said('assistant', 'Wow, Bo!'),
      said('user', '[DATE: 9 May, 2031]\nLong time no talk! The bowl broke in the kiln last night.'),
      said('assistant', 'That is a pity, I liked the bowl a lot.'),
    ],
    { maxTokens: 500 },
  );
  expect(text).toContain('<overall_goal>\n[DATE: 3 May, 2031] Hey Ann!');
  expect(text).toContain('[DATE: 9 May, 2031] The bowl broke in the kiln last night.');
  expect(text).not.toContain('Wow, Bo!');
});
