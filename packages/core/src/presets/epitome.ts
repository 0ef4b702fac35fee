import type { Policy, Trigger } from '../model/policy.ts';
import { type CommonOptions, commonPolicy, summaryTokens, triggerAt } from './common.ts';
import { COMMON_RULES, type Filled, type OptionRules, readOptions } from './options.ts';

/** Options of `epitome`. Every limit can be switched off. */
export type EpitomeOptions = CommonOptions & {
  /**
   * Share of the window, less what is reserved, at which the request is compacted.
   * @default 0.7
   */
  readonly triggerShare?: number | 'off' | undefined;
  /**
   * Tokens at which the request is compacted, whatever the window.
   * @default 'off'
   */
  readonly triggerTokens?: number | 'off' | undefined;
  /**
   * Share of the trigger at which a session prepares the summary in the background, so that nobody waits for it.
   * @default 0.85
   */
  readonly prepareShare?: number | 'off' | undefined;
  /**
   * Newest tokens of the history that stay as they are; `auto` is a fifth of the trigger, `off` none but what always stays.
   * @default 'auto'
   */
  readonly keepTokens?: number | 'auto' | 'off' | undefined;
  /**
   * Whether old tool results become placeholders before anything is summarized.
   * @default true
   */
  readonly mask?: boolean | undefined;
  /**
   * Newest tokens of tool results that never do; `auto` is a fifth of the trigger, `off` none.
   * @default 'auto'
   */
  readonly maskProtect?: number | 'auto' | 'off' | undefined;
  /** Tools whose results never do, separated by commas. */
  readonly maskExcept?: string | undefined;
  /**
   * Tokens of exact facts behind a model's summary; `auto` is a quarter of the summary's length, `off` none.
   * @default 'auto'
   */
  readonly factTokens?: number | 'auto' | 'off' | undefined;
  /**
   * Whether secrets are taken out of what the summarizer reads and of what is kept.
   * @default true
   */
  readonly redact?: boolean | undefined;
};

const RULES = {
  ...COMMON_RULES,
  triggerShare: { kind: 'off-or-number', min: 0, max: 1, above: true, default: 0.7 },
  triggerTokens: { kind: 'off-or-integer', min: 1, max: 1_000_000_000, default: 'off' },
  prepareShare: { kind: 'off-or-number', min: 0, max: 1, above: true, default: 0.85 },
  keepTokens: { kind: 'auto-off-or-integer', min: 0, max: 'window', default: 'auto' },
  mask: { kind: 'boolean', default: true },
  maskProtect: { kind: 'auto-off-or-integer', min: 0, max: 'window', default: 'auto' },
  maskExcept: { kind: 'text' },
  factTokens: { kind: 'auto-off-or-integer', min: 0, max: 'window', default: 'auto' },
  redact: { kind: 'boolean', default: true },
} as const satisfies OptionRules;

export const EPITOME_RULES: OptionRules = RULES;

/** Our own default: placeholders for old results first, then one checked summary with exact facts behind it. */
export function epitome(options: EpitomeOptions): Policy {
  const given = readOptions('epitome', RULES, options);
  const { window, reserved, prepareShare, keepTokens, mask, maskProtect, maskExcept = '', factTokens, redact } = given;
  const triggers = triggersOf(given);
  // biome-ignore lint/plugin: a handful of triggers.
  const trigger = Math.min(window - reserved, ...triggers.map(({ limit }) => limit.tokens));
  const orElse = (tokens: number | 'auto' | 'off', auto: number): number =>
    tokens === 'auto' ? Math.floor(auto) : tokens === 'off' ? 0 : tokens;
  // Twice as long as elsewhere: half the trigger has room for it, and it holds exact facts.
  const usual = summaryTokens(window / 10, window);
  const { summaryMaxTokens = usual } = given;
  const split = { kind: 'recent-tokens', tokens: orElse(keepTokens, trigger / 5) } as const;
  const common = commonPolicy('epitome', split, { ...given, summaryMaxTokens });
  const protectTools = maskExcept.split(',').flatMap((name) => name.trim() || []);
  return {
    ...common,
    // Half the trigger, so that the next compaction is far away.
    ...(given.target === undefined ? { aim: Math.max(Math.floor(trigger / 2), 1) } : {}),
    triggers,
    ...(prepareShare === 'off' || triggers.length === 0 ? {} : { prepareAt: Math.floor(trigger * prepareShare) }),
    template: { kind: 'snapshot' },
    mustClear: ['utilization', 'absolute-tokens'],
    ...(mask ? { mask: { protectTokens: orElse(maskProtect, trigger / 5), protectTools } } : {}),
    keeps: {
      factTokens: orElse(factTokens, (summaryMaxTokens === 'off' ? usual : summaryMaxTokens) / 4),
      redacts: redact,
    },
  };
}

type TokenTrigger = Trigger & { readonly limit: { readonly tokens: number } };

function triggersOf(given: Filled<EpitomeOptions, typeof RULES>): readonly TokenTrigger[] {
  const { window, reserved, triggerShare, triggerTokens } = given;
  const triggers: TokenTrigger[] = [];
  if (triggerShare !== 'off') {
    const tokens = Math.floor((window - reserved) * triggerShare);
    triggers.push(triggerAt({ tokens }, 'utilization'));
  }
  if (triggerTokens !== 'off') triggers.push(triggerAt({ tokens: triggerTokens }, 'absolute-tokens'));
  return triggers;
}
