import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBuilt, scratch } from '../kit.ts';
import { type ChatModelServer, startChatModel } from './model.ts';
import { CHAT_ID, readChat, seedChat } from './seeded.ts';
import { KEYS, openTerminal, type Terminal } from './terminal.ts';

let model: ChatModelServer;
const { path } = scratch();

beforeAll(async () => {
  ensureBuilt();
  model = await startChatModel();
}, 120_000);
afterAll(() => model.close());

const env = (): Record<string, string> => ({
  OPENAI_COMPATIBLE_BASE_URL: model.url,
  EPITOME_CONFIG: path('none.yaml'),
  OPENAI_COMPATIBLE_API_KEY: 'sk-canary-123456',
});
const DONE = { kind: 'text', text: 'That is **done**.' } as const;

/** Waits until a command's words are there and the chat rests below them. */
function says(terminal: Terminal, words: string): Promise<string> {
  return terminal.shows(new RegExp(`${words.replace(/[()[\]?*.+$]/g, '\\$&')}[\\s\\S]*\\n> *\\n[^\\n]*tokens`));
}

test('tools run inside the folder, a command only when it is allowed, and none sees a key or moves the cursor', async () => {
  const folder = path('work');
  mkdirSync(folder);
  writeFileSync(`${folder}/notes.txt`, 'first line\n\u001b[2J\u001b]0;owned\u0007second line');
  const args = ['chat', '--model', 'openai-compatible/m', '--store', path('tools.db'), '--window', '1m'];
  const terminal = await openTerminal(args, { env: env(), cwd: folder, rows: 50 });
  await terminal.shows('tokens · ');
  const shell = {
    kind: 'call',
    name: 'shell',
    input: { command: 'echo "key:$OPENAI_COMPATIBLE_API_KEY."; pwd' },
  } as const;
  model.play(
    'chat',
    { kind: 'call', name: 'read_file', input: { path: 'notes.txt' } },
    { kind: 'call', name: 'read_file', input: { path: '../none.yaml' } },
    shell,
    shell,
    DONE,
  );
  terminal.type('Look around\r');
  await terminal.shows('Run this shell command?');
  // Somebody who types as the question comes has not read it.
  terminal.type('y');
  await terminal.advance(500);
  terminal.type('n');
  await terminal.shows('The user did not allow this call.');
  await terminal.shows('Run this shell command?');
  await terminal.advance(500);
  terminal.type('2');
  const shown = await says(terminal, 'That is done.');
  expect(shown).toMatch(/✓ read notes\.txt\n {2}first line\n {2}second line/);
  expect(shown).toContain('✗ read ../none.yaml');
  expect(shown).toContain('is outside the working directory');
  expect(shown).toContain('key:.');
  model.play('chat', shell, DONE);
  terminal.type('Again\r');
  await says(terminal, '> Again\n\n✓ $ echo');
  expect(model.received.map(({ text }) => text).join()).not.toContain('sk-canary');
  terminal.type('/exit\r');
  expect(await terminal.exited).toBe(0);
});

test('what is to be allowed is shown whole, and who is writing a message allows nothing', async () => {
  const args = ['chat', '--model', 'openai-compatible/m', '--store', path('allow.db'), '--window', '1m'];
  const terminal = await openTerminal(args, { env: env(), columns: 40 });
  await terminal.shows('tokens · ');
  const command = `echo start # ${'padding '.repeat(60)}\necho the end`;
  model.play('chat', { kind: 'call', name: 'shell', input: { command } }, DONE);
  terminal.type('Go\r');
  await terminal.shows('Run this shell command?');
  expect(terminal.scrollback()).toMatch(/padding\n +echo the end\n+Run this/);
  await terminal.advance(500);
  terminal.type('may');
  await terminal.shows('You are writing');
  terminal.type('ay');
  await terminal.shows('> mayay');
  terminal.type('\u0015');
  terminal.type('y');
  await says(terminal, 'That is done.');
  terminal.type('/exit\r');
  expect(await terminal.exited).toBe(0);
});

