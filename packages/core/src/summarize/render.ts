import type { Media, Message, Part } from '../model/message.ts';
import { codePointBoundary, firstCodePoints } from '../model/text.ts';

/** A message as text for a summarizer: tool blocks as words, media as placeholders, nothing opaque. */
export function renderMessage(message: Message): string {
  let text = `[${message.role}]`;
  for (const part of message.parts) {
    const line = renderPart(part);
    if (line !== '') text += `\n${line}`;
  }
  return text;
}

/** One line per message: its first characters, a tool-only message as what it called or got. */
export function renderLine(message: Message, characters: number): string {
  const line = message.parts
    // Enough to fill the line behind white space; a part may be megabytes long.
    .map((part) => (part.kind === 'reasoning' ? '' : startOf(renderPart(part).trimStart(), characters * 8)))
    .filter((text) => text !== '')
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? '' : `- ${message.role}: ${firstCodePoints(line, characters)}`;
}

function startOf(text: string, length: number): string {
  return text.slice(0, codePointBoundary(text, length));
}

function renderPart(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'reasoning':
      return part.text === '' ? '' : `(thinking) ${part.text}`;
    case 'tool-call':
      return `(calls ${part.name}) ${part.input}`;
    case 'tool-result':
      return `(result${part.name === '' ? '' : ` of ${part.name}`}${part.isError ? ', error' : ''}) ${[part.text, ...part.media.map(renderMedia)].join(' ')}`;
    case 'media':
      return renderMedia(part);
    case 'opaque':
      return '';
    default:
      return part satisfies never;
  }
}

function renderMedia({ media, mimeType, bytes }: Media): string {
  const size = bytes === undefined ? '' : `, ${Math.ceil(bytes / 1024)} kB`;
  return `[${media}${mimeType === undefined ? '' : ` ${mimeType}`}${size}]`;
}
