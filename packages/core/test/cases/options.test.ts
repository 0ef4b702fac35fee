import { describe, expect, test } from 'vitest';
import {
  compact,
  isCompactionError,
  PRESET_NAMES,
  PRESET_RULES,
  type PresetName,
  policyNamed,
  presetNamed,
  preview,
} from '../../src/index.ts';

function errorOf(run: () => unknown): { readonly code: string; readonly message: string } | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    expect(isCompactionError(error)).toBe(true);
    return isCompactionError(error) ? { code: error.code, message: error.message } : undefined;
  }
}

const TOKENS = { good: [1, 1_000_000_000], bad: [0, -1, 1.5, 1_000_000_001, Number.NaN, '5', null] } as const;
const SHARE = { good: [0.01, 0.5, 0.99], bad: [0, 1, -0.1, 1.1, Number.NaN, '0.5'] } as const;
const UP_TO_ONE = { good: [0.01, 0.5, 1], bad: [0, -0.1, 1.01, Number.NaN] } as const;

type Row = { readonly good: readonly unknown[]; readonly bad: readonly unknown[] };
const rows: Readonly<Record<PresetName | 'all', Readonly<Record<string, Row>>>> = {
  all: {
    window: TOKENS,
    target: { good: ['off', ...TOKENS.good], bad: [...TOKENS.bad, 'never'] },
    reserved: { good: [0, 100], bad: [-1, 1.5] },
    summaryMaxTokens: { good: [16, 'off'], bad: [15, 0, 'none'] },
  },
  epitome: {
    triggerShare: { good: ['off', 0.1, 1], bad: [0, 1.1, 'never'] },
    triggerTokens: { good: ['off', 1, 1_000_000_000], bad: [0, 1.5, 'never'] },
    prepareShare: { good: ['off', 0.1, 1], bad: [0, 1.1, 'never'] },
    keepTokens: { good: ['auto', 'off', 0, 50], bad: [-1, 1.5, 'none'] },
    mask: { good: [true, false], bad: ['off', 1] },
    maskProtect: { good: ['auto', 'off', 0, 50], bad: [-1, 'none'] },
    maskExcept: { good: ['read_file, search'], bad: ['', 3] },
    factTokens: { good: ['auto', 'off', 0, 50], bad: [-1, 'none'] },
    redact: { good: [true, false], bad: ['no', 0] },
  },
  snapshot: { threshold: UP_TO_ONE, overflowAt: UP_TO_ONE, keep: SHARE },
  deliberate: {
    compressionStrategy: { good: ['since-last-prompt', 'percentage'], bad: ['newest', 1, ''] },
    compressionInteractive: { good: [true, false], bad: ['true', 1] },
    compressionPromptTimeout: { good: [10, 300], bad: [9, 301] },
    compressionTriggerTokens: { good: [10_000, 200_000], bad: [9999, 200_001] },
    compressionTriggerUtilization: { good: [0.3, 0.95], bad: [0.29, 0.96] },
    compressionMinMessagesSinceLastCompress: { good: [5, 100], bad: [4, 101] },
    compressionMinTimeBetweenPrompts: { good: [60, 1800], bad: [59, 1801] },
    compressionFrequencyMultiplier: { good: [1.2, 3], bad: [1.19, 3.1] },
    'model.compressionThreshold': UP_TO_ONE,
    keep: SHARE,
    minMessagesToCompact: { good: [1, 1000], bad: [0, 1001] },
  },
  selective: {
    tokenThreshold: TOKENS,
    messageThreshold: { good: [1, 1_000_000], bad: [0, 1_000_001] },
    turnThreshold: { good: [1, 1_000_000], bad: [0, 1_000_001] },
    retentionWindow: { good: [0, 1_000_000], bad: [-1, 1_000_001] },
    maxTokens: { good: [16, 2000], bad: [15] },
    summaryTag: { good: ['summary'], bad: ['', 3] },
    prompt: { good: [() => ''], bad: ['text'] },
    model: { good: ['small'], bad: [''] },
    untilBelow: { good: [true], bad: ['yes'] },
  },
  branch: { triggerRatio: UP_TO_ONE, recentRatio: SHARE, reuse: { good: ['strict', 'shared-cutoff'], bad: ['loose'] } },
  threshold: {
    defaultFactor: { good: [1, 10], bad: [0.9, 10.1] },
    maxFactor: { good: [1, 100], bad: [0.9, 101] },
    buffer: { good: ['auto', 0, 5000], bad: [-1, 'automatic', 1.5] },
    summarizerShare: UP_TO_ONE,
    attempts: { good: [0, 10], bad: [-1, 11] },
    fallbackChars: { good: [1, 100_000], bad: [0, 100_001] },
  },
};