test('a path is no command; what waits is kept when somebody leaves', async () => {
  const store = path('leave.db');
  const args = ['chat', '--model', 'openai-compatible/m', '--store', store, '--no-tools', '--window', '1m'];
  const terminal = await openTerminal(args, { env: env() });
  await terminal.shows('tokens · ');
  model.play('chat', DONE, { kind: 'text', text: 'Half', hold: true });
  terminal.type('/etc/hosts is empty?\r');
  await says(terminal, 'That is done.');
  terminal.type('/stats\r');
  const id = /chat +(\S+)/.exec(await says(terminal, 'compacted'))?.[1] ?? '';
  terminal.type('First\r');
  await terminal.shows('Half');
  terminal.type('Second\r/tree\r');
  await terminal.shows(/waiting: Second\n +waiting: \/tree/);
  terminal.type('\u0004');
  expect(await terminal.exited).toBe(0);
  model.release();
  const spoken = (await readChat(store, id)).messages.map(({ role, content }) => (role === 'user' ? content : role));
  expect(spoken).toEqual(['/etc/hosts is empty?', 'assistant', 'First', 'assistant', 'Second']);
});

test('a paste of a megabyte is shown in a few words and sent whole', async () => {
  const args = ['chat', '--model', 'openai-compatible/m', '--store', path('paste.db'), '--no-tools', '--window', '10m'];
  const terminal = await openTerminal(args, { env: env(), columns: 40, rows: 24 });
  await terminal.shows('tokens · ');
  model.play('chat', DONE);
  model.received.length = 0;
  const text = Array.from({ length: 20_000 }, (_, index) => `line ${index} of what was pasted, with $& in it`).join(
    '\n',
  );
  terminal.type(`\u001b[200~${text}\u001b[201~`);
  await terminal.shows(`[paste 1: ${text.length}`);
  terminal.type(' and more\r');
  await terminal.shows('That is done.');
  const sent = model.received.find(({ purpose }) => purpose === 'chat')?.body.messages.at(-1)?.content;
  expect(JSON.stringify(sent)).toContain(JSON.stringify(`${text} and more`).slice(1, -1));
  expect(terminal.scrollback().split('\n').length).toBeLessThan(60);
  terminal.type('/exit\r');
  expect(await terminal.exited).toBe(0);
});

test('Ctrl-C stops an answer and keeps what was said; twice at rest leaves; lines are made with Alt+Enter and backslash', async () => {
  const store = path('cancel.db');
  const args = ['chat', '--model', 'openai-compatible/m', '--store', store, '--no-tools', '--window', '1m'];
  const terminal = await openTerminal(args, { env: { ...env(), NO_COLOR: '1' } });
  await terminal.shows('tokens · ');
  model.play('chat', { kind: 'text', text: 'The first half', hold: true }, DONE);
  terminal.type('one\u001b\rtwo\\\rthree\r');
  await terminal.shows('The first half');
  terminal.type(KEYS.interrupt);
  await says(terminal, 'Cancelled. What was said so far is kept.');
  model.release();
  terminal.type('/stats\r');
  const id = /chat +(\S+)/.exec(await says(terminal, 'compacted'))?.[1] ?? '';
  terminal.type(KEYS.interrupt);
  await terminal.shows('Ctrl-C again leaves');
  terminal.type(KEYS.interrupt);
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain(`epitome chat --resume ${id.slice(0, 8)}`);
  expect((await readChat(store, id)).messages).toEqual([
    { role: 'user', content: 'one\ntwo\nthree' },
    { role: 'assistant', content: [{ type: 'text', text: 'The first half' }] },
  ]);
});

