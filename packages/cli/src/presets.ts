import { PRESET_RULES, type PresetName } from 'epitome';

/** What each preset does, in a line. */
export const PRESET_LINES: Readonly<Record<PresetName, string>> = {
  epitome: 'our own: old tool results become placeholders, then one checked summary with exact facts behind it',
  snapshot: 'above half the window, keep the newest 30%, the rest becomes a state snapshot (Gemini CLI)',
  deliberate: 'check in at 40k tokens, compact at half the window, led by --goal',
  selective: 'the earliest run of assistant and tool messages becomes one message; users stay (Forge)',
  branch: 'above 75% of what is available, keep the newest 20%, progressive prose (Onyx)',
  threshold: 'near the end of the window, everything becomes a handover (context guard)',
};

/** Defaults that every preset has: values of the library, or what takes their place in words. */
export const COMMON_DEFAULTS: Readonly<Record<string, string>> = {
  window: '128000, said on stderr',
  target: defaultOf('snapshot', 'target'),
  reserved: defaultOf('snapshot', 'reserved'),
  summaryMaxTokens: 'a twentieth of the window (epitome: a tenth), from 1000 to 8000 but no more than a quarter of it',
};

/** The default of a preset's option, as `--set` takes it. */
export function defaultOf(preset: PresetName, key: string): string {
  return String(PRESET_RULES[preset][key]?.default ?? 'not set');
}
