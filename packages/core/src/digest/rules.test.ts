import { expect, test } from 'vitest';
import { isDemand } from '../facts/demand.ts';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';

const quarter = (text: string): number => text.length / 4;
const said = (role: 'user' | 'assistant', text: string): Message => ({
  role,
  parts: [{ kind: 'text', text }],
  native: undefined,
});
const user = (text: string): Message => said('user', text);
const assistant = (text: string): Message => said('assistant', text);
const bash = (command: string, text: string): readonly Message[] => {
  const call: Part = { kind: 'tool-call', callId: command, name: 'Bash', input: JSON.stringify({ command }) };
  const result: Part = { kind: 'tool-result', callId: command, name: 'Bash', text, isError: false, media: [] };
  return [
    { role: 'assistant', parts: [call], native: undefined },
    { role: 'tool', parts: [result], native: undefined },
  ];
};
const page = (messages: readonly Message[], maxTokens: number): string =>
  digest(messages, { maxTokens, count: quarter }).text;
const runs = (count: number): readonly Message[] =>
  Array.from({ length: count }, (_, index) =>
    bash(`kubectl get pods -n shop-${index}`, `pod-${index} Running 1/1`),
  ).flat();

test.each([
  'The client decided: they will break, but they do not want the landlord to know before January 2028.',
  'So nothing about the break in letters.',
  'Tests in internal/legacy are frozen: leave them.',
  'The payments namespace is off-limits.',
  'Run `make verify` before you say done.',
  'Prepare the revert, but leave the push to me.',
  'Go ahead, terminate 31877 only.',
  'Bitte rufen Sie mich nicht an, nur per E-Mail.',
  'Aber zahlen Sie nicht aufs PayPal, das Konto habe ich gekündigt.',
  'Die alten Tabellen nicht löschen.',
  'Du darfst die Migration nicht ändern.',
  'Merci de ne pas toucher aux tests.',
  'Il ne faut pas redémarrer la base.',
  'No toques la base de datos.',
  'Por favor no cambies la API.',
  'Não altere os testes.',
  'Non cambiare i test.',
  'Verwijder nooit de oude tabellen.',
  'Не трогай базу.',
  '残り二つは消さないでください。',
  "I'll go with the first option, Flight HAT136.",
  'Ich nehme die Minderung.',
])('what the user forbids, freezes or decides is a rule, in many languages: %s', (sentence) => {
  expect(isDemand(sentence)).toBe(true);
});

test.each([
  '### No changes needed',
  "aider/coders/base_coder.py:1245:9: F841 local variable 'interrupted' is assigned to but never used",
  "F841 local variable 'x' is assigned to but never used",
  "no, that's not it, bot use the dark theme.",
  "ok, i think the queued messages component doesn't adhere to what every line must not do",
  'Actually, I was looking to change my flight from ATL to a nonstop to LAS, not LAX.',
  'use that in `show_undo_hint`',
  'No errors found in the log.',
  'Je ne sais pas.',
  'Was muss ich dafür tun?',
  'Das Paket ist noch nicht da.',
  'to stderr only.',
])('a heading, a linter’s line, a reply or a report is no rule: %s', (sentence) => {
  expect(isDemand(sentence)).toBe(false);
});

test('a prohibition outranks lists of runs in a few lines', () => {
  const rule = 'Do NOT restart the postgres StatefulSet and do not touch the payments namespace.';
  const prompt = `Checkout is throwing 502s since this morning in cluster prod-euw4. Find out why. ${rule}`;
  const messages = [user(prompt), ...runs(17), assistant('The pods look fine, the migration does not.'), ...runs(3)];
  for (const maxTokens of [200, 300, 600]) expect(page(messages, maxTokens)).toContain(`- User rule: ${rule}`);
});

test('rules are shortened before one of them is dropped', () => {
  const rules = ['tables', 'queues', 'caches', 'buckets'].map(
    (name) =>
      `Never touch the ${name} of production while the migration runs, whatever the dashboards say about the load.`,
  );
  const text = page([user(`Find the slow query. ${rules.join(' ')}`), ...runs(9)], 300);
  for (const rule of rules) expect(text).toContain(`- User rule: ${rule.slice(0, 40)}`);
});

test('a choice stands with what was offered', () => {
  const offer = 'Option A: Postgres 16 with pgvector. Option B: SQLite with sqlite-vec. Which one do you want?';
  const steps = Array.from({ length: 14 }, (_, index) => [
    user(`Next step ${index}?`),
    assistant(`Step ${index}: wrote module_${index}.py with handle_item_${index}.`),
  ]).flat();
  const text = page([user('Which DB?'), assistant(offer), user('B'), assistant('SQLite it is.'), ...steps], 300);
  expect(text).toContain('- User rule: B (offered: SQLite with sqlite-vec.)');
});

test('a rule is said once: not again with the goal, nor as a correction, nor when it was the last request', () => {
  const rule = 'Never change the public signature.';
  const once = (messages: readonly Message[]): void => {
    const text = page(messages, 400);
    expect(text.split(rule)).toHaveLength(2);
    const next = digest([user('Add a test for it.'), assistant('Added.')], {
      maxTokens: 400,
      count: quarter,
      prior: text,
    });
    expect(next.text.split(rule)).toHaveLength(2);
    expect(next.text).toMatch(/^(?:- User rule: )?Never change the public signature\.$/m);
  };
  once([user(`Make the limit configurable. ${rule}`), assistant('Done so.')]);
  once([user('Make the limit configurable.'), user(rule), assistant('Noted.')]);
  once([user('Make the limit configurable.'), user(rule), user('And now the docs.'), assistant('Noted.')]);
  once([user(rule), assistant('Noted.')]);
});

test('a thousand rules take linear time and no more than their room', () => {
  const prompt = Array.from({ length: 5000 }, (_, index) => `Never touch file number ${index}.`).join('\n');
  const started = process.cpuUsage();
  const text = page([user('Sort it.'), ...Array.from({ length: 8 }, () => user(prompt)), assistant('Sorted.')], 400);
  expect(quarter(text)).toBeLessThanOrEqual(400);
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(4000);
});

test('where both sides have names, people talk: what one of them says is no rule of the user', () => {
  const named = (role: 'user' | 'assistant', text: string): Message =>
    said(role, `${role === 'user' ? 'Ann' : 'Ben'}: ${text}`);
  const talk = [
    'Always wait for me.',
    'Never be late.',
    'Never skip breakfast.',
    'Make sure you come early.',
    'You must not miss the show.',
  ].flatMap((text) => [named('user', text), named('assistant', 'I will not.')]);
  expect(page(talk, 2000)).not.toContain('User rule:');
});
