import type { Message, Part, PartEdit } from '../../model/message.ts';
import { isObject } from '../native.ts';
import { isBlock } from './content.ts';
import { isBlank, isThinking } from './turns.ts';

/** The native message with its parts edited, all other blocks shared with the original. */
export function edit(message: Message, edits: readonly PartEdit[]): unknown {
  const { native, parts, role } = message;
  const texts = new Map(edits.filter(({ part }) => isEditable(parts[part])).map(({ part, text }) => [part, text]));
  if (texts.size === 0) return native;
  if (role === 'other' || !isObject(native)) return texts.get(0) === null ? undefined : native;
  // A last assistant text may not end in white space (A14), and any message may become the last one.
  const fit = (text: string | null): string | null => (role === 'assistant' ? (text?.trimEnd() ?? null) : text);
  const { content } = native;
  if (!Array.isArray(content)) {
    const text = fit(texts.get(0) ?? null);
    return isBlank(text) ? undefined : { ...native, content: text };
  }
  const edited = content.flatMap((block: unknown, index) => {
    const text = texts.get(index);
    return text === undefined ? [block] : editBlock(block, parts[index], fit(text));
  });
  // The API takes no blank text (A8) where the words beside it are gone, and no message that ends in thinking.
  const blocks = edited.filter((block) => !isBlock(block, 'text') || !isBlank(block['text']));
  const end = blocks.findLastIndex((block) => !isThinking(block));
  return end < 0 ? undefined : { ...native, content: blocks.slice(0, end + 1) };
}

function isEditable(part: Part | undefined): boolean {
  return part !== undefined && part.kind !== 'tool-call';
}

function editBlock(block: unknown, part: Part | undefined, text: string | null): readonly unknown[] {
  // Signed thinking cannot be reworded (A11): a rewrite drops it too.
  if (text === null || part?.kind === 'reasoning') return [];
  if (part?.kind === 'tool-result' && isObject(block)) {
    const content = block['type'] === 'tool_result' ? text : serverContent(block['content'], text);
    return [content === block['content'] ? block : { ...block, content }];
  }
  if (isBlank(text)) return [];
  if (!isObject(block)) return [{ type: 'text', text }];
  if (block['type'] === 'text') {
    // Citations vouch for the old words.
    const { citations: _, ...rest } = block;
    return [{ ...rest, text }];
  }
  const { cache_control } = block;
  return [{ type: 'text', text, ...(cache_control === undefined ? {} : { cache_control }) }];
}

/**
 * Content of a server tool's result with its words replaced inside its own schema, since the API takes no plain string
 * there; the same value where the schema has no room for words.
 */
function serverContent(content: unknown, text: string): unknown {
  if (Array.isArray(content)) return serverList(content, text);
  if (!isObject(content)) return text;
  if (typeof content['stdout'] === 'string') return { ...content, stdout: text, stderr: '' };
  if (typeof content['text'] === 'string') return { ...content, text };
  if (typeof content['content'] === 'string') return { ...content, content: text };
  if (!isBlock(content['content'], 'document')) return content;
  const source = { type: 'text', media_type: 'text/plain', data: text };
  return { ...content, content: { ...content['content'], source } };
}

function serverList(content: readonly unknown[], text: string): readonly unknown[] {
  if (content.every((item) => isBlock(item, 'text'))) return isBlank(text) ? [] : [{ type: 'text', text }];
  // Search hits hold sealed text only, so that leaving them all out is the one way to shorten them.
  return content.every((item) => isBlock(item, 'web_search_result')) ? [] : content;
}
