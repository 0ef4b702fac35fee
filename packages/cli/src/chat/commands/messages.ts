import { isObject, type JsonObject } from '../../input/json.ts';
import { plain } from '../../output/text.ts';
import { readNative, textOf } from '../native.ts';

/** A message of the AI SDK, as the store keeps it, by its first words. */
export function firstWords(native: string): string {
  const { role, parts } = readNative(JSON.parse(native));
  const words = parts.map(wordsOf).find((text) => text.trim() !== '') ?? '';
  return `${String(role)}: ${plain(words.slice(0, 300))}`;
}

function wordsOf(part: JsonObject): string {
  const { type, toolName, input, output } = part;
  if (type === 'tool-call') return `calls ${String(toolName)} ${JSON.stringify(input)}`;
  return type === 'tool-result' ? `result of ${String(toolName)}: ${outputOf(output)}` : textOf(part);
}

function outputOf(output: unknown): string {
  const { value } = isObject(output) ? output : {};
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
