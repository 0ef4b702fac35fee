import { type Payload, placeholderOf } from '../media.ts';
import type { Block, Result, Turn } from '../turns.ts';
import { createIds, inputOf, nameOf, OPENING, splitSystem, type Writer } from './writer.ts';

type Native = { readonly role: 'user' | 'assistant'; readonly content: readonly unknown[] };

/** Writes Messages API messages: the user first, sides by turns. */
export const writeAnthropic: Writer = (turns, keeps) => {
  const idOf = createIds();
  const { system, rest } = splitSystem(turns);
  const messages: unknown[] = [];
  let open: Native | undefined;
  const close = (): void => {
    if (open !== undefined) messages.push(open);
    open = undefined;
  };
  for (const turn of rest) {
    if (keeps && turn.natives !== undefined) {
      close();
      messages.push(...turn.natives);
      continue;
    }
    const { role, content } = nativeOf(turn, idOf);
    if (content.length === 0) continue;
    if (messages.length === 0 && open === undefined && role === 'assistant') {
      open = { role: 'user', content: [{ type: 'text', text: OPENING }] };
    }
    if (open !== undefined && open.role === role) open = { role, content: [...open.content, ...content] };
    else {
      close();
      open = { role, content };
    }
  }
  close();
  return { messages, ...(system === '' ? {} : { system }) };
};

function nativeOf(turn: Turn, idOf: (id: string) => string): Native {
  switch (turn.kind) {
    case 'system':
    case 'results':
      return { role: 'user', content: turn.kind === 'results' ? turn.results.map((one) => resultOf(one, idOf)) : [] };
    case 'user':
      return { role: 'user', content: turn.blocks.map(blockOf) };
    case 'assistant': {
      const calls = turn.calls.map(({ id, name, input }) => {
        return { type: 'tool_use', id: idOf(id), name: nameOf(name), input: inputOf(input) };
      });
      // The last words of an answer may not end in white space, and files are the user's alone.
      const texts = turn.blocks.map((block) => (block.kind === 'text' ? block.text : placeholderOf(block)).trimEnd());
      return { role: 'assistant', content: [...texts.map((text) => ({ type: 'text', text })), ...calls] };
    }
    default:
      return turn satisfies never;
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
