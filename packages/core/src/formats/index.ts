import { CompactionError, shown } from '../model/errors.ts';
import { FORMAT_NAMES, type Format, type FormatName } from '../model/format.ts';
import { aiSdk } from './ai-sdk/index.ts';
import { anthropic } from './anthropic/index.ts';
import { gemini } from './gemini/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';
import { errorAt } from './violations.ts';

/** The wire formats by name. */
export const formats: Readonly<Record<FormatName, Format>> = {
  'openai-chat': guarded(openaiChat),
  'openai-responses': guarded(openaiResponses),
  anthropic: guarded(anthropic),
  gemini: guarded(gemini),
  'ai-sdk': guarded(aiSdk),
};

/** The format of that name; an error that lists what there is for any other. */
export function formatNamed(name: string): Format {
  const known = FORMAT_NAMES.find((each) => each === name);
  if (known !== undefined) return formats[known];
  throw new CompactionError(
    'unknown-format',
    `There is no format ${shown(name)}; there are ${FORMAT_NAMES.join(', ')}.`,
  );
}

/** Total even where a getter or a proxy throws: such a message is carried on as it is, like any that no decoder knows. */
function guarded(format: Format): Format {
  return {
    ...format,
    // What cannot be read is not counted.
    decodeFixed: otherwise(format.decodeFixed, () => []),
    decode: otherwise(format.decode, (native) => ({ ...format.decode(undefined, []), native })),
    edit: otherwise(format.edit, ({ native }) => native),
    validate: otherwise(format.validate, () => [errorAt(0, 'U2', 'unreadable')]),
  };
}

function otherwise<Given extends readonly unknown[], Result>(
  run: (...given: Given) => Result,
  fallback: (...given: Given) => Result,
): (...given: Given) => Result {
  return (...given) => {
    try {
      return run(...given);
    } catch {
      return fallback(...given);
    }
  };
}
