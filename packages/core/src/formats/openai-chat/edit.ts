import type { Message, PartEdit } from '../../model/message.ts';
import { isObject, type Native } from '../native.ts';
import { type Field, REASONING_FIELDS, type Slot, slotsOf } from './slots.ts';

// What goes when the last part of a field goes. Content stays as null, calls are never left out.
const NATIVE_FIELDS: Readonly<Record<Field, readonly string[]>> = {
  reasoning: REASONING_FIELDS,
  content: [],
  refusal: ['refusal'],
  audio: ['audio'],
  call: [],
};

/**
 * The native message with the edits made. Thinking and unread blocks can be left out but not rewritten, calls neither;
 * an assistant left without content and calls is no message (rule O5).
 */
export function edit(message: Message, edits: readonly PartEdit[]): unknown {
  const { native, role } = message;
  const texts = new Map(edits.map(({ part, text }) => [part, text]));
  if (texts.size === 0) return native;
  if (role === 'other' || !isObject(native)) return texts.get(0) === null ? undefined : native;
  if (role === 'tool') return editResult(native, texts.get(0));
  const slots = slotsOf(native);
  const kept = slots.flatMap((slot, at) => rewrite(slot, texts.get(at)));
  if (isSame(slots, kept)) return native;
  return kept.some(isMeaningful) ? rebuild(native, slots, kept) : undefined;
}

function editResult(native: Native, text: string | null | undefined): unknown {
  if (text === undefined) return native;
  return text === null ? undefined : { ...native, content: text };
}

function rewrite(slot: Slot, text: string | null | undefined): readonly Slot[] {
  if (text === undefined || slot.field === 'call') return [slot];
  if (text === null || text === '') return [];
  const part = { kind: 'text', text } as const;
  if (slot.part.kind === 'media') return [{ field: 'content', block: { type: 'text', text }, part }];
  return slot.part.kind === 'text' ? [{ ...slot, block: withText(slot.block, text), part }] : [slot];
}

function withText(block: unknown, text: string): unknown {
  if (!isObject(block)) return text;
  return { ...block, [block['type'] === 'refusal' ? 'refusal' : 'text']: text };
}

function isSame(slots: readonly Slot[], kept: readonly Slot[]): boolean {
  return slots.length === kept.length && slots.every((slot, at) => slot === kept[at]);
}

function isMeaningful({ part }: Slot): boolean {
  return part.kind !== 'reasoning' && !(part.kind === 'text' && part.text === '');
}

function rebuild(native: Native, slots: readonly Slot[], kept: readonly Slot[]): Native {
  const was = slots.filter((slot) => slot.field === 'content');
  const now = kept.filter((slot) => slot.field === 'content');
  const refusal = kept.find((slot) => slot.field === 'refusal');
  const left = new Set(kept.map((slot) => slot.field));
  const gone = new Set(slots.filter(({ field }) => !left.has(field)).flatMap(({ field }) => NATIVE_FIELDS[field]));
  return {
    ...Object.fromEntries(Object.entries(native).filter(([key]) => !gone.has(key))),
    ...(!isSame(was, now) && { content: contentOf(now) }),
    ...(refusal && { refusal: refusal.block }),
  };
}

function contentOf(slots: readonly Slot[]): unknown {
  const blocks = slots.map((slot) => slot.block);
  if (blocks.length === 0) return null;
  if (blocks.length === 1 && typeof blocks[0] === 'string') return blocks[0];
  return blocks.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block));
}
