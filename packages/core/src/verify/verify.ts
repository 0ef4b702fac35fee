import type { Draft } from '../model/brief.ts';
import type { Finding } from '../model/finding.ts';

/** A cleaned draft with what it was made from. */
export type Claim = {
  readonly draft: Draft;
  /** The draft's text as the template reduced it. */
  readonly text: string;
  /** The prompt the summarizer was given. */
  readonly prompt: string;
};

/** What is wrong with a text that was to be a summary, or `undefined`. A failure must never become content. */
export function refusalOf({ draft, text, prompt }: Claim): Finding | undefined {
  const finish = (draft.finish ?? '').toLowerCase();
  if (REFUSED_FINISH.has(finish)) return { code: 'summary-refused', detail: `the model stopped with ${finish}` };
  if (CUT_OFF_FINISH.has(finish)) return { code: 'summary-cut-off', detail: `the model stopped with ${finish}` };
  if (!/[\p{L}\p{N}]/u.test(withoutTags(text)) || EMPTY_JSON.test(text)) {
    return { code: 'summary-empty', detail: finish === '' ? 'no text' : `no text; the model stopped with ${finish}` };
  }
  if (text.length <= SHORT && REFUSAL.test(text)) return { code: 'summary-refused', detail: text };
  if (text.length <= SHORT && ERROR_TEXT.test(text)) return { code: 'summary-error', detail: text };
  if (isEcho(draft.text, prompt)) return { code: 'summary-echo', detail: 'the text repeats what it was to summarize' };
  return undefined;
}

/** More than a summary may have, whatever it says. */
export function overlong(tokens: number, maxTokens: number): Finding | undefined {
  if (tokens <= maxTokens) return undefined;
  return { code: 'summary-huge', detail: `${Math.ceil(tokens)} tokens where ${maxTokens} are the most` };
}

// Words of OpenAI, Anthropic, Gemini and the AI SDK for the same two things.
const REFUSED_FINISH = new Set([
  'refusal',
  'content_filter',
  'content-filter',
  'safety',
  'blocklist',
  'prohibited_content',
  'recitation',
  'spii',
]);
const CUT_OFF_FINISH = new Set([
  'length',
  'max_tokens',
  'max-tokens',
  'max_output_tokens',
  'incomplete',
  'model_context_window_exceeded',
]);

// Refusals and error texts are short; a long summary may well quote one.
const SHORT = 600;
const EMPTY_JSON = /^(?:\{\}|\[\]|null|undefined|""|none|n\/a)$/i;
const REFUSAL =
  /^\W{0,3}(?:i['’]?m (?:very |really )?sorry|i am sorry|sorry,|i apologi[sz]e|i (?:can(?:no|['’])t|cannot|am unable to|won['’]t|['’]m (?:unable|not able) to|am not able to)|i['’]m (?:unable|not able) to|as an ai\b|unfortunately,? i (?:can|am))/i;
const ERROR_TEXT =
  /^\W{0,3}(?:(?:internal )?(?:server )?error\b|error code|api error|exception\b|traceback\b|<!doctype html|<html|summary unavailable|failed to |request timed out|rate limit|too many requests|(?:http )?[45]\d\d\b|"?(?:error|message)"?\s{0,4}:|service unavailable|bad gateway|overloaded)/i;

function withoutTags(text: string): string {
  return text.replace(/<[^<>]{0,80}>/g, ' ');
}

// Only a text that is a good part of the prompt can be an echo of it; shorter ones may quote.
const ECHO_SHARE = 0.3;
const SAMPLES = 20;
const SAMPLE_LENGTH = 60;

function isEcho(text: string, prompt: string): boolean {
  if (text.length < prompt.length * ECHO_SHARE || text.length < SAMPLE_LENGTH * 2) return false;
  let found = 0;
  const step = (text.length - SAMPLE_LENGTH) / (SAMPLES - 1);
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const from = Math.floor(sample * step);
    if (prompt.includes(text.slice(from, from + SAMPLE_LENGTH))) found += 1;
  }
  return found / SAMPLES > 0.6;
}
