import type { MediaKind, Message, Part } from '../model/message.ts';

/** A native object as it came from the wire: nothing about it is known yet. */
export type Native = Readonly<Record<string, unknown>>;

/** True for a plain JSON object (not an array, not null). */
export function isObject(value: unknown): value is Native {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is a string, else `''`. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value if it is an array, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Kind of media by MIME type. */
export function mediaKindOf(mimeType: string): MediaKind {
  if (mimeType.startsWith('image/')) return 'image';
  if (mimeType.startsWith('audio/')) return 'audio';
  if (mimeType.startsWith('video/')) return 'video';
  if (mimeType === 'application/pdf') return 'document';
  return 'file';
}

/** Bytes behind a base64 text of this length. */
export function base64Bytes(length: number): number {
  return Math.floor((length * 3) / 4);
}

// A batch has at most 128 calls (O4), and its results stand right behind it.
export const LOOK_BACK = 128;

/** The tool a result comes from: results of most dialects do not name it, the call behind them or beside them does. */
export function calledName(callId: string, before: readonly Message[], beside: readonly Part[] = []): string {
  let name = nameIn(beside, callId);
  for (let at = before.length - 1; name === undefined && at >= before.length - LOOK_BACK && at >= 0; at -= 1) {
    name = nameIn(before[at]?.parts ?? [], callId);
  }
  return name ?? '';
}

function nameIn(parts: readonly Part[], callId: string): string | undefined {
  for (const part of parts) if (part.kind === 'tool-call' && part.callId === callId) return part.name;
  return undefined;
}

/** How much sealed thinking a field holds, for a reasoning part; nothing where it is none. */
export function sealedBy(value: unknown): { readonly sealed?: number } {
  return typeof value === 'string' && value !== '' ? { sealed: value.length } : {};
}
