import type { Media } from '../../model/message.ts';
import { jsonOf } from '../../model/text.ts';
import { dataUrl, imageSizeOf } from '../media.ts';
import { base64Bytes, isObject, mediaKindOf, type Native, stringOf } from '../native.ts';
import { someValue } from '../violations.ts';

// `base64` is given only where the payload is text already.
type Payload = { readonly mimeType?: string; readonly bytes?: number; readonly base64?: string };

/** The media an `image`, `file` or result block holds; its payload may be base64, a URL, binary, or elsewhere. */
export function mediaOf(block: Native): Media {
  const source = unwrap(block['image'] ?? block['data'] ?? block['url']);
  const { bytes, base64, ...payload } = payloadOf(source);
  const mimeType = payload.mimeType || stringOf(block['mediaType']);
  // v7 allows the top-level segment alone: `image` says the same as `image/*`.
  const kind = mediaKindOf(mimeType.includes('/') ? mimeType : `${mimeType}/*`);
  const media = stringOf(block['type']).startsWith('image') ? 'image' : kind;
  return {
    media,
    ...(mimeType !== '' && { mimeType }),
    ...(bytes !== undefined && { bytes }),
    ...(media === 'image' && imageSizeOf(base64 ?? headOf(source))),
  };
}

/** Text of any value: strings as they are, all else as JSON, in which binary data stands as its size. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return jsonOf(someValue(value, isBinary) ? withoutBinary(value) : value);
  } catch {
    return '';
  }
}

// v7 tags file data (`{ type: 'data', data }`); a stored Buffer comes back from JSON in the same shape.
function unwrap(source: unknown): unknown {
  if (!isObject(source)) return source;
  if (source['type'] === 'data' || source['type'] === 'Buffer') return source['data'];
  return source['type'] === 'url' ? source['url'] : source;
}

function payloadOf(source: unknown): Payload {
  if (Array.isArray(source)) return { bytes: source.length };
  const bytes = byteLength(source);
  if (bytes !== undefined) return { bytes };
  const text = isUrl(source) ? source.href : stringOf(source);
  const inline = dataUrl(text);
  if (inline !== undefined) return { ...inline, bytes: base64Bytes(inline.base64.length) };
  // Base64 has no colon, every URL has one near its start.
  return text === '' || text.slice(0, 64).includes(':') ? {} : { base64: text, bytes: base64Bytes(text.length) };
}

function headOf(source: unknown): string {
  const isView = ArrayBuffer.isView(source);
  if (!(isView || source instanceof ArrayBuffer) || source.byteLength === 0) return '';
  // 48 kB are the 64 kB of base64 in which a JPEG tells its size.
  const length = Math.min(source.byteLength, 49_152);
  const head = isView ? new Uint8Array(source.buffer, source.byteOffset, length) : new Uint8Array(source, 0, length);
  let binary = '';
  for (const byte of head) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function byteLength(value: unknown): number | undefined {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? value.byteLength : undefined;
}

function isUrl(value: unknown): value is URL {
  return value instanceof URL;
}

function isBinary(value: unknown): boolean {
  return byteLength(value) !== undefined || (isUrl(value) && value.protocol === 'data:');
}

function withoutBinary(value: unknown): unknown {
  if (isUrl(value)) return value.protocol === 'data:' ? '[data URL]' : value.href;
  if (isBinary(value)) return `[${byteLength(value)} bytes]`;
  if (Array.isArray(value)) return value.map(withoutBinary);
  if (!isObject(value) || typeof value['toJSON'] === 'function') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBinary(inner)]));
}
