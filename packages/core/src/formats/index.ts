import { CompactionError } from '../model/errors.ts';
import { FORMAT_NAMES, type Format, type FormatName } from '../model/format.ts';
import { aiSdk } from './ai-sdk/index.ts';
import { anthropic } from './anthropic/index.ts';
import { gemini } from './gemini/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';

/** The wire formats by name. */
export const formats: Readonly<Record<FormatName, Format>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  'ai-sdk': aiSdk,
};

/** The format of that name; an error that lists what there is for any other. */
export function formatNamed(name: string): Format {
  if (Object.hasOwn(formats, name)) return formats[name as FormatName];
  throw new CompactionError(
    'unknown-format',
    `There is no format ${JSON.stringify(name)}; there are ${FORMAT_NAMES.join(', ')}.`,
  );
}
