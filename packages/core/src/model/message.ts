/** Who speaks. `other` is an entry no decoder knows: it is carried verbatim and never covered. */
export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'other';

/** What a media part is; its tokens follow the provider's rule, never the length of its base64. */
export type MediaKind = 'image' | 'document' | 'audio' | 'video' | 'file';

/** An image, document or recording inside a message. Sizes are known only where the native form tells them. */
export type Media = {
  readonly media: MediaKind;
  readonly mimeType?: string;
  /** Bytes of the payload, where it is inline. */
  readonly bytes?: number;
  readonly width?: number;
  readonly height?: number;
  readonly pages?: number;
  /** Provider's detail setting, such as OpenAI's `low`. */
  readonly detail?: string;
};

export type TextPart = { readonly kind: 'text'; readonly text: string };

/** Thinking. `bound`: its signature is valid only behind an unchanged prefix (provider rule A12). */
export type ReasoningPart = {
  readonly kind: 'reasoning';
  readonly text: string;
  readonly bound: boolean;
  /** Characters of encrypted thinking. */
  readonly sealed?: number;
};

/** A call of a tool. `input` is JSON text as the model wrote it. */
export type ToolCallPart = {
  readonly kind: 'tool-call';
  readonly callId: string;
  readonly name: string;
  readonly input: string;
};

/** The answer to a call, wherever the dialect puts it (an own message, a user message, the assistant's own turn). */
export type ToolResultPart = {
  readonly kind: 'tool-result';
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  readonly media: readonly Media[];
};

type MediaPart = { readonly kind: 'media' } & Media;

/**
 * A native block we carry but do not read. `compaction`: the provider's own compaction item, in front of which nothing
 * may be changed and before which the provider ignores everything. `size` is what it weighs, in characters.
 */
export type OpaquePart = {
  readonly kind: 'opaque';
  readonly type: string;
  readonly size: number;
  readonly compaction: boolean;
  /** The call it approves: one that is still to be run, and stays open. */
  readonly approves?: string;
};

export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart | MediaPart | OpaquePart;

/** True for a part that holds more than its text says: media, sealed thinking, or a block we do not read. */
export function hasPayload(part: Part): boolean {
  if (part.kind === 'reasoning') return part.sealed !== undefined;
  return part.kind === 'media' || part.kind === 'opaque' || (part.kind === 'tool-result' && part.media.length > 0);
}

/** One entry of a conversation in neutral form; `native` is the caller's own value and goes out as it came in. */
export type Message = {
  readonly role: Role;
  /** Who of several people speaks, where the native form tells it. */
  readonly name?: string;
  readonly parts: readonly Part[];
  readonly native: unknown;
};

/** A part to rewrite: its new text, or `null` to leave it out. */
export type PartEdit = { readonly part: number; readonly text: string | null };

/** A message of ours. Always text, never `system` (law 24). */
export type InsertedMessage = { readonly role: 'user' | 'assistant'; readonly text: string };
