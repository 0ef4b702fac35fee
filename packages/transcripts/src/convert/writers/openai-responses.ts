import { type Payload, placeholderOf, urlOf } from '../media.ts';
import type { Block, Turn } from '../turns.ts';
import { argumentsOf, createIds, nameOf, splitSystem, type Writer } from './writer.ts';

/** Writes items of the Responses API. */
export const writeOpenaiResponses: Writer = (turns, keeps) => {
  const idOf = createIds();
  const { system, rest } = splitSystem(turns);
  const messages = rest.flatMap((turn) => (keeps ? turn.natives : undefined) ?? itemsOf(turn, idOf));
  return { messages, ...(system === '' ? {} : { system }) };
};

function itemsOf(turn: Turn, idOf: (id: string) => string): readonly unknown[] {
  switch (turn.kind) {
    case 'system':
      return [];
    case 'user':
      return turn.blocks.length === 0 ? [] : [{ type: 'message', role: 'user', content: turn.blocks.map(inputBlock) }];
    case 'assistant': {
      const texts = turn.blocks.map((block) => (block.kind === 'text' ? block.text : placeholderOf(block)));
      const content = texts.map((text) => ({ type: 'output_text', text }));
      const calls = turn.calls.map(({ id, name, input }) => {
        return { type: 'function_call', call_id: idOf(id), name: nameOf(name), arguments: argumentsOf(input) };
      });
      return [...(content.length === 0 ? [] : [{ type: 'message', role: 'assistant', content }]), ...calls];
    }
    case 'results':
      return turn.results.map(({ id, text, media }) => {
        const blocks = [{ type: 'input_text', text }, ...media.map(mediaBlock)];
        return { type: 'function_call_output', call_id: idOf(id), output: media.length === 0 ? text : blocks };
      });
    default:
      return turn satisfies never;
  }
}

function inputBlock(block: Block): unknown {
  return block.kind === 'text' ? { type: 'input_text', text: block.text } : mediaBlock(block);
}

function mediaBlock(payload: Payload): unknown {
  const isImage = payload.mimeType.startsWith('image/') && (payload.data ?? payload.url) !== undefined;
  return isImage
    ? { type: 'input_image', image_url: urlOf(payload) }
    : { type: 'input_text', text: placeholderOf(payload) };
}
