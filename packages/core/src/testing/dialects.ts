import type { FormatName } from '../model/format.ts';
import { aiSdkDialect } from './dialects/ai-sdk.ts';
import { anthropicDialect } from './dialects/anthropic.ts';
import { geminiDialect } from './dialects/gemini.ts';
import { openaiChatDialect } from './dialects/openai-chat.ts';
import { openaiResponsesDialect } from './dialects/openai-responses.ts';
import type { Dialect, Note } from './dialects/piece.ts';
import type { Script } from './script.ts';

/** A script in a dialect: what `compact` takes, and what is known of each message without decoding it. */
export type Rendered = {
  readonly format: FormatName;
  readonly messages: readonly unknown[];
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly notes: readonly Note[];
};

const DIALECTS: Readonly<Record<FormatName, Dialect>> = {
  'openai-chat': openaiChatDialect,
  'openai-responses': openaiResponsesDialect,
  anthropic: anthropicDialect,
  gemini: geminiDialect,
  'ai-sdk': aiSdkDialect,
};

/**
 * Writes a script in a dialect. A sound script with texts that are not blank gives a list its provider accepts; steps the
 * dialect does not have are left out.
 */
export function renderScript(script: Script, format: FormatName): Rendered {
  const { render, join, system, tools } = DIALECTS[format];
  const apart = script.steps.flatMap((step, at) => render({ step, at, thinking: script.thinking }));
  const pieces = join?.(apart) ?? apart;
  return {
    format,
    messages: pieces.map(({ native }) => native),
    ...(script.system === undefined ? {} : { system: system(script.system) }),
    ...(script.tools.length === 0 ? {} : { tools: tools(script.tools) }),
    notes: pieces.map(({ note }) => note),
  };
}
