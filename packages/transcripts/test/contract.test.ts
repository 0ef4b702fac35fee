import { readFileSync } from 'node:fs';
import { type FormatName, formats } from 'epitome';
import { describe, expect, test } from 'vitest';
import { convertMessages, entriesOf, messagesOf, repairMessages, type SourceName } from '../src/index.ts';
import { plainFaults } from './support/plain-pairs.ts';
import { fixture, neutral, partsOf, sessionIn, sessionsOf } from './support/read.ts';

// Every fixture tells the same story, so that one law holds for all of them.
const P1 = "Why does parseDate('2024-02-30') return March 1? Fix it in src/date.ts.";
const P2 = 'Now add a test for 2023-02-29, too.';
const TEXTS = [
  P1,
  'I will look at the parser and where it is used.',
  'The day is never checked against the month.',
  'Fixed: a day the month does not have now throws RangeError.',
  P2,
  'Added test/date.test.ts with both dates.',
];
const CALLS = ['read', 'grep', 'edit'];
const RESULTS = ['export function parseDate', 'grep: lib: No such file', '1 replacement in src/date.ts'];

type Case = readonly [file: string, source: SourceName, format: FormatName, known: Known];
type Known = { readonly model?: string; readonly requests?: number; readonly system?: true; readonly id?: string };

const cases: readonly Case[] = [
  ['claude-code.jsonl', 'claude-code', 'anthropic', { model: 'claude-test-1', requests: 4, id: 's-1' }],
  ['codex.jsonl', 'codex', 'openai-responses', { model: 'gpt-test-1', requests: 2, system: true, id: 's-1' }],
  ['codex-bare.jsonl', 'codex', 'openai-responses', { system: true, id: 's-1' }],
  ['codex-first.json', 'codex', 'openai-responses', { system: true, id: 's-1' }],
  ['gemini-cli.json', 'gemini-cli', 'gemini', { model: 'gemini-test-1', requests: 4, id: 's-1' }],
  ['gemini-cli.jsonl', 'gemini-cli', 'gemini', { model: 'gemini-test-1', requests: 4, id: 's-1' }],
  ['opencode.json', 'opencode', 'ai-sdk', { model: 'gpt-test-1', requests: 3, id: 'ses_1' }],
  ['pi-first.jsonl', 'pi', 'ai-sdk', { model: 'claude-test-1', requests: 4, id: 's-1' }],
  ['pi.jsonl', 'pi', 'ai-sdk', { model: 'claude-test-1', requests: 4, id: 's-1' }],
  ['copilot-cli.jsonl', 'copilot-cli', 'openai-chat', { model: 'gpt-test-1', system: true, id: 's-1' }],
  ['forge.json', 'forge', 'openai-chat', { model: 'claude-test-1', requests: 1, id: 's-1' }],
  ['openhands.json', 'openhands', 'openai-chat', { model: 'claude-test-1', requests: 2, system: true }],
  ['openhands-agent.jsonl', 'openhands', 'openai-chat', { system: true }],
  ['tau-bench.json', 'tau-bench', 'openai-chat', { id: 'task-0-trial-0' }],
  ['api-openai-chat.jsonl', 'api', 'openai-chat', {}],
  ['api-requests.jsonl', 'api', 'openai-chat', { model: 'gpt-test-1' }],
  ['api-anthropic.json', 'api', 'anthropic', { model: 'claude-test-1', system: true }],
  ['api-gemini.json', 'api', 'gemini', { system: true }],
  ['api-responses.json', 'api', 'openai-responses', {}],
  ['api-ai-sdk.json', 'api', 'ai-sdk', {}],
];

describe.each(cases)('%s', (file, source, format, known) => {
  test('is known by its content, with what it tells of the session', async () => {
    const session = await sessionIn(file);
    expect([session.source, session.format]).toEqual([source, format]);
    expect(session.faultCount).toBe(0);
    expect(session.requests).toHaveLength(known.requests ?? 0);
    if (known.model !== undefined) expect(session.models).toContain(known.model);
    if (known.system) expect(JSON.stringify(session.system)).toContain('You are a careful engineer.');
    if (known.id !== undefined) expect(session.id).toBe(known.id);
  });

  test('keeps every text, call and result, in order', async () => {
    const messages = neutral(await sessionIn(file));
    const texts = partsOf(messages, 'text').map(({ text }) => text);
    expect(texts.filter((text) => TEXTS.includes(text))).toEqual(TEXTS);
    expect(partsOf(messages, 'tool-call').map(({ name }) => name)).toEqual(CALLS);
    expect(JSON.parse(partsOf(messages, 'tool-call')[0]?.input ?? '')).toEqual({ path: 'src/date.ts' });
    const results = partsOf(messages, 'tool-result');
    expect(results.map(({ text }, index) => text.includes(RESULTS[index] ?? ''))).toEqual([true, true, true]);
  });

  test('pairs every call with its result', async () => {
    const messages = neutral(await sessionIn(file));
    const calls = partsOf(messages, 'tool-call').map(({ callId }) => callId);
    expect(partsOf(messages, 'tool-result').map(({ callId }) => callId)).toEqual(calls);
    expect(new Set(calls).size).toBe(3);
  });

  test('breaks no rule of its format, and is repaired to itself', async () => {
    const session = await sessionIn(file);
    const natives = messagesOf(session);
    expect(errorsOf(format, natives)).toEqual([]);
    expect(plainFaults(format, natives)).toEqual([]);
    // The plain look finds what is broken: without its first answer the list has results of nobody's.
    const at = natives.findIndex((native) =>
      /"(?:call_|tool_use|tool_calls|tool-call|functionCall)/.test(JSON.stringify(native)),
    );
    expect(plainFaults(format, natives.toSpliced(at, 1))).not.toEqual([]);
    expect(repairMessages(natives, format).messages).toBe(natives);
  });

  test.each(['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk'] as const)(
    'goes over to %s with every text, call and result',
    async (to) => {
      const { messages, losses } = convertMessages(messagesOf(await sessionIn(file)), format, to);
      expect(errorsOf(to, messages)).toEqual([]);
      expect(plainFaults(to, messages)).toEqual([]);
      const all = JSON.stringify(messages);
      for (const text of TEXTS) expect(all).toContain(JSON.stringify(text).slice(1, -1));
      for (const result of RESULTS) expect(all).toContain(result);
      expect([losses.unanswered, losses.orphans, losses.moved]).toEqual([0, 0, 0]);
    },
  );

  test('reads the same from chunks of any size', async () => {
    const bytes = readFileSync(fixture(file));
    const whole = await sessionsOf(bytes);
    for (const size of [1, 7, 100, 4096]) expect(await sessionsOf(bytes, size)).toEqual(whole);
  });

  test('has parents in front of their children, and one way to each leaf', async () => {
    const { entries, branches, ...rest } = await sessionIn(file);
    entries.forEach(({ parent }, index) => {
      expect(parent).toBeLessThan(index);
    });
    for (const { leaf } of branches) {
      const path = entriesOf({ ...rest, entries, branches }, leaf);
      expect(path.at(-1)).toBe(leaf);
    }
  });
});

function errorsOf(format: FormatName, natives: readonly unknown[]): readonly unknown[] {
  return formats[format].validate(natives).filter(({ severity }) => severity === 'error');
}
