import type { Format } from '../../model/format.ts';
import { fixedParts } from '../fixed.ts';
import { decode, decodeBlock } from './decode.ts';
import { edit } from './edit.ts';
import { validate } from './validate.ts';

/**
 * Anthropic's Messages API. Part `i` of a message is block `i` of its `content`; string content is one text part.
 */
export const anthropic: Format = {
  name: 'anthropic',
  decode,
  decodeFixed: (fixed) => fixedParts(fixed, (block) => [decodeBlock(block)]),
  compose: ({ role, text }) => ({ role, content: text }),
  edit,
  validate,
  assistantsMustAlternate: true,
  mustEndWithUser: true,
};
