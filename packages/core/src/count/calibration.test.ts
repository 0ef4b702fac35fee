import { expect, test } from 'vitest';
import { type Calibration, correctionFactor, PLAIN_RULE } from './calibration.ts';
import { requestTokens } from './measure.ts';
import { createMeter } from './meter.ts';

const QUARTER_RULE = { defaultFactor: 2, maxFactor: 5 };
const meter = createMeter({ kind: 'quarter', ...QUARTER_RULE }, 'openai-chat');
const estimateRequest = (heuristic: number, calibration: Calibration | undefined): number =>
  requestTokens(0, heuristic * correctionFactor(calibration, QUARTER_RULE), { meter, calibration }).request;

test.each([
  { what: 'nothing real yet doubles', heuristic: 100, real: undefined, at: 0, estimate: 200 },
  { what: 'a factor of two is carried on', heuristic: 750, real: 1000, at: 500, estimate: 1500 },
  { what: 'a factor under one counts as one', heuristic: 600, real: 300, at: 600, estimate: 600 },
  { what: 'the cap holds but the real count wins', heuristic: 1000, real: 10_000, at: 1000, estimate: 10_000 },
  {
    what: '+80,000 characters at factor two',
    heuristic: 70_000 + 20_000,
    real: 140_000,
    at: 70_000,
    estimate: 180_000,
  },
  { what: 'a smaller request is not the one that was counted', heuristic: 100, real: 2000, at: 1000, estimate: 200 },
])('$what: $estimate', ({ heuristic, real, at, estimate }) => {
  const calibration = real === undefined ? undefined : { real, heuristic: at };
  expect(estimateRequest(heuristic, calibration)).toBe(estimate);
});

test('what only the provider has seen stays when a request shrinks', () => {
  const calibration = { real: 10_000, heuristic: 1000 };
  const sizeOf = (fixed: number, history: number): object => requestTokens(fixed, history, { meter, calibration });
  expect(sizeOf(1000, 4000)).toEqual({ fixed: 6000, history: 4000, request: 10_000 });
  expect(sizeOf(1000, 500)).toEqual({ fixed: 6000, history: 500, request: 6500 });
  // One that has grown is never under the count.
  expect(sizeOf(1000, 6000)).toEqual({ fixed: 4000, history: 6000, request: 10_000 });
  expect(requestTokens(0, 5, { meter, calibration: { real: Number.NaN, heuristic: 5 } }).request).toBe(5);
});

test('an unusable calibration counts as none', () => {
  for (const calibration of [
    { real: 0, heuristic: 10 },
    { real: 10, heuristic: 0 },
    { real: Number.NaN, heuristic: 5 },
  ]) {
    expect(correctionFactor(calibration, QUARTER_RULE)).toBe(2);
    expect(correctionFactor(calibration, PLAIN_RULE)).toBe(1);
  }
});