describe.each(PRESET_NAMES)('%s', (preset) => {
  const table = Object.entries({ ...rows.all, ...rows[preset] });

  test('the table has every option there is', () => {
    expect(table.map(([key]) => key).sort()).toEqual(Object.keys(PRESET_RULES[preset]).sort());
  });

  test.each(table)('%s takes its range and nothing else', (key, { good, bad }) => {
    for (const value of good)
      expect(errorOf(() => policyNamed(preset, { window: 8000, [key]: value }))).toBeUndefined();
    for (const value of bad) {
      const error = errorOf(() => policyNamed(preset, { window: 8000, [key]: value }));
      expect(error?.code).toBe('option-out-of-range');
      expect(error?.message).toContain(`\`${key}\``);
      expect(error?.message).toContain(typeof value === 'string' ? JSON.stringify(value) : String(value));
      expect(error?.message).toMatch(/it takes (a |one of|true|auto|off)/);
    }
  });

  test('an unknown option is named, with those there are', () => {
    const error = errorOf(() => policyNamed(preset, { window: 8000, windw: 9 }));
    expect(error?.code).toBe('unknown-option');
    expect(error?.message).toMatch(/`windw`.*window/);
  });

  test('window is asked for where it is missing', () => {
    expect(errorOf(() => policyNamed(preset, {}))).toMatchObject({ code: 'missing-window' });
  });

  test('undefined is as if it were not there', () => {
    expect(policyNamed(preset, { window: 8000, target: undefined })).toEqual(policyNamed(preset, { window: 8000 }));
  });
});

test('a range is told in words', () => {
  expect(errorOf(() => policyNamed('snapshot', { window: 8000, keep: 1 }))?.message).toBe(
    'Option `keep` of preset snapshot is 1; it takes a number above 0 and below 1.',
  );
  expect(errorOf(() => policyNamed('deliberate', { window: 8000, compressionPromptTimeout: 5 }))?.message).toBe(
    'Option `compressionPromptTimeout` of preset deliberate is 5; it takes a number from 10 to 300.',
  );
});

describe('names', () => {
  test.each([
    ['gemini-cli', 'snapshot'],
    ['forge', 'selective'],
    ['onyx', 'branch'],
    ['context-guard', 'threshold'],
  ] as const)('%s is %s', async (alias, preset) => {
    expect(presetNamed(alias)).toBe(preset);
    expect(policyNamed(alias, { window: 8000 })).toEqual(policyNamed(preset, { window: 8000 }));
    const messages = [{ role: 'user', content: 'Hi.' }];
    expect(
      (await compact({ format: 'openai-chat', messages, policy: alias, window: 8000, cause: 'manual' })).record?.preset,
    ).toBe(preset);
  });

  test.each(['Snapshot', '', 'constructor', '__proto__'])('an unknown preset %j lists those there are', (name) => {
    const error = errorOf(() => policyNamed(name, { window: 8000 }));
    expect(error?.code).toBe('unknown-preset');
    for (const known of [...PRESET_NAMES, 'gemini-cli', 'onyx']) expect(error?.message).toContain(known);
  });

  test.each(['openai', 'toString'])('an unknown format %j lists those there are', (format) => {
    const error = errorOf(() => preview(Object({ format, messages: [], policy: 'snapshot', window: 8000 })));
    expect(error?.code).toBe('unknown-format');
    expect(error?.message).toContain('openai-chat');
  });
});

describe('misuse is thrown, and says what to do', () => {
  const base = { format: 'openai-chat', messages: [], policy: 'snapshot', window: 8000 };

  test.each([
    { what: 'messages that are no list', input: { ...base, messages: 'Hi.' }, code: 'bad-input', says: 'messages' },
    { what: 'a cause nobody knows', input: { ...base, cause: 'because' }, code: 'bad-input', says: 'because' },
    { what: 'ids that do not match', input: { ...base, ids: ['a'] }, code: 'bad-input', says: 'ids' },
    {
      what: 'an option beside a finished policy',
      input: { ...base, policy: policyNamed('snapshot', { window: 9 }) },
      code: 'unknown-option',
      says: 'window',
    },
    {
      what: 'an option of another preset',
      input: { ...base, tokenThreshold: 5 },
      code: 'unknown-option',
      says: 'tokenThreshold',
    },
    { what: 'no window', input: { format: 'openai-chat', messages: [] }, code: 'missing-window', says: 'window' },
  ])('$what', async ({ input, code, says }) => {
    const error = errorOf(() => preview(Object(input)));
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(says);
    await expect(compact(Object(input))).rejects.toMatchObject({ code });
  });
});

test.each(PRESET_NAMES)('%s: a target that is off is none', (preset) => {
  expect(policyNamed(preset, { window: 8000, target: 'off' })).not.toHaveProperty('target');
});
