import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { outputLines } from './clean.ts';
import { digest } from './index.ts';
import { withoutRepeats } from './logs.ts';

const request = (at: number): string =>
  `2026-02-11T07:33:0${at % 10}.114Z INFO http.server request id=${at * 7919} path=/cart/${at} status=200 dur=${at}ms`;
const requests = Array.from({ length: 40 }, (_, at) => request(at));
const FATAL =
  '2026-02-11T07:33:02.640Z FATAL checkout.boot FlywayValidateException: checksum mismatch applied=-1822304417';
const log = [...requests.slice(0, 30), FATAL, ...requests.slice(30)].join('\n');

const page = (maxTokens: number): string => {
  const input = JSON.stringify({ command: 'kubectl logs api-1 --previous' });
  const call: Part = { kind: 'tool-call', callId: 'c', name: 'Bash', input };
  const result: Part = { kind: 'tool-result', callId: 'c', name: 'Bash', text: log, isError: false, media: [] };
  const messages: readonly Message[] = [
    { role: 'user', parts: [{ kind: 'text', text: 'Why does it crash?' }], native: undefined },
    { role: 'assistant', parts: [call], native: undefined },
    { role: 'tool', parts: [result], native: undefined },
  ];
  return digest(messages, { maxTokens }).text;
};

test.each([300, 1000, 2000])('at %i tokens the fatal line of a log is there, not forty requests', (maxTokens) => {
  const text = page(maxTokens);
  expect(text).toContain(FATAL);
  expect(text.match(/INFO/g)?.length ?? 0).toBeLessThan(2);
});

test('lines of a log that differ in ids and times alone are one, with how many there are', () => {
  expect(withoutRepeats([...requests, FATAL])).toEqual([`${request(0)} (×40 alike)`, FATAL]);
});

test('lines that are no log stay, however alike', () => {
  const rows = ['order 4711 sent', 'order 4712 sent', 'order 4713 sent'];
  expect(withoutRepeats(rows)).toEqual(rows);
});

test('what an installer says of all that was there already is not quoted', () => {
  const lines = [
    'Requirement already satisfied: attrs>=19.2.0 in /opt/env/lib/python3.9/site-packages (from bugbear==21.9.2) (24.2.0)',
    'Successfully installed lake-3.13.0',
  ];
  expect(outputLines(lines.join('\n'), 'result')).toEqual(lines.slice(1));
});
