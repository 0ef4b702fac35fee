import type { Message, Part, PartEdit } from '../../model/message.ts';
import { isObject, type Native } from '../native.ts';
import { blockPart } from './parts.ts';

/**
 * The native message with the edits made. Calls are never changed; thinking, unread blocks and results that a provider
 * made itself (they stand in the assistant's turn, in the provider's own schema) can be left out but not rewritten.
 */
export function edit(message: Message, edits: readonly PartEdit[]): unknown {
  const { native, role } = message;
  const texts = new Map(edits.map(({ part, text }) => [part, text]));
  if (texts.size === 0) return native;
  const content = isObject(native) ? native['content'] : undefined;
  if (!isObject(native) || role === 'other' || !Array.isArray(content)) return editWhole(message, texts.get(0));
  const kept = content.flatMap((block: unknown, at) => rewrite(block, texts.get(at), role === 'assistant'));
  if (kept.length === content.length && kept.every((block, at) => block === content[at])) return native;
  return kept.some(isMeaningful) ? { ...native, content: kept } : undefined;
}

function editWhole({ native, parts }: Message, text: string | null | undefined): unknown {
  const [part] = parts;
  if (text === undefined || part === undefined) return native;
  if (text === null || text === '') return undefined;
  return isObject(native) && part.kind === 'text' ? { ...native, content: text } : native;
}

function rewrite(block: unknown, text: string | null | undefined, byAssistant: boolean): readonly unknown[] {
  if (text === undefined || !isObject(block)) return text === null ? [] : [block];
  const part = blockPart(block);
  if (part.kind === 'tool-call') return [block];
  if (text === null) return [];
  if (part.kind === 'tool-result') return [byAssistant ? block : { ...block, output: outputOf(block['output'], text) }];
  if (text === '') return [];
  return part.kind === 'text' || part.kind === 'media' ? [textBlock(block, text)] : [block];
}

// A denial keeps its type, by which the SDK knows that the tool did not run.
function outputOf(output: unknown, text: string): Native {
  if (!isObject(output)) return { type: 'text', value: text };
  if (output['type'] === 'execution-denied') return { ...output, reason: text };
  const isError = output['type'] === 'error-text' || output['type'] === 'error-json';
  return { ...output, type: isError ? 'error-text' : 'text', value: text };
}

function textBlock(block: Native, text: string): Native {
  const { providerOptions } = block;
  const options = isObject(providerOptions) && { providerOptions: withoutItemIds(providerOptions) };
  return { ...(block['type'] === 'text' && block), type: 'text', text, ...options };
}

// OpenAI's provider sends a block with an item id as a reference to the stored original: the new text would not go out.
function withoutItemIds(providerOptions: Native): Native {
  const entries = Object.entries(providerOptions).map(([name, options]): [string, unknown] => {
    if (!isObject(options) || !('itemId' in options)) return [name, options];
    const { itemId: _, ...rest } = options;
    return [name, rest];
  });
  return Object.fromEntries(entries);
}

// An assistant turn of nothing but thinking is what providers refuse; empty text is left out by the SDK itself.
function isMeaningful(block: unknown): boolean {
  const part: Part = blockPart(block);
  return part.kind !== 'reasoning' && !(part.kind === 'text' && part.text === '');
}
