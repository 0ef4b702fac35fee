import type { Media, OpaquePart, Part, ToolResultPart } from '../../model/message.ts';
import { isObject, listOf, type Native, sealedBy, stringOf } from '../native.ts';
import { mediaOf, textOf } from './payload.ts';

const FAILED: ReadonlySet<unknown> = new Set(['error-text', 'error-json', 'execution-denied']);
const ENCRYPTED: readonly string[] = ['reasoningEncryptedContent', 'redactedData', 'redactedContent'];
const SEALS: readonly string[] = ['signature', 'redactedData', 'redactedContent'];

/** One block of a message's content as a part. */
export function blockPart(block: unknown): Part {
  if (!isObject(block) || isCompaction(block)) return opaquePart(block);
  const { type, text } = block;
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text };
  if (type === 'reasoning') {
    return { kind: 'reasoning', text: stringOf(text), bound: isBound(block), ...sealedBy(encryptedOf(block)) };
  }
  if (type === 'image' || type === 'file' || type === 'reasoning-file') return filePart(block);
  if (type === 'tool-result') return resultPart(block);
  if (type !== 'tool-call') return opaquePart(block);
  const callId = stringOf(block['toolCallId']);
  return { kind: 'tool-call', callId, name: stringOf(block['toolName']), input: textOf(block['input'] ?? '') };
}

/** A native value that is carried without being read. */
export function opaquePart(value: unknown): OpaquePart {
  const type = isObject(value) ? stringOf(value['type']) || stringOf(value['role']) : '';
  return { kind: 'opaque', type: type || 'unknown', size: textOf(value).length, compaction: isCompaction(value) };
}

// Anthropic's compaction arrives as marked text, OpenAI's as a custom block.
function isCompaction(block: unknown): boolean {
  if (!isObject(block) || (block['type'] !== 'text' && block['type'] !== 'custom')) return false;
  if (stringOf(block['kind']).endsWith('.compaction')) return true;
  return namespaces(block).some(([, options]) => options['type'] === 'compaction');
}

function encryptedOf(block: Native): unknown {
  return namespaces(block)
    .flatMap(([, options]) => ENCRYPTED.map((field) => options[field]))
    .find((value) => typeof value === 'string');
}

// Only Anthropic, directly or through Bedrock, checks thinking against what stands before it (rule A12).
function isBound(block: Native): boolean {
  return namespaces(block).some(
    ([name, options]) => /anthropic|bedrock/i.test(name) && SEALS.some((seal) => typeof options[seal] === 'string'),
  );
}

function namespaces(block: Native): readonly (readonly [string, Native])[] {
  const { providerOptions } = block;
  if (!isObject(providerOptions)) return [];
  return Object.entries(providerOptions).flatMap(([name, options]) => (isObject(options) ? [[name, options]] : []));
}

function filePart(block: Native): Part {
  const text = inlineText(block);
  return text === undefined ? { kind: 'media', ...mediaOf(block) } : { kind: 'text', text };
}

// v7 can carry a text document inside a file block: the model reads it as text.
function inlineText({ data }: Native): string | undefined {
  return isObject(data) && data['type'] === 'text' ? stringOf(data['text']) : undefined;
}

function resultPart(block: Native): ToolResultPart {
  const { output } = block;
  return {
    kind: 'tool-result',
    callId: stringOf(block['toolCallId']),
    name: stringOf(block['toolName']),
    isError: isObject(output) && FAILED.has(output['type']),
    ...outputBody(output),
  };
}

function outputBody(output: unknown): { readonly text: string; readonly media: readonly Media[] } {
  if (isObject(output) && output['type'] === 'content') return contentBody(listOf(output['value']));
  if (isObject(output) && output['type'] === 'execution-denied') return { text: stringOf(output['reason']), media: [] };
  const value = isObject(output) && 'value' in output ? output['value'] : output;
  return { text: textOf(value ?? ''), media: [] };
}

function contentBody(items: readonly unknown[]): { readonly text: string; readonly media: readonly Media[] } {
  const texts: string[] = [];
  const media: Media[] = [];
  for (const item of items) {
    const type = isObject(item) ? stringOf(item['type']) : '';
    const text = isObject(item) && (type === 'text' ? item['text'] : inlineText(item));
    if (typeof text === 'string') texts.push(text);
    else if (isObject(item) && /^(?:image|file|media)/.test(type)) media.push(mediaOf(item));
    else texts.push(textOf(item));
  }
  return { text: texts.join('\n'), media };
}
