import { type OptionRule, PRESET_ALIASES, PRESET_NAMES, PRESET_RULES, type PresetName, presetNamed } from 'epitome';
import { columns, widest, wrapLines } from '../output/text.ts';
import { writeOut } from '../output/write.ts';
import { COMMON_DEFAULTS, defaultOf, PRESET_LINES } from '../presets.ts';

/** Lists the presets with their options, defaults and ranges. Returns the exit code. */
export async function runPresets(name: string | undefined, options: { readonly json?: true } = {}): Promise<number> {
  const names = name === undefined ? PRESET_NAMES : [presetNamed(name)];
  if (options.json) {
    const all = names.map((preset) => ({ name: preset, about: PRESET_LINES[preset], options: PRESET_RULES[preset] }));
    await writeOut(`${JSON.stringify(all)}\n`);
    return 0;
  }
  const common = Object.entries(COMMON_DEFAULTS).map(([key, value]) => [key, value, ''] as const);
  const blocks = [...names.map(presetBlock), ['every preset', ...align(common)]];
  const text = blocks.map((lines) => lines.join('\n')).join('\n\n');
  await writeOut(`${wrapLines(text, columns())}\n`);
  return 0;
}

function presetBlock(name: PresetName): readonly string[] {
  const aliases = Object.entries(PRESET_ALIASES).flatMap(([alias, preset]) => (preset === name ? [alias] : []));
  const title = aliases.length === 0 ? name : `${name} (also ${aliases.join(', ')})`;
  const rows = Object.entries(PRESET_RULES[name])
    .filter(([key]) => !(key in COMMON_DEFAULTS))
    .map(([key, rule]) => [key, defaultOf(name, key), rangeOf(rule)] as const);
  return [title, `  ${PRESET_LINES[name]}`, ...align(rows)];
}

function align(rows: readonly (readonly [string, string, string])[]): readonly string[] {
  const keyWidth = widest(rows.map(([key]) => key));
  const valueWidth = widest(rows.map(([, value]) => value));
  return rows.map(([key, value, range]) =>
    `    ${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  ${range}`.trimEnd(),
  );
}

function rangeOf(rule: OptionRule): string {
  switch (rule.kind) {
    case 'number':
    case 'integer':
    case 'auto-or-integer':
    case 'auto-off-or-integer':
    case 'off-or-integer':
    case 'off-or-number': {
      const isBelow = rule.below || rule.max === 'window';
      const [words = ''] = rule.kind.split('-or-');
      const or = words === rule.kind ? '' : `${words.replace('-', ', ')}, or `;
      return `${or}${rule.above ? 'above ' : ''}${rule.min} to ${isBelow ? 'below ' : ''}${rule.max}`;
    }
    case 'choice':
      return rule.values.join(' | ');
    case 'boolean':
      return 'true | false';
    case 'text':
      return rule.tag ? 'letters, digits, - and _' : 'text';
    case 'function':
      return '@file.hbs, or a Handlebars template';
    default:
      return rule satisfies never;
  }
}
