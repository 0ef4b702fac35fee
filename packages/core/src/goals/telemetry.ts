import { diffFacts } from '../facts/diff.ts';
import type { CheckIn } from './check-in.ts';
import type { Ended } from './ended.ts';
import { NO_REDUCTIONS, type Reductions } from './less-often.ts';

/** The event every attempt at a compaction leaves: figures and names only, never a word of a message. `null`: not known here. */
export type ChatCompressionEvent = {
  readonly event: 'chat_compression';
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly preserve_strategy: string;
  readonly messages_preserved: number;
  readonly messages_compressed: number;
  readonly had_user_goal: boolean;
  readonly interactive_mode: boolean;
  readonly utilization_at_trigger: number;
  readonly goal_selection_method: 'manual' | 'timeout' | 'auto' | 'agent';
  readonly goal_extraction_success: boolean | null;
  readonly goal_extraction_duration_ms: number | null;
  readonly prompt_timeout_occurred: boolean;
  readonly trigger_type: string;
  readonly tokens_at_trigger: number;
  readonly messages_since_last_compress: number;
  readonly time_since_last_compress_seconds: number | null;
  readonly user_selected_disable: boolean;
  readonly user_selected_less_frequent: boolean;
  readonly was_safety_valve: boolean;
  readonly frequency_multiplier_applied: number | null;
  readonly cumulative_frequency_reduction: number;
  readonly new_token_threshold: number | null;
  readonly new_message_threshold: number | null;
  readonly times_less_frequent_selected: number;
  readonly status: string;
  readonly reason: string;
  readonly preset: string;
  readonly rung: string;
  readonly goal_source: 'model' | 'derived' | 'none' | null;
  readonly summarizer_model: string | null;
  readonly summarizer_calls: number;
  readonly summarizer_input_tokens: number;
  readonly summarizer_output_tokens: number;
  readonly summarizer_cost: number | null;
  readonly facts_kept: number | null;
  readonly facts_lost: number | null;
  readonly cache_tokens_rebilled: number | null;
};

/** How an attempt ends that has no outcome. */
type Abandoned = 'cancelled' | 'deferred' | 'superseded' | 'failed';

/** What an event is made from. */
export type CompressionAttempt = {
  /** An outcome, or an attempt of which nothing came. */
  readonly ended: Omit<Ended, 'status'> & { readonly status: Ended['status'] | Abandoned };
  readonly checkIn: CheckIn;
  readonly preset: string;
  /** Check-ins made rarer before this one. */
  readonly reductions?: Reductions;
  /** Who wrote the summary, and what that cost, in the currency of its prices. */
  readonly summarizer?: { readonly model?: string; readonly cost?: number };
};

/** The telemetry of one attempt. */
export function compressionEvent(attempt: CompressionAttempt): ChatCompressionEvent {
  const { ended, checkIn, preset } = attempt;
  const { tokens, counts, decision } = ended;
  return {
    event: 'chat_compression',
    tokens_before: tokens.before,
    tokens_after: tokens.after,
    preserve_strategy: strategyOf(ended, checkIn),
    messages_preserved: counts.preserved,
    messages_compressed: counts.compressed,
    had_user_goal: checkIn.course.goal !== '',
    interactive_mode: checkIn.isInteractive,
    utilization_at_trigger: decision.utilization,
    ...selectionOf(checkIn),
    trigger_type: TRIGGERS[decision.reason] ?? decision.reason.replaceAll('-', '_'),
    tokens_at_trigger: Math.ceil(decision.tokens),
    messages_since_last_compress: decision.messagesSince,
    time_since_last_compress_seconds: decision.secondsSince ?? null,
    was_safety_valve: decision.isSafetyValve,
    ...frequencyOf(attempt),
    status: ended.status,
    reason: ended.reason,
    preset,
    rung: ended.rung ?? 'none',
    ...spentOf(attempt),
    ...factsOf(ended),
    cache_tokens_rebilled: ended.payback?.tokensRebilled ?? null,
  };
}

const TRIGGERS: Readonly<Record<string, string>> = { utilization: 'utilization_threshold' };

/** What was really done, where it is known: few messages fall back to a share. */
function strategyOf({ plan }: Pick<Ended, 'plan'>, { course }: CheckIn): string {
  if (plan === undefined) return course.split;
  return plan.split === 'share' ? 'percentage' : plan.split;
}

function selectionOf({ course, answer, extraction }: CheckIn) {
  return {
    goal_selection_method: course.method,
    goal_extraction_success: extraction === undefined ? null : extraction.source === 'model',
    goal_extraction_duration_ms: extraction?.durationMs ?? null,
    goal_source: extraction?.source ?? null,
    prompt_timeout_occurred: answer.kind === 'timeout',
    user_selected_disable: answer.kind === 'disable',
    user_selected_less_frequent: answer.kind === 'less-often',
  } as const;
}

function frequencyOf({ checkIn, reductions = NO_REDUCTIONS }: CompressionAttempt) {
  const { lessOften } = checkIn.course;
  const { times, cumulative } = lessOften?.reductions ?? reductions;
  return {
    frequency_multiplier_applied: lessOften?.multiplier ?? null,
    cumulative_frequency_reduction: cumulative,
    new_token_threshold: lessOften?.tokens.after ?? null,
    new_message_threshold: lessOften?.messages.after ?? null,
    times_less_frequent_selected: times,
  };
}

function spentOf({ ended: { record }, summarizer }: CompressionAttempt) {
  return {
    summarizer_model: summarizer?.model ?? null,
    summarizer_calls: record?.calls ?? 0,
    summarizer_input_tokens: record?.usage.inputTokens ?? 0,
    summarizer_output_tokens: record?.usage.outputTokens ?? 0,
    summarizer_cost: summarizer?.cost ?? null,
  };
}

function factsOf({ record }: Pick<Ended, 'record'>) {
  if (record?.facts === undefined) return { facts_kept: null, facts_lost: null };
  const kinds = Object.values(diffFacts(record.facts, record.text));
  return {
    facts_kept: kinds.reduce((sum, { kept }) => sum + kept, 0),
    facts_lost: kinds.reduce((sum, { lost, left }) => sum + lost.length + left, 0),
  };
}
