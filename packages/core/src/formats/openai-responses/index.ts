import type { Format } from '../../model/format.ts';
import { decode, decodeFixed } from './decode.ts';
import { edit } from './edit.ts';
import { validate } from './validate.ts';

/** OpenAI Responses: the entries of `input`, one message each; `instructions` is the system prompt. */
export const openaiResponses: Format = {
  name: 'openai-responses',
  decode,
  decodeFixed,
  compose: ({ role, text }) => ({ type: 'message', role, content: text }),
  edit: (message, edits) => (edits.length === 0 ? message.native : edit(message, edits)),
  validate,
  assistantsMustAlternate: false,
  mustEndWithUser: false,
};
