/**
 * `ModelMessage[]` of the `ai` package, v6 and v7.
 *
 * A message with string content has one part, one with an array a part per entry, in the same order.
 *
 * Checked, by the SDK's own schemas and prompt conversion:
 * - S1 every call the provider did not run itself has its result (`AI_MissingToolResultsError`)
 * - S2 no result without a call; S3 one result per call, one call per id (the SDK lets these pass, no provider does)
 * - S4 no empty content array; S5 known roles, blocks that belong to the role and have their fields
 * - S6 no system message inside the list (v7 refuses it unless `allowSystemInMessages` is set): portability
 * - S7 an approval in the last message belongs to a request and its call (`AI_InvalidToolApprovalError`)
 * - U1 no lone surrogate
 * Not checked, because the list does not tell: the rules of the provider it is sent to.
 */
import type { Format } from '../../model/format.ts';
import type { InsertedMessage } from '../../model/message.ts';
import { decode, decodeFixed } from './decode.ts';
import { edit } from './edit.ts';
import { validate } from './validate.ts';

/** The wire format of the AI SDK. */
export const aiSdk: Format = {
  name: 'ai-sdk',
  decode,
  decodeFixed,
  compose: ({ role, text }: InsertedMessage): unknown => ({ role, content: text }),
  edit,
  validate,
  assistantsMustAlternate: false,
  mustEndWithUser: true,
};
