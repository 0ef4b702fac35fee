import { type Payload, placeholderOf, urlOf } from '../media.ts';
import type { Block, Call, Passage, Result } from '../passages.ts';
import { argumentsOf, createIds, nameOf, type Writer } from './writer.ts';

/** Writes Chat Completions messages. */
export const writeOpenaiChat: Writer = (passages) => {
  const idOf = createIds();
  return { messages: passages.flatMap((passage) => passage.natives ?? messagesOf(passage, idOf)) };
};

function messagesOf(passage: Passage, idOf: (id: string) => string): readonly unknown[] {
  switch (passage.kind) {
    case 'system':
      return [{ role: 'system', content: passage.text }];
    case 'user':
      return passage.blocks.length === 0 ? [] : [{ role: 'user', content: contentOf(passage.blocks) }];
    case 'assistant': {
      const text = textOf(passage.blocks);
      if (passage.calls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }];
      const content = text === '' ? null : text;
      return [{ role: 'assistant', content, tool_calls: passage.calls.map((call) => callOf(call, idOf)) }];
    }
    case 'results':
      return [...passage.results.map((result) => resultOf(result, idOf)), ...mediaMessage(passage.results)];
    default:
      return passage satisfies never;
  }
}

function textOf(blocks: readonly Block[]): string {
  return blocks.map((block) => (block.kind === 'text' ? block.text : placeholderOf(block))).join('\n\n');
}

function contentOf(blocks: readonly Block[]): unknown {
  if (blocks.every(({ kind }) => kind === 'text')) return textOf(blocks);
  return blocks.map((block) => (block.kind === 'text' ? { type: 'text', text: block.text } : mediaBlock(block)));
}

function mediaBlock(payload: Payload): unknown {
  const isImage = payload.mimeType.startsWith('image/') && (payload.data !== undefined || payload.url !== undefined);
  if (!isImage) return { type: 'text', text: placeholderOf(payload) };
  return { type: 'image_url', image_url: { url: urlOf(payload) } };
}

function callOf({ id, name, input }: Call, idOf: (id: string) => string): unknown {
  return { id: idOf(id), type: 'function', function: { name: nameOf(name), arguments: argumentsOf(input) } };
}

function resultOf({ id, text }: Result, idOf: (id: string) => string): unknown {
  return { role: 'tool', tool_call_id: idOf(id), content: text };
}

/** A tool message holds text alone; its images follow in the user's name. */
function mediaMessage(results: readonly Result[]): readonly unknown[] {
  const media = results.flatMap((result) => result.media);
  return media.length === 0 ? [] : [{ role: 'user', content: media.map(mediaBlock) }];
}
