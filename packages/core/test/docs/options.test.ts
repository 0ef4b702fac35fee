import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PRESET_NAMES, PRESET_RULES, type PresetName } from '../../src/index.ts';

const guide = readFileSync(new URL('../../../../docs/guides/presets.md', import.meta.url), 'utf8');
const common = ['window', 'target', 'reserved', 'summaryMaxTokens'];
const shown = (preset: PresetName, key: string): string => String(PRESET_RULES[preset][key]?.default ?? '–');

test.each(PRESET_NAMES)('the guide lists every option of %s with its default', (preset) => {
  const [, row = ''] = guide.match(new RegExp(`^\\| \`${preset}\` \\|(.*)\\|$`, 'm')) ?? [];
  const listed = row.split(',').map((option) => option.trim());
  const own = Object.keys(PRESET_RULES[preset]).filter((key) => !common.includes(key));
  expect(listed).toEqual(own.map((key) => `\`${key}\` ${shown(preset, key)}`));
});

// A target has no default but that of one preset, which the guide tells in words.
test('the guide lists what all presets take', () => {
  const [, row = ''] = guide.match(/^\| all \|(.*)\|$/m) ?? [];
  for (const preset of PRESET_NAMES) {
    expect(Object.keys(PRESET_RULES[preset]).slice(0, common.length)).toEqual(common);
    expect(row).toContain('`target` off');
    for (const key of ['window', 'reserved']) expect(row).toContain(`\`${key}\` ${shown(preset, key)},`);
  }
});

test.each(PRESET_NAMES)('a figure the guide gives beside an option of %s is its default', (preset) => {
  const section = guide.split(/^## /m).find((text) => text.startsWith(`\`${preset}\``)) ?? '';
  const figures = [...section.matchAll(/`(\w+)` \(?(\d[\d,.]*)/g)].map(([, key = '', figure = '']) => [key, figure]);
  expect(figures.length).toBeGreaterThan(0);
  for (const [key = '', figure = ''] of figures) {
    expect(`${key} ${Number(figure.replaceAll(',', ''))}`).toBe(`${key} ${shown(preset, key)}`);
  }
});

test.each(PRESET_NAMES)('a default in the types of %s is that of its rules', (preset) => {
  const source = readFileSync(new URL(`../../src/presets/${preset}.ts`, import.meta.url), 'utf8');
  const named = [...source.matchAll(/@default (.*)\n\s*\*\/\n\s*readonly '?([\w.]+)'?\?/g)].map(
    ([, value = '', key = '']) => [key, value.replaceAll("'", '')],
  );
  const rules = Object.entries(PRESET_RULES[preset]).filter(([key]) => !common.includes(key));
  expect(named).toEqual(
    rules.flatMap(([key, { default: value }]) => (value === undefined ? [] : [[key, String(value)]])),
  );
});
