import type { Message, Part } from 'epitome';
import { harmless, plain } from './text.ts';

/** What a message says, to be read by people: text as it is, calls and results under the tool's name. */
export function messageLines({ parts }: Message): readonly string[] {
  return parts.flatMap(partLines);
}

function partLines(part: Part): readonly string[] {
  switch (part.kind) {
    case 'text':
      return textLines(part.text);
    case 'reasoning':
      return part.text === '' ? ['(thinking that is sealed)'] : ['(thinking)', ...indented(part.text)];
    case 'tool-call':
      return [`-> ${plain(part.name)}`, ...indented(part.input)];
    case 'tool-result':
      return [`<- ${plain(part.name)}${part.isError ? ' (failed)' : ''}`, ...indented(part.text)];
    case 'media':
      return [`(${part.media}${part.mimeType === undefined ? '' : ` ${plain(part.mimeType)}`})`];
    case 'opaque':
      return [`(${plain(part.type)})`];
    default:
      return part satisfies never;
  }
}

function textLines(text: string): readonly string[] {
  return harmless(text.replace(/\r\n?/g, '\n')).trimEnd().split('\n');
}

function indented(text: string): readonly string[] {
  return textLines(text).map((line) => (line === '' ? '' : `   ${line}`));
}
