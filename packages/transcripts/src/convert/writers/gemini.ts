import { isObject } from '../../model/json.ts';
import { type Payload, placeholderOf } from '../media.ts';
import type { Block, Passage, Result } from '../passages.ts';
import { inputOf, nameOf, OPENING, splitSystem, type Writer, writeSides } from './writer.ts';

type Native = { readonly role: 'user' | 'model'; readonly parts: readonly unknown[] };

/** Writes Gemini contents: the user first, sides by turns, responses apart from what the user says. */
export const writeGemini: Writer = (passages) => {
  const { system, rest } = splitSystem(passages);
  const messages = writeSides<Native>(rest, {
    write: (passage) => {
      const native = nativeOf(passage);
      return native.parts.length === 0 ? undefined : native;
    },
    join: (before, next) => {
      const isApart = before.role !== next.role || holdsResponses(before) || holdsResponses(next);
      return isApart ? undefined : { role: next.role, parts: [...before.parts, ...next.parts] };
    },
    opening: { role: 'user', parts: [{ text: OPENING }] },
  });
  return { messages, ...(system === '' ? {} : { system }) };
};

function holdsResponses({ parts }: Native): boolean {
  return parts.some((part) => isObject(part) && 'functionResponse' in part);
}

function nativeOf(passage: Passage): Native {
  switch (passage.kind) {
    case 'system':
      return { role: 'user', parts: [] };
    case 'user':
      return { role: 'user', parts: passage.blocks.map(partOf) };
    case 'assistant': {
      const calls = passage.calls.map(({ id, name, input }) => ({
        functionCall: { id, name: nameOf(name), args: inputOf(input) },
      }));
      return { role: 'model', parts: [...passage.blocks.map(partOf), ...calls] };
    }
    case 'results':
      return { role: 'user', parts: passage.results.map(responseOf) };
    default:
      return passage satisfies never;
  }
}

function partOf(block: Block): unknown {
  return block.kind === 'text' ? { text: block.text } : mediaPart(block);
}

function mediaPart(payload: Payload): unknown {
  const { mimeType, data, url } = payload;
  if (data !== undefined && mimeType !== '') return { inlineData: { mimeType, data } };
  return url === undefined ? { text: placeholderOf(payload) } : { fileData: { mimeType, fileUri: url } };
}

function responseOf({ id, name, text, isError, media }: Result): unknown {
  const parts = media.length === 0 ? {} : { parts: media.map(mediaPart) };
  return { functionResponse: { id, name: nameOf(name), response: { [isError ? 'error' : 'output']: text }, ...parts } };
}
