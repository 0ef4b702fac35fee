import type { PresetName } from 'epitome';

/** What each preset does, in a line. */
export const PRESET_LINES: Readonly<Record<PresetName, string>> = {
  snapshot: 'above half the window, keep the newest 30%, the rest becomes a state snapshot (Gemini CLI)',
  deliberate: 'check in at 40k tokens, compact at half the window, led by --goal',
  selective: 'the earliest run of assistant and tool messages becomes one message; users stay (Forge)',
  branch: 'above 75% of what is available, keep the newest 20%, progressive prose (Onyx)',
  threshold: 'near the end of the window, everything becomes a handover (context guard)',
};

/** Defaults that every preset has. */
export const COMMON_DEFAULTS: Readonly<Record<string, string>> = {
  window: '128000, said on stderr',
  target: 'not set',
  reserved: '0',
  summaryMaxTokens: 'a twentieth of the window, from 1000 to 8000',
};

/** Defaults by preset, as `--set` takes them; what is not named here is not set. */
export const PRESET_DEFAULTS: Readonly<Record<PresetName, Readonly<Record<string, string>>>> = {
  snapshot: { threshold: '0.5', overflowAt: '0.95', keep: '0.3' },
  deliberate: {
    compressionStrategy: 'since-last-prompt',
    compressionInteractive: 'true',
    compressionPromptTimeout: '30',
    compressionTriggerTokens: '40000',
    compressionTriggerUtilization: '0.5',
    compressionMinMessagesSinceLastCompress: '25',
    compressionMinTimeBetweenPrompts: '300',
    compressionFrequencyMultiplier: '1.5',
    keep: '0.3',
    minMessagesToCompact: '5',
  },
  selective: {
    tokenThreshold: '60000',
    retentionWindow: '6',
    maxTokens: '2000',
    summaryTag: 'summary',
    untilBelow: 'false',
  },
  branch: { triggerRatio: '0.75', recentRatio: '0.2', reuse: 'strict' },
  threshold: {
    defaultFactor: '2',
    maxFactor: '5',
    buffer: 'auto',
    summarizerShare: '0.8',
    attempts: '3',
    fallbackChars: '200',
  },
};
