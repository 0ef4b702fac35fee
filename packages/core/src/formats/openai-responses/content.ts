import type { Media, OpaquePart, Part } from '../../model/message.ts';
import { dataUrl, linkedMedia, recordedMedia } from '../media.ts';
import { base64Bytes, isObject, type Native, stringOf } from '../native.ts';

// Both from codex-rs/core/src/context_manager/history.rs: an image weighs about 1,844 tokens, and encrypted content
// is base64 with 650 bytes of envelope.
const IMAGE_SIZE = 7373;
const ENVELOPE = 650;

const TEXT_BLOCKS: ReadonlySet<unknown> = new Set([
  'input_text',
  'output_text',
  'text',
  'summary_text',
  'reasoning_text',
]);

/** One content block as one part; what we do not read is carried as opaque. */
export function decodeBlock(block: unknown): Part {
  if (!isObject(block)) return opaqueOf(block);
  const text = blockText(block);
  if (text !== undefined) return { kind: 'text', text };
  const media = blockMedia(block);
  return media === undefined ? opaqueOf(block) : { kind: 'media', ...media };
}

/** Text of a text or refusal block; `undefined` for any other. */
export function blockText(block: unknown): string | undefined {
  if (!isObject(block)) return undefined;
  const text = block['type'] === 'refusal' ? block['refusal'] : TEXT_BLOCKS.has(block['type']) && block['text'];
  return typeof text === 'string' ? text : undefined;
}

/** An opaque part for any value, weighed without reading encrypted content or inline media. */
export function opaqueOf(value: unknown): OpaquePart {
  const type = isObject(value) ? stringOf(value['type']) : '';
  return { kind: 'opaque', type: type || typeof value, size: sizeOf(value), compaction: false };
}

function sizeOf(value: unknown): number {
  const generated = isObject(value) && value['type'] === 'image_generation_call';
  let hidden = 0;
  const weigh = (key: string, field: unknown): unknown => {
    if (typeof field !== 'string') return field;
    if (key === 'encrypted_content') hidden += Math.max(0, base64Bytes(field.length) - ENVELOPE);
    else if (field.startsWith('data:') || (generated && key === 'result')) hidden += IMAGE_SIZE;
    else return field;
    return '';
  };
  try {
    return (JSON.stringify(value, weigh)?.length ?? 0) + hidden;
  } catch {
    return hidden;
  }
}

/** The media of an image, file or audio block; `undefined` for any other. */
export function blockMedia(block: unknown): Media | undefined {
  if (!isObject(block)) return undefined;
  switch (block['type']) {
    case 'input_image':
    case 'computer_screenshot':
      return linkedMedia('image', block['image_url'], block['detail']);
    case 'input_file':
      return fileOf(block);
    case 'input_audio':
      return recordedMedia(block['input_audio']);
    default:
      return undefined;
  }
}

function fileOf(block: Native): Media {
  const data = stringOf(block['file_data']);
  const name = stringOf(block['filename']) || stringOf(block['file_url']);
  const kind = name.slice(-4).toLowerCase() === '.pdf' ? 'document' : 'file';
  if (data === '' || dataUrl(data) !== undefined) return linkedMedia(kind, data);
  return { media: kind, bytes: base64Bytes(data.length) };
}
