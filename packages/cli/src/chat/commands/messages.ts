import { plain } from '../../output/text.ts';

/** A message of the AI SDK by its first words. */
export function firstWords(native: string | unknown): string {
  const message = (typeof native === 'string' ? JSON.parse(native) : native) as { role?: unknown; content?: unknown };
  return `${String(message.role)}: ${plain(textOf(message.content).slice(0, 300))}`;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  for (const part of content as readonly Readonly<Record<string, unknown>>[]) {
    if (part['type'] === 'text' && typeof part['text'] === 'string' && part['text'].trim() !== '') return part['text'];
    if (part['type'] === 'tool-call') return `calls ${String(part['toolName'])} ${JSON.stringify(part['input'])}`;
    if (part['type'] === 'tool-result') return `result of ${String(part['toolName'])}: ${outputOf(part['output'])}`;
  }
  return '';
}

function outputOf(output: unknown): string {
  const { value } = (output ?? {}) as { value?: unknown };
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** Numbers such as `3, 5-7`; `undefined` where something else stands there. */
export function readNumbers(text: string): readonly number[] | undefined {
  const words = text.split(/[\s,]+/).filter(Boolean);
  const numbers: number[] = [];
  for (const word of words) {
    const match = /^(\d{1,6})(?:[-–](\d{1,6}))?$/.exec(word);
    if (match === null) return undefined;
    const [first, last] = [Number(match[1]), Number(match[2] ?? match[1])];
    for (let number = first; number <= last; number += 1) numbers.push(number);
  }
  return numbers;
}
