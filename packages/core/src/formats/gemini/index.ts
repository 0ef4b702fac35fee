import type { Format } from '../../model/format.ts';
import { decode, decodeFixed } from './decode.ts';
import { compose, edit } from './edit.ts';
import { validate } from './validate.ts';

/** Gemini's `contents` of generateContent, in camelCase and snake_case spelling. */
export const gemini: Format = {
  name: 'gemini',
  decode,
  decodeFixed,
  compose,
  edit,
  validate,
  assistantsMustAlternate: true,
  mustEndWithUser: true,
};
