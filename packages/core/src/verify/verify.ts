import type { Draft } from '../model/brief.ts';
import type { Finding } from '../model/finding.ts';

/** A cleaned draft with what it was made from. */
export type Claim = {
  readonly draft: Draft;
  /** The draft's text as the template reduced it. */
  readonly text: string;
  /** The prompt the summarizer was given, and the summary so far in it, whose words may well come again. */
  readonly prompt: string;
  readonly prior: string;
};

/** What is wrong with a text that was to be a summary, or `undefined`. A failure must never become content. */
export function refusalOf({ draft, text, prompt, prior }: Claim): Finding | undefined {
  const finish = (draft.finish ?? '').toLowerCase();
  if (REFUSED_FINISH.has(finish)) return { code: 'summary-refused', detail: `the model stopped with ${finish}` };
  if (CUT_OFF_FINISH.has(finish)) return { code: 'summary-cut-off', detail: `the model stopped with ${finish}` };
  const words = withoutTags(text).trim();
  if (!/[\p{L}\p{N}]/u.test(words) || EMPTY_JSON.test(words)) {
    return { code: 'summary-empty', detail: finish === '' ? 'no text' : `no text; the model stopped with ${finish}` };
  }
  if (words.length <= SHORT && REFUSAL.test(words)) return { code: 'summary-refused', detail: words };
  if (words.length <= SHORT && isErrorText(words, text)) return { code: 'summary-error', detail: text };
  if (isEcho(draft.text, prompt, prior))
    return { code: 'summary-echo', detail: 'the text repeats what it was to summarize' };
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
// The shape of an error, not the word: a summary may well begin with "Error handling was added".
const ERROR_TEXT =
  /^\W{0,3}(?:(?:internal |api |server )*(?:error|exception)(?: code)?\s{0,3}["']?[:(]|internal server error|traceback \(|summary unavailable|failed to (?:generate|summari[sz]e|fetch|connect)|request timed out|rate limit (?:exceeded|reached)|(?:http )?[45]\d\d (?:too many|internal|bad|service|unauthorized|forbidden|not found|gateway)|service unavailable|bad gateway|overloaded)/i;

function isErrorText(words: string, text: string): boolean {
  return ERROR_TEXT.test(words) || /^\s{0,9}(?:<!doctype html|<html)/i.test(text);
}

function withoutTags(text: string): string {
  return text.replace(/<[^<>]{0,80}>/g, ' ');
}

// Only a text that is a good part of the prompt can be an echo of it; shorter ones may quote.
const ECHO_SHARE = 0.3;
const SAMPLES = 20;
const SAMPLE_LENGTH = 60;

function isEcho(text: string, prompt: string, prior: string): boolean {
  if (text.length < prompt.length * ECHO_SHARE || text.length < SAMPLE_LENGTH * 2) return false;
  let judged = 0;
  let found = 0;
  const step = (text.length - SAMPLE_LENGTH) / (SAMPLES - 1);
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const from = Math.floor(sample * step);
    const piece = text.slice(from, from + SAMPLE_LENGTH);
    if (prior.includes(piece)) continue;
    judged += 1;
    if (prompt.includes(piece)) found += 1;
  }
  return judged > 1 && found / judged > 0.6;
}
