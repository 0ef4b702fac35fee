import { isObject, type JsonObject, listOf, objectOf, stringOf } from '../model/json.ts';

/** An image or file as any format can take it: base64 or an address. */
export type Payload = { readonly mimeType: string; readonly data?: string; readonly url?: string };

/** The images and files of a native message of any format, in their order. */
export function payloadsOf(native: unknown): readonly Payload[] {
  if (!isObject(native)) return [];
  const lists = [native['content'], native['parts'], native['output']].flatMap(listOf);
  return lists.flatMap((block) => (isObject(block) ? blockPayloads(block) : []));
}

function blockPayloads(block: JsonObject): readonly Payload[] {
  const { type, source, image_url, file, inlineData, fileData, functionResponse, output } = block;
  if (type === 'tool_result') return payloadsOf(block);
  if (type === 'tool-result') return payloadsOf({ content: objectOf(output)['value'] });
  if (isObject(functionResponse)) return payloadsOf({ parts: functionResponse['parts'] });
  if (isObject(source)) return sourcePayload(source);
  if (image_url !== undefined)
    return [fromText(stringOf(objectOf(image_url)['url']) || stringOf(image_url), 'image/*')];
  if (isObject(inlineData)) return [payload(stringOf(inlineData['mimeType']), stringOf(inlineData['data']))];
  if (isObject(fileData)) return [{ mimeType: stringOf(fileData['mimeType']), url: stringOf(fileData['fileUri']) }];
  if (isObject(file)) return [fromText(stringOf(file['file_data']), 'application/pdf')];
  if (type === 'image' || type === 'file' || type === 'media') return sdkPayload(block);
  return [];
}

function sourcePayload(source: JsonObject): readonly Payload[] {
  const mimeType = stringOf(source['media_type']);
  if (source['type'] === 'url') return [{ mimeType: mimeType || 'image/*', url: stringOf(source['url']) }];
  return source['type'] === 'base64' ? [payload(mimeType, stringOf(source['data']))] : [];
}

function sdkPayload({ image, data, url, mediaType }: JsonObject): readonly Payload[] {
  const text = stringOf(image) || stringOf(data) || stringOf(url);
  return text === '' ? [] : [fromText(text, stringOf(mediaType) || 'image/*')];
}

/** A data URL, an address, or bare base64. */
function fromText(text: string, mimeType: string): Payload {
  const match = /^data:([^;,]*)(?:;[^,]*)?,/.exec(text.slice(0, 200));
  if (match !== null) return payload(match[1] || mimeType, text.slice(match[0].length));
  return /^[a-z]+:/.test(text.slice(0, 12)) ? { mimeType, url: text } : payload(mimeType, text);
}

function payload(mimeType: string, data: string): Payload {
  return { mimeType, data };
}

/** What stands in place of a file that a format cannot take. */
export function placeholderOf({ mimeType, url }: Payload): string {
  return `[${mimeType || 'file'}${url === undefined ? '' : ` ${url}`}]`;
}

/** A payload as a URL. */
export function urlOf({ mimeType, data, url }: Payload): string {
  return url ?? `data:${mimeType};base64,${data ?? ''}`;
}
