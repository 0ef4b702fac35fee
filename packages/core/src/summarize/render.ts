import { mediaLine } from '../model/media-line.ts';
import type { Message, Part } from '../model/message.ts';
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
export function renderLine(
  message: Message,
  characters: number,
  clean: (text: string) => string = (each) => each,
): string {
  // Enough to fill the line behind white space; a part may be megabytes long.
  const enough = characters * 8;
  const startOfPart = (part: Part): string => {
    // What is cleaned may reach beyond what is kept.
    const start = startOf(renderPart(part).trimStart(), enough + REACH);
    return startOf(clean(start), enough);
  };
  const line = message.parts
    .map((part) => (part.kind === 'reasoning' ? '' : startOfPart(part)))
    .filter((text) => text !== '')
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? '' : `- ${message.role}: ${firstCodePoints(line, characters)}`;
}

// Longer than any key in one line.
const REACH = 4096;

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
      return `(result${part.name === '' ? '' : ` of ${part.name}`}${part.isError ? ', error' : ''}) ${renderResult(part)}`;
    case 'media':
      return mediaLine(part);
    case 'opaque':
      return '';
    default:
      return part satisfies never;
  }
}

function renderResult({ text, media }: Extract<Part, { kind: 'tool-result' }>): string {
  // A result is the longest text there is, and joining copies it.
  return media.length === 0 ? text : [text, ...media.map(mediaLine)].join('\n');
}
