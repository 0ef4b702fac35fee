import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';

const quarter = (text: string): number => text.length / 4;
const user = (text: string): Message => ({ role: 'user', parts: [{ kind: 'text', text }], native: undefined });
const read = (file: string, text: string): readonly Message[] => {
  const call: Part = { kind: 'tool-call', callId: file, name: 'Read', input: JSON.stringify({ file_path: file }) };
  const result: Part = { kind: 'tool-result', callId: file, name: 'Read', text, isError: false, media: [] };
  return [
    { role: 'assistant', parts: [call], native: undefined },
    { role: 'tool', parts: [result], native: undefined },
  ];
};
const edit = (file: string, before: string, after: string): readonly Message[] => {
  const input = JSON.stringify({ file_path: file, old_string: before, new_string: after });
  const call: Part = { kind: 'tool-call', callId: after, name: 'Edit', input };
  const result: Part = { kind: 'tool-result', callId: after, name: 'Edit', text: 'ok', isError: false, media: [] };
  return [
    { role: 'assistant', parts: [call], native: undefined },
    { role: 'tool', parts: [result], native: undefined },
  ];
};
const page = (messages: readonly Message[], maxTokens = 1000): string =>
  digest([user('Look at the settings.'), ...messages], { maxTokens, count: quarter }).text;

const limits = Array.from({ length: 9 }, (_, at) => [`limitOf${'ABCDEFGHI'[at]}`, 400 + at]);
const settings = {
  name: 'shop',
  backup: { enabled: true, everyHours: 6 },
  mail: { enabled: false, everyHours: 1 },
  limits: Object.fromEntries(limits),
};

test('a setting of a JSON file stands with the block it is in, each quote of a long one', () => {
  const text = page(read('/w/settings.json', JSON.stringify(settings, null, 2)));
  expect(text).toContain('\n  "backup": {"enabled": true, "everyHours": 6\n');
  expect(text).toContain('\n  "mail": {"enabled": false, "everyHours": 1\n');
  const quotes = text.split('\n').filter((line) => line.includes('limitOf'));
  expect(quotes.length).toBeGreaterThan(1);
  for (const quote of quotes) expect(quote).toMatch(/^ {2}"limits": \{"limitOf/);
});

test('what stands behind a block is none of its settings', () => {
  const text = page(
    read('/w/a.json', '{\n  "mail": {\n    "enabled": false\n  },\n  "port": 8080,\n  "host": "db7"\n}'),
  );
  expect(text).toContain('"mail": {"enabled": false');
  expect(text).toMatch(/^ {2}"port": 8080, "host": "db7"$/m);
});

test('a setting of an INI, TOML or YAML file stands behind its section', () => {
  const ini = page(
    read('/w/a.ini', '[database]\nhost = 10.1.2.3\nport = 5432\n\n[cache]\nhost = 10.1.2.4\nport = 6379\n'),
  );
  expect(ini).toContain('  [database]\n  host = 10.1.2.3\n  port = 5432\n');
  expect(ini).toContain('  [cache]\n  host = 10.1.2.4\n  port = 6379\n');
  const yaml = page(read('/w/a.yml', 'services:\n  web:\n    image: nginx:1.25.3\n  cache:\n    image: redis:7.2.4\n'));
  expect(yaml).toContain('  web:\n  image: nginx:1.25.3\n');
  expect(yaml).toContain('  cache:\n  image: redis:7.2.4\n');
});

test('a block whose settings were replaced leaves no bare name behind', () => {
  const old = '[cache]\nhost = 10.1.2.4\n\n[database]\nport = 5432\n';
  const text = page([...read('/w/a.ini', old), ...edit('/w/a.ini', 'host = 10.1.2.4', 'host = 10.9.9.9')]);
  expect(text).not.toContain('[cache]');
  expect(text).toContain('host = 10.9.9.9');
  expect(text).toContain('[database]');
});
