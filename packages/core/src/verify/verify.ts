import type { Draft } from '../model/brief.ts';
import type { Finding } from '../model/finding.ts';
import type { Template } from '../model/policy.ts';
import { isEcho } from './echo.ts';
import { isErrorText } from './errors.ts';
import { emptied, isBrokenOff, isOff, isRepeating, isTiny } from './nothing.ts';
import { isRefusal } from './refusals.ts';
import { isCutOff } from './structure.ts';

/** A cleaned draft with what it was made from. */
export type CleanedDraft = {
  readonly draft: Draft;
  /** The draft's text as the template reduced it. */
  readonly text: string;
  /** The prompt the summarizer was given, and the summary so far in it, whose words may well come again. */
  readonly prompt: string;
  readonly prior: string;
  /** Instructions it was given beside the prompt. */
  readonly system?: string;
  /** What it was to look like, where that was asked for. */
  readonly template?: Template;
  /** Whether it joins notes of parts, which may well be carried over as they are. */
  readonly isMerged?: boolean;
};

/** What is wrong with a text that was to be a summary, or `undefined`. A failure must never become content. */
export function refusalOf({
  draft,
  text,
  prompt,
  prior,
  system = '',
  template,
  isMerged = false,
}: CleanedDraft): Finding | undefined {
  const finish = (typeof draft.finish === 'string' ? draft.finish : '').toLowerCase();
  const stopped = `the model stopped with ${finish}`;
  if (REFUSED_FINISH.has(finish)) return { code: 'summary-refused', detail: stopped, evidence: { value: finish } };
  if (FAILED_FINISH.has(finish)) return { code: 'summary-error', detail: stopped, evidence: { value: finish } };
  if (CUT_OFF_FINISH.has(finish)) return { code: 'summary-cut-off', detail: stopped, evidence: { value: finish } };
  const words = emptied(withoutTags(text).trim());
  if (!/[\p{L}\p{N}]/u.test(words) || EMPTY_JSON.test(words)) {
    return { code: 'summary-empty', detail: finish === '' ? 'no text' : `no text; the model stopped with ${finish}` };
  }
  const evidence = { line: words.slice(0, SHORT) };
  const isShort = words.length <= SHORT && !TELLS.test(words);
  if (isShort && isRefusal(words)) return { code: 'summary-refused', detail: words, evidence };
  if (isShort && isErrorText(words, text)) return { code: 'summary-error', detail: text, evidence };
  if (isOff(text, words)) return { code: 'summary-refused', detail: `no account: ${words.slice(0, 200)}`, evidence };
  if (template !== undefined && isTiny(text, template, prompt.length))
    return { code: 'summary-empty', detail: `no account of ${prompt.length} characters: ${words}`, evidence };
  if (isRepeating(words)) return { code: 'summary-echo', detail: 'the text says the same again and again', evidence };
  if (template !== undefined && isCutOff(draft.text, template, FINISHED.has(finish)))
    return { code: 'summary-cut-off', detail: 'a tag is not closed', evidence: { line: lastLine(draft.text) } };
  if (!FINISHED.has(finish) && template !== undefined && isBrokenOff(words))
    return { code: 'summary-cut-off', detail: 'it ends within a sentence', evidence: { line: lastLine(draft.text) } };
  if (isEcho(draft.text, { prompt, prior, system, isMerged }))
    return { code: 'summary-echo', detail: 'the text repeats what it was to summarize' };
  return undefined;
}

/** More than a summary may have, whatever it says. */
export function overlong(tokens: number, maxTokens: number): Finding | undefined {
  if (tokens <= maxTokens) return undefined;
  const evidence = { tokens: Math.ceil(tokens), limit: maxTokens };
  return { code: 'summary-huge', detail: `${evidence.tokens} tokens where ${maxTokens} are the most`, evidence };
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
// It broke off, or wanted to do something else than to write.
const FAILED_FINISH = new Set([
  'error',
  'tool-calls',
  'tool_calls',
  'tool_use',
  'function_call',
  'malformed_function_call',
]);
const CUT_OFF_FINISH = new Set([
  'length',
  'max_tokens',
  'max-tokens',
  'max_output_tokens',
  'incomplete',
  'model_context_window_exceeded',
]);

const FINISHED = new Set(['stop', 'end_turn', 'end-turn', 'stop_sequence', 'stop-sequence', 'completed', 'eos']);

// Refusals and error texts are short; a long summary may well quote one.
const SHORT = 600;
// A refusal does not tell what the user said.
const TELLS = /\buser (?:said|says|reported|asked|wanted|wants|confirmed)\b/i;
const EMPTY_JSON = /^(?:\{\}|\[\]|null|undefined|""|none|n\/a)$/i;
function lastLine(text: string): string {
  const line = text.trimEnd().slice(-200);
  return line.slice(line.lastIndexOf('\n') + 1).toWellFormed();
}

function withoutTags(text: string): string {
  return text.replace(/<[^<>]{0,80}>/g, ' ');
}
