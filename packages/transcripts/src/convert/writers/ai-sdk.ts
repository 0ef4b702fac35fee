import type { Payload } from '../media.ts';
import type { Block, Result, Turn } from '../turns.ts';
import { inputOf, type Writer } from './writer.ts';

/** Writes the AI SDK's model messages. */
export const writeAiSdk: Writer = (turns, keeps) => ({
  messages: turns.flatMap((turn) => (keeps ? turn.natives : undefined) ?? messagesOf(turn)),
});

function messagesOf(turn: Turn): readonly unknown[] {
  switch (turn.kind) {
    case 'system':
      return [{ role: 'system', content: turn.text }];
    case 'user':
      return turn.blocks.length === 0 ? [] : [{ role: 'user', content: turn.blocks.map(blockOf) }];
    case 'assistant': {
      const calls = turn.calls.map(({ id, name, input }) => {
        return { type: 'tool-call', toolCallId: id, toolName: name, input: inputOf(input) };
      });
      const content = [...turn.blocks.map(blockOf), ...calls];
      return content.length === 0 ? [] : [{ role: 'assistant', content }];
    }
    case 'results':
      return [{ role: 'tool', content: turn.results.map(resultOf) }];
    default:
      return turn satisfies never;
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
