import type { Message, PartEdit } from './message.ts';

/** One entry of what the model is shown. */
export type ViewEntry = {
  readonly message: Message;
  /** Index of the original message; absent for an entry of ours. */
  readonly source?: number;
  /** The record that put it there or changed it. */
  readonly recordId?: string;
  /** What records changed of the original, by its parts. */
  readonly edits?: readonly PartEdit[];
  /** The text of an earlier summary this entry carries. */
  readonly summary?: string;
  /** An acknowledgement or bridge of ours: words without content. */
  readonly filler?: true;
  /** What a user said beside results that are gone with their calls. */
  readonly aside?: true;
};

/** What the model is shown, in order. */
export type View = { readonly entries: readonly ViewEntry[] };

/** A prompt: a user message that a person or caller wrote, not one that only carries tool results, nor one of ours. */
export function isPrompt(entry: ViewEntry): boolean {
  if (entry.message.role !== 'user' || entry.summary !== undefined || entry.filler) return false;
  return entry.message.parts.length === 0 || entry.message.parts.some((part) => part.kind !== 'tool-result');
}

/**
 * A prompt a turn begins with. What a user says beside results belongs to the turn of their calls: providers look for its
 * thinking and signatures in front of it all the same (A10, G7).
 */
export function beginsTurn(entry: ViewEntry): boolean {
  return isPrompt(entry) && !entry.aside && !entry.message.parts.some((part) => part.kind === 'tool-result');
}

/** Thinking in an entry of its own: it is part of the answer it led to (R3), and no message by itself. */
export function isThought({ message }: ViewEntry): boolean {
  return message.parts.length > 0 && message.parts.every((part) => part.kind === 'reasoning');
}

/** How many messages the entries are. */
export function countMessages(entries: readonly ViewEntry[]): number {
  return entries.filter((entry) => !isThought(entry)).length;
}

/** Whether an entry holds thinking that is valid only behind what it was written behind (A12). */
export function isBound(entry: ViewEntry | undefined): boolean {
  return entry?.message.parts.some((part) => part.kind === 'reasoning' && part.bound) ?? false;
}

/** System messages and entries no decoder knows: they go out as they are, wherever they stand. */
export function isFixed({ message }: ViewEntry): boolean {
  return message.role === 'system' || message.role === 'other';
}

/** A provider's own compaction item: nothing in front of it is seen by the model, and none of it may be changed. */
export function isBarrier({ message }: ViewEntry): boolean {
  for (const part of message.parts) if (part.kind === 'opaque' && part.compaction) return true;
  return false;
}

/** An assistant message with words and without an own call: a finished answer, if nothing but it ends the turn. */
export function isReply({ message, summary }: ViewEntry): boolean {
  // A summary in the assistant's place stands for steps of a turn, not for its answer.
  if (message.role !== 'assistant' || summary !== undefined) return false;
  let hasText = false;
  for (const part of message.parts) {
    if (part.kind === 'tool-call' && !answersItself(message, part.callId)) return false;
    if (part.kind === 'text' && part.text.trim() !== '') hasText = true;
  }
  return hasText;
}

// A server tool's result stands in the assistant's own message.
function answersItself(message: Message, callId: string): boolean {
  return message.parts.some((part) => part.kind === 'tool-result' && part.callId === callId);
}
