import { type Payload, placeholderOf } from '../media.ts';
import type { Block, Passage, Result } from '../passages.ts';
import { createIds, inputOf, nameOf, OPENING, splitSystem, type Writer, writeSides } from './writer.ts';

type Native = { readonly role: 'user' | 'assistant'; readonly content: readonly unknown[] };

/** Writes Messages API messages: the user first, sides by turns. */
export const writeAnthropic: Writer = (passages) => {
  const idOf = createIds();
  const { system, rest } = splitSystem(passages);
  const messages = writeSides<Native>(rest, {
    write: (passage) => {
      const native = nativeOf(passage, idOf);
      return native.content.length === 0 ? undefined : native;
    },
    join: (before, next) =>
      before.role === next.role ? { role: next.role, content: [...before.content, ...next.content] } : undefined,
    opening: { role: 'user', content: [{ type: 'text', text: OPENING }] },
  });
  return { messages, ...(system === '' ? {} : { system }) };
};

function nativeOf(passage: Passage, idOf: (id: string) => string): Native {
  switch (passage.kind) {
    case 'system':
      return { role: 'user', content: [] };
    case 'results':
      return { role: 'user', content: passage.results.map((result) => resultOf(result, idOf)) };
    case 'user':
      return { role: 'user', content: passage.blocks.map(blockOf) };
    case 'assistant': {
      const calls = passage.calls.map(({ id, name, input }) => {
        return { type: 'tool_use', id: idOf(id), name: nameOf(name), input: inputOf(input) };
      });
      // The last words of an answer may not end in white space, and files are the user's alone.
      const texts = passage.blocks.map((block) =>
        (block.kind === 'text' ? block.text : placeholderOf(block)).trimEnd(),
      );
      return { role: 'assistant', content: [...texts.map((text) => ({ type: 'text', text })), ...calls] };
    }
    default:
      return passage satisfies never;
  }
}

function blockOf(block: Block): unknown {
  return block.kind === 'text' ? { type: 'text', text: block.text } : mediaBlock(block);
}

const IMAGES = /^image\/(?:png|jpeg|gif|webp)$/;

function mediaBlock(payload: Payload): unknown {
  const { mimeType, data, url } = payload;
  if (url?.startsWith('http')) return { type: 'image', source: { type: 'url', url } };
  if (data === undefined) return { type: 'text', text: placeholderOf(payload) };
  const source = { type: 'base64', media_type: mimeType, data };
  if (IMAGES.test(mimeType)) return { type: 'image', source };
  return mimeType === 'application/pdf' ? { type: 'document', source } : { type: 'text', text: placeholderOf(payload) };
}

function resultOf({ id, text, isError, media }: Result, idOf: (id: string) => string): unknown {
  const texts = text.trim() === '' ? [] : [{ type: 'text', text }];
  const content = media.length === 0 ? text : [...texts, ...media.map(mediaBlock)];
  return { type: 'tool_result', tool_use_id: idOf(id), content, ...(isError ? { is_error: true } : {}) };
}
