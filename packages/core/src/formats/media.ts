import type { Media, MediaKind } from '../model/message.ts';
import { base64Bytes, isObject, mediaKindOf, stringOf } from './native.ts';

// In pixels.
type ImageSize = { readonly width: number; readonly height: number };

/** Pixels of an inline image, read from its first bytes; `undefined` where they do not tell, and a size is assumed. */
export function imageSizeOf(base64: string): ImageSize | undefined {
  // 80 characters hold any header but a JPEG's, whose frame may stand behind 64 kB of EXIF.
  const head = bytesOf(base64, 80);
  const isJpeg = head.startsWith('\xff\xd8');
  const size = isJpeg ? jpegSize(bytesOf(base64, 65536)) : (pngSize(head) ?? gifSize(head) ?? webpSize(head));
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

/** MIME type and payload of a base64 data URL, cut by index; `undefined` for any other text. */
export function dataUrl(url: string): { readonly mimeType: string; readonly base64: string } | undefined {
  if (url.slice(0, 5).toLowerCase() !== 'data:') return undefined;
  // A media type is short: looking no further keeps a hostile text from being scanned.
  const comma = url.slice(0, 256).indexOf(',');
  const [mimeType = '', ...parameters] = url.slice(5, Math.max(comma, 5)).split(';');
  if (comma < 0 || parameters.at(-1)?.trim().toLowerCase() !== 'base64') return undefined;
  return { mimeType: mimeType.trim().toLowerCase(), base64: url.slice(comma + 1) };
}

/** What a link holds, a bare text or OpenAI's `{ url, detail }`: only a data URL tells more than its kind. */
export function linkedMedia(
  media: MediaKind,
  link: unknown,
  detail: unknown = isObject(link) && link['detail'],
): Media {
  const inline = dataUrl(stringOf(isObject(link) ? link['url'] : link));
  const kind = inline !== undefined && media === 'file' ? mediaKindOf(inline.mimeType) : media;
  return {
    media: kind,
    ...(inline && { mimeType: inline.mimeType, bytes: base64Bytes(inline.base64.length) }),
    ...(inline && kind === 'image' && imageSizeOf(inline.base64)),
    ...(stringOf(detail) !== '' && { detail: stringOf(detail) }),
  };
}

/** A recording of OpenAI's `{ data, format }`. */
export function recordedMedia(audio: unknown): Media {
  const { data, format } = isObject(audio) ? audio : {};
  return {
    media: 'audio',
    ...(stringOf(format) !== '' && { mimeType: `audio/${format}` }),
    ...(stringOf(data) !== '' && { bytes: base64Bytes(stringOf(data).length) }),
  };
}

// One character per byte. `limit` is a multiple of 4, so that a cut payload still decodes.
function bytesOf(base64: string, limit: number): string {
  try {
    return atob(base64.slice(0, limit).replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

function pngSize(bytes: string): ImageSize | undefined {
  if (!bytes.startsWith('\x89PNG') || bytes.length < 24) return undefined;
  return { width: big(bytes, 16) * 65536 + big(bytes, 18), height: big(bytes, 20) * 65536 + big(bytes, 22) };
}

function jpegSize(bytes: string): ImageSize | undefined {
  let at = 2;
  while (at + 9 <= bytes.length && bytes.charCodeAt(at) === 0xff) {
    const marker = bytes.charCodeAt(at + 1);
    if (isFrame(marker)) return { width: big(bytes, at + 7), height: big(bytes, at + 5) };
    // 0xff may be repeated as filler before a marker.
    at += marker === 0xff ? 1 : 2 + big(bytes, at + 2);
  }
  return undefined;
}

// SOF0..SOF15, without DHT, JPG and DAC, which share the range (ITU-T T.81, table B.1).
function isFrame(marker: number): boolean {
  return marker >> 4 === 0xc && (marker === 0xc0 || marker % 4 > 0);
}

function gifSize(bytes: string): ImageSize | undefined {
  return bytes.startsWith('GIF8') ? { width: little(bytes, 6), height: little(bytes, 8) } : undefined;
}

// Lossy, lossless and extended files each keep their size elsewhere (RFC 9649).
function webpSize(bytes: string): ImageSize | undefined {
  if (!bytes.startsWith('RIFF') || bytes.slice(8, 15) !== 'WEBPVP8') return undefined;
  const third = (at: number): number => little(bytes, at) + bytes.charCodeAt(at + 2) * 65536 + 1;
  const kind = bytes.charAt(15);
  if (kind === 'X') return { width: third(24), height: third(27) };
  if (kind === 'L') {
    const height = (little(bytes, 22) >> 6) + (bytes.charCodeAt(24) % 16) * 1024 + 1;
    return { width: (little(bytes, 21) % 16384) + 1, height };
  }
  return { width: little(bytes, 26) % 16384, height: little(bytes, 28) % 16384 };
}

function little(bytes: string, at: number): number {
  return bytes.charCodeAt(at) + bytes.charCodeAt(at + 1) * 256;
}

function big(bytes: string, at: number): number {
  return bytes.charCodeAt(at) * 256 + bytes.charCodeAt(at + 1);
}