test('the commands compact, undo, bring back, find, branch, and know what may have been meant', async () => {
  const store = path('commands.db');
  await seedChat(store);
  model.play('chat', DONE);
  model.received.length = 0;
  const args = ['chat', '--resume', CHAT_ID, '--store', store, '--no-tools', '--window', '1m'];
  const terminal = await openTerminal(args, { env: env(), rows: 60, columns: 100 });
  await terminal.shows('tokens · ');
  const command = async (line: string, words: string): Promise<string> => {
    terminal.type(`\u0015${line}\r`);
    return says(terminal, words);
  };
  await command('/plan', '/plan apply does it.');
  expect(await command('/plan pin 2', ' pinned ')).toMatch(/^2 +user +pinned +\d+ +Question 2/m);
  expect(await command('/plan exclude 5', ' excluded ')).toMatch(/^5 +assistant +excluded +\d+ +Step 3/m);
  await command('/plan apply the third step', '1 pinned message kept whole, 1 excluded message out of view');
  expect(await command('/plan', ' (summary) ')).toMatch(/^0[^\n]* summarize +\d+ +\(summary\) /m);
  const asked = model.received.find(({ purpose }) => purpose === 'summary');
  expect(['the third step', 'Step 2: ', 'Step 3: '].map((words) => asked?.text.includes(words))).toEqual([
    true,
    true,
    false,
  ]);
  const planned = await readChat(store);
  const view = planned.view.join('\n');
  expect(['Question 2: how', 'the third step'].map((words) => view.includes(words))).toEqual([true, false]);
  expect(planned.states).toEqual(['completed']);
  await command('/undo', 'Taken back: the model sees the messages again; 46.2k tokens.');
  expect((await readChat(store)).view).toHaveLength(planned.messages.length);
  terminal.type('\u000f');
  const details = await terminal.shows('/redo does it again.');
  expect(details).toContain('Taken back. What the model read in their place:');
  await command('/redo', 'Compacted again, as before');
  terminal.type('\u000f');
  await terminal.shows('/undo takes it back, /restore brings single messages back.');
  expect((await readChat(store)).view).toEqual(planned.view);
  await command('/recall src/auth/step3.ts', 'user: Question 3');
  await command('/restore 99', '/restore takes numbers from 1 to');
  await command('/branch other', 'On the new branch other');
  await command('/tree', '* other');
  await command('/switch main', 'On the branch main.');
  await command('/goal ship the login page', 'Goal: ship the login page.');
  await command('/compres', 'did you mean /compress?');
  await command('/settings compressionTriggerTokens', 'compressionTriggerTokens: 40000');
  terminal.type('/re\t');
  await terminal.shows(/^> \/redo /m);
  terminal.type('\t\t');
  await terminal.shows(/^> \/recall /m);
  await command('/model nonsense', 'There is no model "nonsense"');
  await command('/help', '/exit');
  terminal.type('/exit\r');
  expect(await terminal.exited).toBe(0);
});

test('the demo needs no key: a question, a goal, a summary, and back again', async () => {
  const terminal = await openTerminal(['chat', '--demo'], { rows: 50 });
  await terminal.shows('Press Enter to send');
  terminal.type(KEYS.enter);
  await terminal.shows('1. Keeping the query string through the login redirect');
  terminal.type('1');
  const shown = await says(terminal, 'nothing is lost.');
  expect(shown).toMatch(/✓ Chat history compressed: 4\d(\.\d)?k → \d(\.\d)?k tokens/);
  terminal.type('/undo\r');
  await says(terminal, 'Taken back: the model sees the messages again');
  terminal.type('/exit\r');
  expect(await terminal.exited).toBe(0);
});

test('in lines: asks, takes a message meanwhile, stops an answer with Ctrl-C, leaves with it at rest', async () => {
  const store = path('plain.db');
  await seedChat(store);
  const args = ['chat', '--plain', '--resume', CHAT_ID, '--store', store, '--no-tools', '--window', '1m'];
  const terminal = await openTerminal(args, { env: env(), rows: 60 });
  await terminal.shows(/Epitome with openai-compatible\/m[^>]*\n>/);
  model.play('chat', DONE, { kind: 'text', text: 'Half an answer', hold: true });
  terminal.type('What next?\r');
  await terminal.shows('auto-compress in 30s');
  terminal.type('and then?\r');
  await terminal.shows('(Your message waits its turn; 1 waiting.)');
  terminal.type('5\r');
  await terminal.shows('An empty line compresses without a goal.');
  terminal.type('ship it\r');
  const shown = await terminal.shows('Half an answer');
  expect(shown).toMatch(/✓ Chat history compressed[^\n]*\nGoal: ship it\n[^\n]*\nThat is \*\*done\*\*\./);
  terminal.type(KEYS.interrupt);
  await terminal.shows(/Cancelled\. What was said so far is kept\.\n\[[^\n]*\]\n>/);
  terminal.type(KEYS.interrupt);
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toContain('Kept. epitome chat --resume seeded-c goes on with it.');
  model.release();
});
