import type { Payload } from '../media.ts';
import type { Block, Passage, Result } from '../passages.ts';
import { inputOf, type Writer } from './writer.ts';

/** Writes the AI SDK's model messages. */
export const writeAiSdk: Writer = (passages) => ({
  messages: passages.flatMap((passage) => passage.natives ?? messagesOf(passage)),
});

function messagesOf(passage: Passage): readonly unknown[] {
  switch (passage.kind) {
    case 'system':
      return [{ role: 'system', content: passage.text }];
    case 'user':
      return passage.blocks.length === 0 ? [] : [{ role: 'user', content: passage.blocks.map(blockOf) }];
    case 'assistant': {
      const calls = passage.calls.map(({ id, name, input }) => {
        return { type: 'tool-call', toolCallId: id, toolName: name, input: inputOf(input) };
      });
      const content = [...passage.blocks.map(blockOf), ...calls];
      return content.length === 0 ? [] : [{ role: 'assistant', content }];
    }
    case 'results':
      return [{ role: 'tool', content: passage.results.map(resultOf) }];
    default:
      return passage satisfies never;
  }
}

function blockOf(block: Block): unknown {
  return block.kind === 'text' ? { type: 'text', text: block.text } : fileOf(block);
}

function fileOf({ mimeType, data, url }: Payload): unknown {
  return { type: 'file', mediaType: mimeType, data: data ?? url ?? '' };
}

function resultOf({ id, name, text, isError, media }: Result): unknown {
  const files = media.map(({ mimeType, data, url }) => ({
    type: 'media',
    mediaType: mimeType,
    data: data ?? url ?? '',
  }));
  const output =
    files.length === 0
      ? { type: isError ? 'error-text' : 'text', value: text }
      : { type: 'content', value: [{ type: 'text', text }, ...files] };
  return { type: 'tool-result', toolCallId: id, toolName: name, output };
}
