import { PRESET_NAMES, PRESET_RULES, policyNamed } from 'epitome';
import { expect, test } from 'vitest';
import { RUN_HELP } from './help/compacting.ts';
import { COMMON_DEFAULTS, defaultOf, PRESET_LINES } from './presets.ts';

const percent = (share: string): string => `${Number(share) * 100}%`;

test('an option that the library gives no default is not set', () => {
  expect(defaultOf('selective', 'messageThreshold')).toBe('not set');
  expect(defaultOf('selective', 'untilBelow')).toBe('false');
  expect(defaultOf('deliberate', 'compressionStrategy')).toBe('since-last-prompt');
});

test('what is listed for every preset is what every preset has', () => {
  for (const preset of PRESET_NAMES) {
    expect(Object.keys(PRESET_RULES[preset])).toEqual(expect.arrayContaining(Object.keys(COMMON_DEFAULTS)));
    for (const key of ['target', 'reserved']) expect(COMMON_DEFAULTS[key]).toBe(defaultOf(preset, key));
  }
});

test.each([
  [10_000, 1000],
  [100_000, 5000],
  [1_000_000, 8000],
])('a summary of a window of %i is %i tokens, as the list says in words', (window, tokens) => {
  expect(COMMON_DEFAULTS['summaryMaxTokens']).toBe(
    'a twentieth of the window (epitome: a tenth), from 1000 to 8000 but no more than a quarter of it',
  );
  expect(policyNamed('snapshot', { window }).summaryMaxTokens).toBe(tokens);
  expect(policyNamed('epitome', { window: window / 2 }).summaryMaxTokens).toBe(tokens);
});

test('below a window of 4000 a summary is a quarter of it, as the list says in words', () => {
  expect(COMMON_DEFAULTS['summaryMaxTokens']).toContain('no more than a quarter of it');
  for (const preset of ['snapshot', 'epitome'] as const) {
    expect(policyNamed(preset, { window: 2000 }).summaryMaxTokens).toBe(500);
  }
});

test.each([
  ['snapshot', percent(defaultOf('snapshot', 'keep'))],
  ['deliberate', `${Number(defaultOf('deliberate', 'compressionTriggerTokens')) / 1000}k tokens`],
  ['branch', percent(defaultOf('branch', 'triggerRatio'))],
  ['branch', percent(defaultOf('branch', 'recentRatio'))],
] as const)('the line of %s and the help name its default, %s', (preset, words) => {
  expect(PRESET_LINES[preset]).toContain(words);
  expect(RUN_HELP).toMatch(new RegExp(`${preset} .*${words}`));
});

test.each(['snapshot', 'deliberate'] as const)('half the window, as the line of %s says', (preset) => {
  const key = preset === 'snapshot' ? 'threshold' : 'compressionTriggerUtilization';
  expect(defaultOf(preset, key)).toBe('0.5');
  expect(PRESET_LINES[preset]).toContain('half the window');
});
