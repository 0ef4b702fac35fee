import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBuilt, scratch } from '../kit.ts';
import { type ChatModelServer, startChatModel } from './model.ts';
import { CHAT_ID, readChat, seedChat } from './seeded.ts';
import { KEYS, openTerminal } from './terminal.ts';

let model: ChatModelServer;
const { path } = scratch();

beforeAll(async () => {
  ensureBuilt();
  model = await startChatModel();
}, 120_000);
afterAll(() => model.close());

const OK = { kind: 'text', text: 'That is **done**.' } as const;
const env = (): Record<string, string> => ({
  OPENAI_COMPATIBLE_BASE_URL: model.url,
  EPITOME_CONFIG: path('none.yaml'),
});
const chat = (store: string, ...more: readonly string[]): readonly string[] => {
  return ['chat', '--store', store, '--no-tools', '--window', '1m', ...more];
};

type Play = Parameters<ChatModelServer['play']>[1];

/** What the model does first, the line the user sees, and how long it takes until it is asked again. */
const PASSING: readonly (readonly [name: string, first: Play, line: string, waitMs: number])[] = [
  ['500', { kind: 'status', status: 500 }, 'The provider failed (500): the test says no; asking again.', 700],
  ['429', { kind: 'status', status: 429, headers: { 'retry-after': '20' } }, 'asking again in 20s.', 20_000],
  ['silence', { kind: 'hang' }, 'The model did not answer in time: nothing came for 60 s; asking again.', 700],
  ['a cut stream', { kind: 'cut', text: 'Half an ans' }, 'The answer broke off', 700],
  ['an empty answer', { kind: 'text', text: '' }, 'The model answered nothing; asking again.', 700],
];

/** What stays wrong: the message is kept, and /retry asks again. */
const LASTING: readonly (readonly [name: string, answer: Play, line: string])[] = [
  [
    'a refusal',
    { kind: 'text', text: 'I cannot.', finish: 'content_filter' },
    'The model declined to answer: I cannot.',
  ],
  ['a long wait', { kind: 'status', status: 429, headers: { 'retry-after': '600' } }, 'free again in 600s'],
  ['a wrong key', { kind: 'status', status: 401 }, 'The provider does not take the key (401)'],
];

test('a fault of the model is one clear line, the turn goes on or waits, and after a kill all is there', async () => {
  const store = path('faults.db');
  const terminal = await openTerminal(chat(store, '--model', 'openai-compatible/m'), {
    env: env(),
    columns: 120,
    rows: 60,
  });
  await terminal.shows('tokens · ');
  for (const [name, first, line, waitMs] of PASSING) {
    model.play('chat', first, OK);
    terminal.type(`Now ${name}\r`);
    if (first.kind === 'hang') {
      await terminal.shows(/Thinking… 0s/);
      await terminal.advance(60_000);
    }
    await terminal.shows(line);
    await terminal.advance(waitMs);
    await terminal.shows(new RegExp(`Now ${name}[\\s\\S]*That is done\\.\\n+> *\\n`));
  }
  for (const [name, answer, line] of LASTING) {
    model.play('chat', answer);
    terminal.type(`Now ${name}\r`);
    await terminal.shows(new RegExp(`${line.replace(/[().]/g, '\\$&')}.*Your message is kept; /retry asks again`));
    model.play('chat', OK);
    terminal.type('/retry\r');
    await terminal.shows(new RegExp(`Now ${name}[\\s\\S]*That is done\\.\\n+> *\\n`));
  }
  terminal.kill();
  await terminal.exited;
  const again = await openTerminal(['chat', '--continue', '--store', store, '--window', '1m'], { env: env() });
  await again.shows(/> Now a wrong key[\s\S]*That is done\./);
  again.type('/stats\r');
  const shown = await again.shows(/messages +16 on branch main/);
  const id = /chat +(\S+)/.exec(shown)?.[1] ?? '';
  const { messages } = await readChat(store, id);
  const prompts = [...PASSING, ...LASTING].map(([name]) => `Now ${name}`);
  expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(prompts);
  again.kill();
});

test('a request that is too long is compacted once and sent once more', async () => {
  const store = path('long.db');
  await seedChat(store, { exchanges: 10 });
  const terminal = await openTerminal(chat(store, '--resume', CHAT_ID), { env: env() });
  await terminal.shows('tokens · ');
  const error = { message: 'maximum context length is 8192 tokens', code: 'context_length_exceeded' };
  model.play('chat', { kind: 'status', status: 400, error }, OK);
  terminal.type('What next?\r');
  const shown = await terminal.shows(/That is done\.\n+> *\n/);
  expect(shown).toContain('The request is too long for the model: compacting, then asking again.');
  expect(shown).toContain('✓ Chat history compressed');
  terminal.kill();
});

