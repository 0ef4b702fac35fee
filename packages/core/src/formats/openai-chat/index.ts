/**
 * OpenAI Chat Completions and the many servers that speak it.
 *
 * Parts of an assistant message stand in this order: thinking (`reasoning_content` and its kin, one part), content,
 * refusal, audio, tool calls, legacy `function_call`. Every other message has the parts of its content; a `tool` or
 * `function` message is one tool result.
 *
 * Checked: O1 to O9 of the provider rules and U1 (lone surrogate). Not checked, because the list does not tell:
 * whether a called tool is declared, the model's own limits, whether DeepSeek wants thinking on each message.
 */
import type { Format } from '../../model/format.ts';
import type { InsertedMessage } from '../../model/message.ts';
import { decode, decodeFixed } from './decode.ts';
import { edit } from './edit.ts';
import { validate } from './validate.ts';

/** The wire format of OpenAI Chat Completions. */
export const openaiChat: Format = {
  name: 'openai-chat',
  decode,
  decodeFixed,
  compose: ({ role, text }: InsertedMessage): unknown => ({ role, content: text }),
  edit,
  validate,
  assistantsMustAlternate: false,
  mustEndWithUser: false,
};
