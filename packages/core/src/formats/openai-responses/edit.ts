import type { Message, PartEdit } from '../../model/message.ts';
import { isObject, type Native } from '../native.ts';
import { blockMedia, blockText } from './content.ts';
import { itemKind } from './items.ts';
import { writeOutput } from './output.ts';

type Edits = ReadonlyMap<number, string | null>;

/**
 * The item with the edits made and all else shared; `undefined` where nothing is left. Calls and compaction items are
 * never edited, thinking and items we do not read can only be left out.
 */
export function edit(message: Message, edits: readonly PartEdit[]): unknown {
  const { native } = message;
  const changes: Edits = new Map(edits.map(({ part, text }) => [part, text]));
  const first = changes.get(0);
  if (typeof native === 'string') return first === undefined ? native : first || undefined;
  // Such an item is one part as a whole, even where it has content.
  if (!isObject(native) || message.role === 'other') return first === null ? undefined : native;
  switch (itemKind(native)) {
    case 'message':
      return editMessage(native, changes);
    case 'output':
      if (first === null) return undefined;
      return first === undefined ? native : writeOutput(native, first);
    case 'call':
    case 'compaction':
      return native;
    case 'reasoning':
    case 'hosted':
    case 'reference':
    case 'unknown':
      return first === null ? undefined : native;
  }
}

function editMessage(native: Native, changes: Edits): unknown {
  const content = native['content'];
  const first = changes.get(0);
  if (typeof content === 'string') {
    if (first === undefined) return native;
    return first ? { ...native, content: first } : undefined;
  }
  if (!Array.isArray(content)) return first === null ? undefined : native;
  const edited = content.flatMap((block: unknown, at) => {
    const text = changes.get(at);
    return text === undefined ? [block] : editBlock(block, text, native['role'] === 'assistant');
  });
  if (edited.length === 0 && content.length > 0) return undefined;
  const same = edited.length === content.length && edited.every((block, at) => block === content[at]);
  return same ? native : { ...native, content: edited };
}

function editBlock(block: unknown, text: string | null, spoken: boolean): readonly unknown[] {
  // An empty block says nothing, and some servers reject it.
  if (text === null || text === '') return [];
  if (!isObject(block)) return [block];
  if (blockText(block) !== undefined) return [withText(block, text)];
  return blockMedia(block) === undefined ? [block] : [placeholder(block, text, spoken)];
}

function withText(block: Native, text: string): Native {
  if (block['type'] === 'refusal') return { ...block, refusal: text };
  // Citations and log probabilities point into the old text.
  const stale = ['annotations', 'logprobs'].filter((key) => Array.isArray(block[key])).map((key) => [key, []]);
  return { ...block, text, ...Object.fromEntries(stale) };
}

function placeholder(block: Native, text: string, spoken: boolean): Native {
  const mark = block['prompt_cache_breakpoint'];
  const type = spoken ? 'output_text' : 'input_text';
  return { type, text, ...(mark === undefined || spoken ? {} : { prompt_cache_breakpoint: mark }) };
}
