import { type Payload, placeholderOf } from '../media.ts';
import type { Block, Result, Turn } from '../turns.ts';
import { inputOf, nameOf, OPENING, splitSystem, type Writer } from './writer.ts';

type Native = { readonly role: 'user' | 'model'; readonly parts: readonly unknown[] };

/** Writes Gemini contents: the user first, sides by turns, responses apart from what the user says. */
export const writeGemini: Writer = (turns, keeps) => {
  const { system, rest } = splitSystem(turns);
  const messages: unknown[] = [];
  let open: { readonly native: Native; readonly isResults: boolean } | undefined;
  const close = (): void => {
    if (open !== undefined) messages.push(open.native);
    open = undefined;
  };
  for (const turn of rest) {
    if (keeps && turn.natives !== undefined) {
      close();
      messages.push(...turn.natives);
      continue;
    }
    const native = nativeOf(turn);
    if (native.parts.length === 0) continue;
    if (messages.length === 0 && open === undefined && native.role === 'model') {
      messages.push({ role: 'user', parts: [{ text: OPENING }] });
    }
    const isResults = turn.kind === 'results';
    if (open !== undefined && open.native.role === native.role && !isResults && !open.isResults) {
      open = { native: { role: native.role, parts: [...open.native.parts, ...native.parts] }, isResults };
    } else {
      close();
      open = { native, isResults };
    }
  }
  close();
  return { messages, ...(system === '' ? {} : { system }) };
};

function nativeOf(turn: Turn): Native {
  switch (turn.kind) {
    case 'system':
      return { role: 'user', parts: [] };
    case 'user':
      return { role: 'user', parts: turn.blocks.map(partOf) };
    case 'assistant': {
      const calls = turn.calls.map(({ id, name, input }) => ({
        functionCall: { id, name: nameOf(name), args: inputOf(input) },
      }));
      return { role: 'model', parts: [...turn.blocks.map(partOf), ...calls] };
    }
    case 'results':
      return { role: 'user', parts: turn.results.map(responseOf) };
    default:
      return turn satisfies never;
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
