import type { Dialect } from '../model/dialect.ts';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openaiChat, openaiResponses } from './openai.ts';
import type { DialectRules } from './rules.ts';

/** The rules of each dialect. */
export const RULES: Readonly<Record<Dialect, DialectRules>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
};
