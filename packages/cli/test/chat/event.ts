import { expect } from 'vitest';

/** The event of a check-in at 46,192 tokens in a window of a million that nobody answered. */
export const EVENT = {
  event: 'chat_compression',
  tokens_before: 46_192,
  tokens_after: expect.any(Number),
  preserve_strategy: 'percentage',
  messages_preserved: 9,
  messages_compressed: 20,
  had_user_goal: false,
  interactive_mode: true,
  utilization_at_trigger: 0.046192,
  goal_selection_method: 'auto',
  goal_extraction_success: true,
  goal_extraction_duration_ms: 0,
  goal_source: 'model',
  prompt_timeout_occurred: false,
  trigger_type: 'absolute_tokens',
  tokens_at_trigger: 46_192,
  messages_since_last_compress: 29,
  time_since_last_compress_seconds: null,
  user_selected_disable: false,
  user_selected_less_frequent: false,
  was_safety_valve: false,
  frequency_multiplier_applied: null,
  cumulative_frequency_reduction: 1,
  new_token_threshold: null,
  new_message_threshold: null,
  times_less_frequent_selected: 0,
  status: 'compressed',
  reason: 'absolute-tokens',
  preset: 'deliberate',
  rung: 'own',
  summarizer_model: 'openai-compatible/m',
  summarizer_calls: 1,
  summarizer_input_tokens: 1000,
  summarizer_output_tokens: 10,
  summarizer_cost: 0.00315,
  facts_kept: expect.any(Number),
  facts_lost: expect.any(Number),
  cache_tokens_rebilled: expect.any(Number),
};

/** What a chosen goal changes in it. */
export const BY_GOAL = {
  preserve_strategy: 'since-last-prompt',
  messages_preserved: 1,
  messages_compressed: 28,
  had_user_goal: true,
  goal_selection_method: 'manual',
};

/** What it says where the question was turned off. */
export const UNASKED = {
  interactive_mode: false,
  goal_extraction_success: null,
  goal_extraction_duration_ms: null,
  goal_source: null,
};

/** What it says of an attempt that changed nothing. */
export const NOTHING_DONE = {
  tokens_after: EVENT.tokens_before,
  messages_preserved: 29,
  messages_compressed: 0,
  rung: 'none',
  summarizer_calls: 0,
  summarizer_input_tokens: 0,
  summarizer_output_tokens: 0,
  summarizer_cost: null,
  facts_kept: null,
  facts_lost: null,
  cache_tokens_rebilled: null,
};
