import { PRESET_NAMES, PRESET_RULES, policyNamed } from 'epitome';
import { expect, test } from 'vitest';
import { positive, readAmount, readSettings } from './options.ts';
import { defaultOf } from './presets.ts';

test.each([
  ['128000', 128_000],
  ['128k', 128_000],
  ['1M', 1_000_000],
  ['1.5k', 1500],
  ['128_000', 128_000],
  ['.5', 0.5],
  ['-3', -3],
  ['', undefined],
  ['k', undefined],
  ['12kb', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
])('%j is the amount %s', (text, amount) => {
  expect(readAmount(text)).toBe(amount);
});

test.each(['0', '-5', 'many', ''])('--window %j is refused', (text) => {
  expect(() => positive('--window', text)).toThrow('--window takes a number above zero');
});

test.each([
  ['selective', 'tokenThreshold=50k', { tokenThreshold: 50_000 }],
  ['selective', 'token_threshold=50000', { tokenThreshold: 50_000 }],
  ['forge', 'retention_window=0', { retentionWindow: 0 }],
  ['selective', 'untilBelow=true', { untilBelow: true }],
  ['selective', 'summary_tag=a=b', { summaryTag: 'a=b' }],
  ['selective', 'model=7', { model: '7' }],
  ['threshold', 'buffer=auto', { buffer: 'auto' }],
  ['threshold', 'buffer=100', { buffer: 100 }],
  ['branch', 'reuse=shared-cutoff', { reuse: 'shared-cutoff' }],
  ['deliberate', 'model.compressionThreshold=0.4', { 'model.compressionThreshold': 0.4 }],
  ['snapshot', 'constructor=1', { constructor: '1' }],
])('%s reads %s by its rule', (preset, setting, expected) => {
  expect(readSettings(preset, [setting])).toEqual(expected);
});

test('the last of equal settings counts', () => {
  expect(readSettings('snapshot', ['keep=0.1', 'keep=0.2'])).toEqual({ keep: 0.2 });
});

test.each(['keep', '=1', ''])('the setting %j is refused', (setting) => {
  expect(() => readSettings('snapshot', [setting])).toThrow('--set takes key=value');
});

test.each([
  ['snapshot', 'keep=much', 'Option `keep` of preset snapshot is "much"'],
  ['snapshot', 'keep=2', 'Option `keep` of preset snapshot is 2; it takes a number above 0 and below 1'],
  ['selective', 'untilBelow=maybe', 'it takes true or false'],
  ['snapshot', 'token_threshold=5', 'Preset snapshot has no option `token_threshold`'],
  ['selective', 'token_threshold=0', 'it takes a whole number from 1'],
])('%s refuses %s by name, value and range', (preset, setting, message) => {
  expect(() => policyNamed(preset, { window: 1000, ...readSettings(preset, [setting]) })).toThrow(message);
});

test.each(PRESET_NAMES)('the defaults listed for %s are its defaults', (preset) => {
  const listed = Object.keys(PRESET_RULES[preset])
    .filter((key) => defaultOf(preset, key) !== 'not set')
    .map((key) => `${key}=${defaultOf(preset, key)}`);
  const given = policyNamed(preset, { window: 200_000, ...readSettings(preset, listed) });
  expect(given).toEqual(policyNamed(preset, { window: 200_000 }));
});
