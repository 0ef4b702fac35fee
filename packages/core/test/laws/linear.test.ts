import { expect, test } from 'vitest';
import { digest } from '../../src/digest/digest.ts';
import { keepFacts } from '../../src/keep/keep.ts';
import type { Message, Part } from '../../src/model/message.ts';
import { readOverflow } from '../../src/overflow/index.ts';
import { redactSecrets } from '../../src/secrets/index.ts';
import { refusalOf } from '../../src/verify/verify.ts';

const quarter = (text: string): number => text.length / 4;

const message = (role: Message['role'], part: Part): Message => ({ role, parts: [part], native: undefined });
const call = (name: string, input: object, text: string, callId = name): readonly Message[] => [
  message('assistant', { kind: 'tool-call', callId, name, input: JSON.stringify(input) }),
  message('tool', { kind: 'tool-result', callId, name, text, isError: false, media: [] }),
];

function conversation(run: string): readonly Message[] {
  return [
    message('user', { kind: 'text', text: `Mend it. ${run}` }),
    ...call('Edit', { file_path: '/w/a.ts', old_string: run, new_string: `${run}x` }, 'ok'),
    ...call('bash', { command: `echo ${run}` }, run),
    ...call('Read', { file_path: '/w/b.md' }, run),
    message('assistant', { kind: 'text', text: run }),
    message('user', { kind: 'text', text: 'next' }),
  ];
}

const entries: Readonly<Record<string, (run: string) => unknown>> = {
  'facts and digest': (run) => digest(conversation(run), { maxTokens: 1000, count: quarter }),
  'checked claims': (run) =>
    keepFacts(
      `- The user said ${run}\n${run}`,
      {
        head: [{ message: { role: 'user', parts: [{ kind: 'text', text: run }], native: undefined }, index: 0 }],
        prior: run,
      },
      { factTokens: 500, count: quarter },
    ),
  secrets: (run) => redactSecrets(`password ${run}`),
  refusals: (run) => refusalOf({ draft: { text: run }, text: run, prompt: `${run}\n${run}`, prior: '' }),
  overflow: (run) => readOverflow({ status: 400, message: run }),
};

const runs = [
  ...'aA1.,;:!?-_=+*/\\|<>()[]{}"\'`#@$%^&~ \té汉…',
  ...['a ', 'A=1 ', 'a=', 'a.', 'a/', '1,', '(a', '<a ', '"a', '. ', '$(', '{"a":', 'a@', 'aB'],
  ...['\n', '\r', '\r\n', 'a\n', '- a\n', '  a\n', '# a\n', '"a": 1,\n', '```\n', '| a |\n', '\n\n  a'],
  ...['not ', 'user ', 'http://', 'password=', 'User: ', 'Error: '],
];

// The machine may be busy: what takes less than this is no matter, and linear is four times.
const FLOOR = 3000;
const SLACK = 9;

test.each(Object.entries(entries))(
  '%s take linear time on runs of anything',
  (_name, enter) => {
    enter('const a = 1; '.repeat(500));
    const slow = runs.filter((unit) => {
      const long = timeOf(() => enter(unit.repeat(200_000 / unit.length)));
      return long > FLOOR && long > SLACK * timeOf(() => enter(unit.repeat(50_000 / unit.length)));
    });
    expect(slow).toEqual([]);
  },
  600_000,
);

test('a file that is read again and again as it changes costs what one more reading costs', () => {
  const reads = (count: number): readonly Message[] =>
    Array.from({ length: count }, (_, at) => {
      const lines = Array.from({ length: 30 }, (_line, row) => `${row + 1}\tconst v_${at}_${row} = f(${at * row});`);
      return call('Read', { file_path: '/w/b.ts' }, lines.join('\n'), `read-${at}`);
    }).flat();
  const cost = (count: number): number =>
    timeOf(() => digest([message('user', { kind: 'text', text: 'go' }), ...reads(count)], { maxTokens: 2000 }));
  cost(100);
  const long = cost(3000);
  expect(long < FLOOR * 3 || long < SLACK * cost(750)).toBe(true);
}, 600_000);

function timeOf(work: () => unknown): number {
  const { user, system } = process.cpuUsage();
  work();
  const after = process.cpuUsage();
  return (after.user + after.system - user - system) / 1000;
}
