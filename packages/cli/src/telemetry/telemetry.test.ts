import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Attributes, type Span, type TracerProvider, trace } from '@opentelemetry/api';
import { compact, presets } from 'epitome';
import { CHECK_IN_DEFAULTS, checkIn, compressionEvent } from 'epitome/goals';
import { afterAll, afterEach, expect, test } from 'vitest';
import { openTelemetry } from './telemetry.ts';

const folder = mkdtempSync(join(tmpdir(), 'epitome-telemetry-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => trace.disable());

const messages = Array.from({ length: 12 }, (_, at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `${at} words about the secret parser `.repeat(20),
}));
const format = 'openai-chat';
const ended = await compact({ format, messages, policy: presets.deliberate({ window: 1000 }) });
const decision = ended.decision;
const done = await checkIn({
  format,
  messages,
  decision,
  window: 1000,
  asked: { kind: 'nobody' },
  settings: CHECK_IN_DEFAULTS,
});
const event = compressionEvent({ ended, checkIn: done, preset: 'deliberate' });
const silent = (): void => {};

test('a file takes one line an event, for nobody else to read', async () => {
  const file = join(folder, 'new', 'events.jsonl');
  const telemetry = await openTelemetry({ file }, silent);
  telemetry.take(event);
  telemetry.take(event);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { at: expect.stringMatching(/^\d{4}-.*Z$/), ...event },
    { at: expect.any(String), ...event },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(lines.join()).not.toContain('parser');
});

test('nothing is written unless asked', async () => {
  const telemetry = await openTelemetry({}, silent);
  telemetry.take(event);
  await telemetry.flush();
  expect(existsSync(join(folder, 'events.jsonl'))).toBe(false);
});

test('a file that cannot be written is told once and stops nothing', async () => {
  const said: string[] = [];
  const telemetry = await openTelemetry({ file: folder }, (sentence) => said.push(sentence));
  telemetry.take(event);
  telemetry.take(event);
  expect(said).toEqual([expect.stringContaining(`Telemetry cannot be written to ${folder}`)]);
});

/** What an SDK that somebody installed would see. */
function installed(): { spans: { name: string; attributes: Attributes }[]; flushed: () => number } {
  const spans: { name: string; attributes: Attributes }[] = [];
  let flushes = 0;
  const provider = {
    getTracer: () => ({
      startSpan: (name: string, { attributes = {} }: { attributes?: Attributes } = {}) => {
        spans.push({ name, attributes });
        return { end: () => {} } as Span;
      },
      startActiveSpan: () => {
        throw new Error('not used');
      },
    }),
    forceFlush: async () => {
      flushes += 1;
    },
  };
  trace.setGlobalTracerProvider(provider as TracerProvider);
  return { spans, flushed: () => flushes };
}

test('OpenTelemetry gets every field that is known, where an SDK is there and it was asked for', async () => {
  const { spans, flushed } = installed();
  (await openTelemetry({}, silent)).take(event);
  expect(spans).toEqual([]);
  const telemetry = await openTelemetry({ openTelemetry: true }, silent);
  telemetry.take(event);
  await telemetry.flush();
  const { event: name, ...fields } = event;
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  expect(spans).toEqual([
    {
      name,
      attributes: { 'gen_ai.operation.name': 'compact', 'gen_ai.conversation.compacted': true, ...known },
    },
  ]);
  expect(flushed()).toBe(1);
});

test('without an SDK nothing happens', async () => {
  const warnings: string[] = [];
  const telemetry = await openTelemetry({ openTelemetry: true }, (sentence) => warnings.push(sentence));
  expect(() => telemetry.take(event)).not.toThrow();
  await expect(telemetry.flush()).resolves.toBeUndefined();
  expect(warnings).toEqual([]);
});
