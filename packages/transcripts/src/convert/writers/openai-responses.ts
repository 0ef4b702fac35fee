import { type Payload, placeholderOf, urlOf } from '../media.ts';
import type { Block, Passage } from '../passages.ts';
import { argumentsOf, createIds, nameOf, splitSystem, type Writer } from './writer.ts';

/** Writes items of the Responses API. */
export const writeOpenaiResponses: Writer = (passages) => {
  const idOf = createIds();
  const { system, rest } = splitSystem(passages);
  const messages = rest.flatMap((passage) => passage.natives ?? itemsOf(passage, idOf));
  return { messages, ...(system === '' ? {} : { system }) };
};

function itemsOf(passage: Passage, idOf: (id: string) => string): readonly unknown[] {
  switch (passage.kind) {
    case 'system':
      return [];
    case 'user':
      return passage.blocks.length === 0
        ? []
        : [{ type: 'message', role: 'user', content: passage.blocks.map(inputBlock) }];
    case 'assistant': {
      const texts = passage.blocks.map((block) => (block.kind === 'text' ? block.text : placeholderOf(block)));
      const content = texts.map((text) => ({ type: 'output_text', text }));
      const calls = passage.calls.map(({ id, name, input }) => {
        return { type: 'function_call', call_id: idOf(id), name: nameOf(name), arguments: argumentsOf(input) };
      });
      return [...(content.length === 0 ? [] : [{ type: 'message', role: 'assistant', content }]), ...calls];
    }
    case 'results':
      return passage.results.map(({ id, text, media }) => {
        const blocks = [{ type: 'input_text', text }, ...media.map(mediaBlock)];
        return { type: 'function_call_output', call_id: idOf(id), output: media.length === 0 ? text : blocks };
      });
    default:
      return passage satisfies never;
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
