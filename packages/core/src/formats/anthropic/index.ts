import type { Fixed, Format } from '../../model/format.ts';
import type { Part } from '../../model/message.ts';
import { jsonOf } from '../../model/text.ts';
import { decode, decodeBlock } from './decode.ts';
import { edit } from './edit.ts';
import { validate } from './validate.ts';

/**
 * Anthropic's Messages API. Part `i` of a message is block `i` of its `content`; string content is one text part.
 */
export const anthropic: Format = {
  name: 'anthropic',
  decode,
  decodeFixed,
  compose: ({ role, text }) => ({ role, content: text }),
  edit,
  validate,
  assistantsMustAlternate: true,
  mustEndWithUser: true,
};

function decodeFixed({ system, tools }: Fixed): readonly Part[] {
  const blocks: readonly unknown[] = Array.isArray(system) ? system : [system ?? ''];
  const parts = Array.from(blocks, (block) =>
    typeof block === 'string' ? ({ kind: 'text', text: block } as const) : decodeBlock(block),
  ).filter((part) => part.kind !== 'text' || part.text !== '');
  const hasTools = tools !== undefined && tools !== null && !(Array.isArray(tools) && tools.length === 0);
  return hasTools ? [...parts, { kind: 'text', text: jsonOf(tools) }] : parts;
}
