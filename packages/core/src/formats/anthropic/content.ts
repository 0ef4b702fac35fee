import type { Media } from '../../model/message.ts';
import { imageSizeOf } from '../media.ts';
import { base64Bytes, isObject, listOf, type Native, stringOf } from '../native.ts';

// What a result shows.
type Content = { readonly text: string; readonly media: readonly Media[] };

/** Words and media of a result's content: a string, a block, or a list of blocks. */
export function readContent(content: unknown): Content {
  const texts: string[] = [];
  const media: Media[] = [];
  for (const item of Array.isArray(content) ? content : [content]) {
    // A fetched page is a document inside a result.
    const page: unknown = isObject(item) ? item['content'] : undefined;
    const isPage = isBlock(page, 'document');
    if (isPage) texts.push(stringOf(item['url']));
    const block: unknown = isPage ? page : item;
    const shown = shownBy(block) ?? textOf(block);
    if (typeof shown === 'string') texts.push(shown);
    else media.push(shown);
  }
  return { text: join(texts), media };
}

/** What an image, document or search result shows; a document of plain text shows its words. */
export function shownBy(block: unknown): Media | string | undefined {
  if (isBlock(block, 'image')) return mediaOf(block, 'image');
  const { title, context, source, content } = isObject(block) ? block : {};
  if (isBlock(block, 'search_result')) return join([title, source, plainText(content)]);
  if (!isBlock(block, 'document')) return undefined;
  if (isBlock(source, 'text')) return join([title, context, source['data']]);
  const words = isBlock(source, 'content') ? plainText(source['content']) : undefined;
  return words === undefined ? mediaOf(block, 'document') : join([title, context, words]);
}

/** True for an object with this `type`. */
export function isBlock(value: unknown, type: string): value is Native {
  return isObject(value) && value['type'] === type;
}

function mediaOf(block: Native, media: 'image' | 'document'): Media {
  const source = isObject(block['source']) ? block['source'] : {};
  const mimeType = stringOf(source['media_type']);
  const data = source['type'] === 'base64' ? stringOf(source['data']) : '';
  return {
    media,
    ...(mimeType === '' ? {} : { mimeType }),
    ...(data === '' ? {} : { bytes: base64Bytes(data.length) }),
    ...(media === 'image' ? imageSizeOf(data) : {}),
  };
}

// `undefined` where something else than text is in it.
function plainText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  const blocks = listOf(content);
  return blocks.every((block) => isBlock(block, 'text')) ? join(blocks.map(textOf)) : undefined;
}

function textOf(block: unknown): string {
  if (!isObject(block)) return stringOf(block);
  return typeof block['text'] === 'string' ? block['text'] : visibleJson(block);
}

// `encrypted_content`, `encrypted_index` and their like are for the provider alone.
function visibleJson(block: Native): string {
  try {
    return JSON.stringify(block, (key, value: unknown) => (key.startsWith('encrypted_') ? undefined : value)) ?? '';
  } catch {
    return '';
  }
}

function join(texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n');
}