test('a summary that fails twice is written without the model, and says why', async () => {
  const store = path('degraded.db');
  await seedChat(store);
  const terminal = await openTerminal(chat(store, '--resume', CHAT_ID), { env: env() });
  await terminal.shows('tokens · ');
  model.play('chat', OK);
  model.play('summary', { kind: 'status', status: 500 });
  terminal.type('/compress\r');
  await terminal.shows('Summarizing…');
  const isWritten = async (): Promise<boolean> => {
    await terminal.advance(500);
    return terminal.screen().includes('Written without a model');
  };
  await expect.poll(isWritten, { timeout: 20_000 }).toBe(true);
  const shown = terminal.screen();
  expect(shown).toContain('✓ Chat history compressed');
  terminal.kill();
});

test('after three summaries that failed the model is left alone for a while, which is said once', async () => {
  const store = path('resting.db');
  await seedChat(store);
  const terminal = await openTerminal(chat(store, '--resume', CHAT_ID), { env: env(), rows: 60 });
  await terminal.shows('tokens · ');
  const asked = (): number => model.received.filter(({ purpose }) => purpose === 'summary').length;
  const compress = async (): Promise<number> => {
    const before = asked();
    const count = terminal.scrollback().split('✓ Chat history compressed').length;
    terminal.type('/compress\r');
    const isDone = async (): Promise<boolean> => {
      await terminal.advance(500);
      return terminal.scrollback().split('✓ Chat history compressed').length > count;
    };
    await expect.poll(isDone, { timeout: 20_000 }).toBe(true);
    terminal.type('/undo\r');
    await terminal.shows(/Taken back[^\n]*\n+> *\n[^\n]*$/);
    return asked() - before;
  };
  model.play('summary', { kind: 'status', status: 500 });
  const failed = [await compress(), await compress(), await compress()];
  expect(failed).toEqual([2, 2, 2]);
  const warning = 'The model failed to write 3 summaries in a row; for 5 minutes they are written\n  without it.';
  expect(terminal.scrollback()).toContain(warning);
  expect([await compress(), await compress()]).toEqual([0, 0]);
  await terminal.advance(5 * 60_000);
  expect([await compress(), await compress()]).toEqual([2, 0]);
  expect(terminal.scrollback().split(warning)).toHaveLength(2);
  model.play('summary', { kind: 'text', text: '<state_snapshot>They talked about the login.</state_snapshot>' });
  await terminal.advance(5 * 60_000);
  expect([await compress(), await compress()]).toEqual([1, 1]);
  expect(terminal.scrollback()).toContain('The model writes summaries again.');
  terminal.kill();
});

test('a summary that a rate limit delays is put off: the turn goes on, and nobody is asked twice', async () => {
  const store = path('limited.db');
  await seedChat(store);
  model.play('chat', OK);
  model.play('summary', { kind: 'status', status: 429, headers: { 'retry-after': '20' } });
  const terminal = await openTerminal(chat(store, '--resume', CHAT_ID), { env: env() });
  await terminal.shows('tokens · ');
  terminal.type('What next?\r');
  await terminal.shows('What are you working on?');
  terminal.type('1');
  const shown = await terminal.shows(/That is done\.\n+> *\n/);
  expect(shown).toContain('Compaction deferred (rate limited, retry in 20s)');
  model.play('summary', { kind: 'text', text: '<state_snapshot>They talked about the login.</state_snapshot>' });
  terminal.type('Go on\r');
  await terminal.shows(/> Go on\n+That is done\.\n+> *\n/);
  await terminal.advance(20_000);
  terminal.type('And now?\r');
  const later = await terminal.shows(/> And now\?[\s\S]*That is done\.\n+> *\n/);
  expect(later).toMatch(
    /> And now\?\n+✓ Chat history compressed[^\n]*\n +Goal: Keeping the query through the redirect/,
  );
  terminal.kill();
});

test('killed while it summarizes, a chat comes back with the view it had', async () => {
  const store = path('killed.db');
  await seedChat(store);
  model.play('chat', OK);
  model.play('summary', { kind: 'hang' });
  const terminal = await openTerminal(chat(store, '--resume', CHAT_ID), { env: env() });
  await terminal.shows('tokens · ');
  terminal.type('What next?\r');
  await terminal.shows('What are you working on?');
  terminal.type(KEYS.escape);
  await terminal.shows('Summarizing…');
  await expect.poll(async () => (await readChat(store)).states).toEqual(['started']);
  terminal.kill();
  await terminal.exited;
  const { messages, view } = await readChat(store);
  expect(view).toHaveLength(messages.length);
  expect(messages.at(-1)).toMatchObject({ role: 'user', content: 'What next?' });
  model.play('summary', { kind: 'text', text: '<state_snapshot>They talked about the login.</state_snapshot>' });
  const again = await openTerminal(chat(store, '--resume', CHAT_ID), { env: env() });
  await again.shows(/> What next\?\nThere is no answer to this yet; \/retry asks for it\.[\s\S]*tokens · /);
  again.type('/retry\r');
  await again.shows('What are you working on?');
  again.type('4');
  await again.shows(/✓ Chat history compressed[\s\S]*That is done\./);
  again.kill();
});
