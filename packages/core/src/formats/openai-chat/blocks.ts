import type { Media, OpaquePart, Part, ReasoningPart } from '../../model/message.ts';
import { jsonOf } from '../../model/text.ts';
import { dataUrl, linkedMedia, recordedMedia } from '../media.ts';
import { base64Bytes, isObject, listOf, mediaKindOf, type Native, stringOf } from '../native.ts';

/** One entry of a content array as a part. */
export function blockPart(block: unknown): Part {
  if (typeof block === 'string') return { kind: 'text', text: block };
  if (!isObject(block)) return opaquePart(block);
  const text = block[block['type'] === 'refusal' ? 'refusal' : 'text'];
  if ((block['type'] === 'text' || block['type'] === 'refusal') && typeof text === 'string') {
    return { kind: 'text', text };
  }
  if (block['type'] === 'thinking') return thinkingPart(block);
  const media = mediaOf(block);
  return media === undefined ? opaquePart(block) : { kind: 'media', ...media };
}

/** A native value that is carried without being read. */
export function opaquePart(value: unknown): OpaquePart {
  const type = isObject(value) ? stringOf(value['type']) || stringOf(value['role']) : '';
  return { kind: 'opaque', type: type || 'unknown', size: jsonOf(value).length, compaction: false };
}

/** Visible text of thinking that is a string, or a list of blocks as Mistral, OpenRouter and LiteLLM send it. */
export function thinkingText(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((block) => (isObject(block) ? stringOf(block['text'] ?? block['thinking'] ?? block['summary']) : ''))
    .filter((text) => text !== '')
    .join('\n');
}

/** True for a thinking block that carries Anthropic's signature through an OpenAI-like server. */
export function isSigned(block: unknown): boolean {
  if (!isObject(block)) return false;
  const sealed = stringOf(block['signature']) !== '' || block['type'] === 'redacted_thinking';
  return sealed || stringOf(block['format']).startsWith('anthropic');
}

/** The media a content block holds, `undefined` for a block that is none. */
export function mediaOf(block: Native): Media | undefined {
  const type = block['type'];
  if (type === 'image_url') return urlMedia('image', block['image_url']);
  if (type === 'video_url') return urlMedia('video', block['video_url']);
  if (type === 'audio_url') return urlMedia('audio', block['audio_url']);
  if (type === 'input_audio') {
    const audio = block['input_audio'];
    return isObject(audio) && typeof audio['data'] === 'string' ? recordedMedia(audio) : undefined;
  }
  return type === 'file' ? fileMedia(block['file']) : undefined;
}

function thinkingPart(block: Native): ReasoningPart {
  return { kind: 'reasoning', text: thinkingText(block['thinking']), bound: isSigned(block) };
}

function urlMedia(media: Media['media'], link: unknown): Media | undefined {
  const url = isObject(link) ? link['url'] : link;
  return typeof url === 'string' ? linkedMedia(media, link) : undefined;
}

function fileMedia(file: unknown): Media | undefined {
  if (!isObject(file)) return undefined;
  const data = stringOf(file['file_data']);
  const inline = dataUrl(data);
  const isPdf = stringOf(file['filename']).toLowerCase().endsWith('.pdf');
  const mimeType = inline?.mimeType || (isPdf ? 'application/pdf' : '');
  return {
    media: mediaKindOf(mimeType),
    ...(mimeType !== '' && { mimeType }),
    ...(data !== '' && { bytes: base64Bytes((inline?.base64 ?? data).length) }),
  };
}
