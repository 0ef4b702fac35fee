import { expect, test } from 'vitest';
import type { Message } from '../model/message.ts';
import { digest } from './index.ts';

type Ran = readonly [name: string, input: object, result?: string];
let calls = 0;
const told = (...all: readonly Ran[]): string =>
  digest(
    [
      { role: 'user', parts: [{ kind: 'text', text: 'Look after the pool.' }], native: undefined },
      ...all.flatMap(([name, input, text = '']): readonly Message[] => {
        calls += 1;
        const callId = `h${calls}`;
        return [
          {
            role: 'assistant',
            parts: [{ kind: 'tool-call', callId, name, input: JSON.stringify(input) }],
            native: undefined,
          },
          {
            role: 'tool',
            parts: [{ kind: 'tool-result', callId, name, text, isError: false, media: [] }],
            native: undefined,
          },
        ];
      }),
    ],
    { maxTokens: 900 },
  ).text;
const bash = (command: string, text = ''): Ran => ['Bash', { command }, text];
const edit = (name = 'pool.ts'): Ran => [
  'Edit',
  { file_path: `/srv/app/${name}`, old_string: 'poolSize = 5;', new_string: 'poolSize = 50;' },
  'updated',
];
const write = (name: string): Ran => [
  'Write',
  { file_path: `/srv/app/${name}`, content: 'portOf = 1' },
  'File created',
];
const commit = (hash: string, files = 1): Ran =>
  bash('git commit -am "more of it"', `[main ${hash}] more of it\n ${files} file${files > 1 ? 's' : ''} changed`);
const now = 'HEAD is now at 1111111 init';

test.each<[string, readonly Ran[]]>([
  ['git reset --hard HEAD~1', [edit(), commit('abc1234'), bash('git reset --hard HEAD~1', now)]],
  ['git reset --hard HEAD^', [edit(), commit('abc1234'), bash('git reset --hard HEAD^', now)]],
  [
    'git reset --hard HEAD~2',
    [edit(), commit('abc1234'), edit(), commit('abc1235'), bash('git reset --hard HEAD~2', now)],
  ],
  [
    'git revert HEAD',
    [edit(), commit('abc1234'), bash('git revert --no-edit HEAD', '[main abc9999] Revert "more of it"')],
  ],
  ['git revert of its hash', [edit(), commit('abc1234'), commit('abc1235', 3), bash('git revert --no-edit abc1234')]],
])('what %s takes back of a commit does not stand', (_how, all) => {
  const text = told(...all);
  expect(text).toContain('pool.ts (changes taken back)');
  expect(text).not.toMatch(/poolSize = 50|Last change: changed/);
});

test('a file that a commit made goes with it', () => {
  const text = told(
    write('new.ts'),
    bash('git add -A && git commit -m x', '[main abc1234] x\n 1 file changed'),
    bash('git reset --hard HEAD~1', now),
  );
  expect(text).toMatch(/new\.ts \(created, deleted\)/);
  expect(text).not.toContain('Last change: created');
});

test.each<[string, readonly Ran[]]>([
  ['a soft reset', [edit(), commit('abc1234'), bash('git reset --soft HEAD~1')]],
  ['a reset to where it was', [edit(), commit('abc1234'), bash('git reset --hard HEAD', 'HEAD is now at abc1234 x')]],
  [
    'a reset of the next commit',
    [
      edit(),
      commit('abc1234'),
      edit('log.ts'),
      commit('abc1235'),
      bash('git reset --hard HEAD~1', 'HEAD is now at abc1234 x'),
    ],
  ],
  [
    'a reset on another branch',
    [edit(), commit('abc1234'), bash('git checkout main'), bash('git reset --hard HEAD~1', now)],
  ],
  ['a revert of an older commit', [edit(), commit('abc1234'), bash('git revert --no-edit 9f9f9f9')]],
  ['a revert of a commit of other files', [edit(), commit('abc1234', 4), bash('git revert --no-edit HEAD')]],
])('a commit stands behind %s', (_what, all) => {
  expect(told(...all)).toMatch(/pool\.ts \(changed\)/);
});
