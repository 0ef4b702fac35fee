import type { Fixed } from '../../model/format.ts';
import type { Media, Message, OpaquePart, Part, Role } from '../../model/message.ts';
import { jsonOf } from '../../model/text.ts';
import { fixedParts } from '../fixed.ts';
import { imageSizeOf } from '../media.ts';
import { base64Bytes, isObject, listOf, mediaKindOf, type Native, stringOf } from '../native.ts';
import { type Content, contentOf, dataOf, either, type PartData } from './fields.ts';
import { type Links, linksOf } from './links.ts';

/** Reads one content; `parts[i]` is the native `parts[i]`. What is no content becomes one opaque part. */
export function decode(native: unknown, before: readonly Message[]): Message {
  const content = contentOf(native);
  if (!content) return { role: 'other', parts: [opaque('content', native)], native };
  const data = content.parts.map((part) => dataOf(part)[0]);
  const links = linksOf(data.flatMap(responseOf), before);
  const parts = content.parts.map((part, at) => decodePart(part, data[at], links));
  return { role: roleOf(content, parts), parts, native };
}

/** `systemInstruction` (a string, a content or its parts) and `tools` as parts. */
export function decodeFixed({ system, tools }: Fixed): readonly Part[] {
  const links = linksOf([], []);
  const instructions = isObject(system) && 'parts' in system ? system['parts'] : system;
  return fixedParts({ system: instructions, tools }, (part) => [decodePart(part, dataOf(part)[0], links)]);
}

function responseOf(data: PartData | undefined): readonly Native[] {
  return data?.field === 'functionResponse' && isObject(data.value) ? [data.value] : [];
}

function decodePart(part: unknown, data: PartData | undefined, links: Links): Part {
  if (!isObject(part)) return opaque(typeof part, part);
  const thought = part['thought'] === true;
  if (!data) return thought ? { kind: 'reasoning', text: '', bound: false } : unknownPart(part);
  const { field, value } = data;
  if (field === 'text' && typeof value === 'string') {
    return thought ? { kind: 'reasoning', text: value, bound: false } : { kind: 'text', text: value };
  }
  if (!isObject(value)) return opaque(field, value);
  switch (field) {
    case 'functionCall': {
      const input = jsonOf(value['args'] ?? {});
      return { kind: 'tool-call', callId: links.call(value), name: stringOf(value['name']), input };
    }
    case 'functionResponse':
      return { kind: 'tool-result', ...links.result(value), ...outputOf(value['response']), media: attached(value) };
    case 'inlineData':
    case 'fileData':
      return { kind: 'media', ...mediaOf(value), ...detailOf(part) };
    default:
      return opaque(field, value);
  }
}

function unknownPart(part: Native): Part {
  const { thoughtSignature: _camel, thought_signature: _snake, ...rest } = part;
  return opaque(Object.keys(rest)[0] ?? 'empty', rest);
}

function opaque(type: string, value: unknown): OpaquePart {
  return { kind: 'opaque', type, size: jsonOf(value).length, compaction: false };
}

// `output` and `error` are the documented keys; a lone text under any other key is as plain.
function outputOf(response: unknown): { readonly text: string; readonly isError: boolean } {
  if (!isObject(response)) return { text: jsonOf(response), isError: false };
  const [key, ...others] = Object.keys(response);
  const only = key !== undefined && others.length === 0 ? response[key] : undefined;
  return { text: typeof only === 'string' ? only : jsonOf(response), isError: Boolean(response['error']) };
}

function attached(response: Native): readonly Media[] {
  return listOf(response['parts']).flatMap((part) =>
    dataOf(part).flatMap(({ field, value }) =>
      (field === 'inlineData' || field === 'fileData') && isObject(value) ? [mediaOf(value)] : [],
    ),
  );
}

function mediaOf(blob: Native): Media {
  const mimeType = stringOf(either(blob, 'mimeType', 'mime_type'));
  const data = stringOf(blob['data']);
  const media = mediaKindOf(mimeType);
  return {
    media,
    ...(mimeType ? { mimeType } : {}),
    ...(data ? { bytes: base64Bytes(data.length) } : {}),
    ...(data && media === 'image' ? imageSizeOf(data) : {}),
  };
}

function detailOf(part: Native): Pick<Media, 'detail'> {
  const resolution = either(part, 'mediaResolution', 'media_resolution');
  const level = isObject(resolution) ? stringOf(resolution['level']) : '';
  return level ? { detail: level.replace('MEDIA_RESOLUTION_', '').toLowerCase() } : {};
}

function roleOf(content: Content, parts: readonly Part[]): Role {
  if (content.side === 'model') return 'assistant';
  return parts.length > 0 && parts.every((part) => part.kind === 'tool-result') ? 'tool' : 'user';
}
