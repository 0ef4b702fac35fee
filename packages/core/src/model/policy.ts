import type { Prompt } from './brief.ts';
import type { Finding } from './finding.ts';

/** The presets, by the names users give them. */
export const PRESET_NAMES = ['epitome', 'snapshot', 'deliberate', 'selective', 'branch', 'threshold'] as const;
/** One of `PRESET_NAMES`. */
export type PresetName = (typeof PRESET_NAMES)[number];

/** Why a compaction is asked for. `manual` and `overflow` force it; `agent` is automatic with a task as its goal. */
export const CAUSES = ['automatic', 'manual', 'agent', 'overflow'] as const;
/** One of `CAUSES`. */
export type Cause = (typeof CAUSES)[number];

/** Which summaries a branch accepts: those whose parent is on it, or also those whose cutoff alone is. */
export type Reuse = 'strict' | 'shared-cutoff';

/** A limit with its unit. `ofAvailable` is a share of the window less what is reserved or fixed, whichever is more. */
export type Limit = { readonly tokens: number } | { readonly ofAvailable: number } | { readonly count: number };

/** Why a decision says compact. */
export type TriggerReason =
  | 'threshold'
  | 'overflow'
  | 'absolute-tokens'
  | 'utilization'
  | 'token-threshold'
  | 'message-threshold'
  | 'turn-threshold'
  | 'history-ratio'
  | 'buffer-reached'
  | 'prepared';

/** One condition that asks for a compaction; any of a policy's triggers suffices. */
export type Trigger = {
  readonly measure: 'request' | 'history' | 'messages' | 'turns';
  readonly limit: Limit;
  /** `above`: more than the limit. `reached`: the limit or more. */
  readonly fires: 'above' | 'reached';
  readonly reason: TriggerReason;
  /** `guarded`: waits for the policy's guards. `valve`: compaction is required. */
  readonly force: 'plain' | 'guarded' | 'valve';
};

/** Which part of the view a plan compacts. */
export type Split =
  | { readonly kind: 'share'; readonly keep: number }
  | { readonly kind: 'since-last-prompt'; readonly minMessages: number; readonly keep: number }
  | { readonly kind: 'earliest-run'; readonly retain: number; readonly runs: 'one' | 'until-below' }
  | { readonly kind: 'recent-ratio'; readonly ratio: number }
  | { readonly kind: 'recent-tokens'; readonly tokens: number }
  | { readonly kind: 'everything' };

/** What the summary is to look like. */
export type Template =
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'tagged'; readonly tag: string }
  | { readonly kind: 'progressive' }
  | { readonly kind: 'sections' };

/**
 * How the summary is given to the model. A user-role summary is acknowledged where a user message follows it
 * (`before-user`), or only where it ends a conversation that rested on an answer (`at-end`).
 */
export type Handover =
  | { readonly role: 'user'; readonly acknowledge: 'before-user' | 'at-end' }
  | { readonly role: 'assistant' };

/** Which tool results may become placeholders: not the newest of so many tokens, nor those of these tools. */
export type MaskRule = { readonly protectTokens: number; readonly protectTools: readonly string[] };

/** What is done so that facts outlive the prose: tokens of exact facts behind a summary, and whether secrets are taken out. */
export type KeepRule = { readonly factTokens: number; readonly redacts: boolean };

/** How sizes are estimated where no counter is handed in. */
export type MeterRule =
  | { readonly kind: 'script' }
  | { readonly kind: 'quarter'; readonly defaultFactor: number; readonly maxFactor: number };

/** Trigger, guards, split, template and hand-over as one value: everything that makes one preset differ from another. */
export type Policy = {
  readonly preset: PresetName;
  /** The model's context window, in tokens. */
  readonly window: number;
  /** Tokens the compacted request must fit; without it the preset's own rule decides. */
  readonly target?: number;
  /** Tokens summaries and tails are sized for where no `target` is given: nothing is left out for its sake. */
  readonly aim?: number;
  /** Tokens kept free for the answer. */
  readonly reserved: number;
  readonly triggers: readonly Trigger[];
  /** Guards of `guarded` triggers: prompts and replies, and seconds, since the last compaction. */
  readonly guards: { readonly minMessages: number; readonly minSeconds: number };
  /** Whether a pending tool call puts an automatic compaction off. */
  readonly waitsForCalls: boolean;
  readonly split: Split;
  /** The split when a goal is given. */
  readonly goalSplit: Split;
  readonly template: Template;
  readonly handover: Handover;
  /** The summary's length the model is asked for, in tokens; twice that is refused. */
  readonly summaryMaxTokens: number;
  readonly meter: MeterRule;
  /** Share of the summarizer's window its input may take. */
  readonly summarizerShare: number;
  /** How often an overlong result is summarized again with half the budget. */
  readonly attempts: number;
  /** Characters of each message a mechanical summary keeps. */
  readonly fallbackChars: number;
  /** Old tool results become placeholders before anything is summarized. */
  readonly mask?: MaskRule;
  /** Summaries are checked, facts stand behind them, and a digest serves where there is no model. */
  readonly keeps?: KeepRule;
  /** Request tokens from which a session prepares a model's summary in the background. */
  readonly prepareAt?: number;
  /** The ladder goes on while one of these triggers still fires; it always does while the window or target is exceeded. */
  readonly mustClear: readonly TriggerReason[];
  /** Whether an automatic run waits until the request grew since the last success. */
  readonly waitsForGrowth: boolean;
  /** Whether the summarizer is shown kept messages behind a cutoff marker. */
  readonly showsRecent: boolean;
  /** `shared-cutoff` also accepts a summary whose cutoff, but not whose parent, is on the branch. */
  readonly reuse: Reuse;
  /** What is to be said about the options, such as that one is deprecated. */
  readonly findings?: readonly Finding[];
  /** The caller's own prompt in place of the template's. */
  readonly prompt?: Prompt;
  /** Model the summarizer is asked to use; the engine hands it on and does not read it. */
  readonly model?: string;
};
