import type { Media, OpaquePart } from '../../model/message.ts';
import { jsonOf } from '../../model/text.ts';
import { isObject, listOf, type Native, stringOf } from '../native.ts';
import { blockMedia, blockText, opaqueOf } from './content.ts';

/** What a call gave back, whatever field its kind of output keeps it in. */
export type Output = {
  readonly text: string;
  readonly isError: boolean;
  readonly media: readonly Media[];
  /** Content blocks we do not read. */
  readonly unread: readonly OpaquePart[];
};

// These take text as well as a list of content blocks.
const CONTENT_LISTS: ReadonlySet<unknown> = new Set(['function_call_output', 'custom_tool_call_output']);

/** Reads an output item of any kind. */
export function readOutput(item: Native): Output {
  const isError = item['status'] === 'failed' || item['status'] === 'incomplete';
  const plain = { isError, media: [], unread: [] };
  switch (item['type']) {
    case 'mcp_approval_response':
      return { ...plain, text: lines(['denied', stringOf(item['reason'])]), isError: true };
    case 'tool_search_output':
      return { ...plain, text: jsonOf(item['tools']) };
    case 'program_output':
      return { ...plain, text: jsonOf(item['result']) };
    default:
      return { ...plain, ...readContent(item['output']), ...(failedChunk(item) ? { isError: true } : {}) };
  }
}

/**
 * The item with its content replaced by `text`. Outputs that have no place for text (a screenshot, an approval, found
 * tools) stay as they are: the provider would reject text there.
 */
export function writeOutput(item: Native, text: string): Native {
  const key = item['type'] === 'program_output' ? 'result' : 'output';
  const output = item[key];
  if (typeof output === 'string') return { ...item, [key]: text };
  if (!Array.isArray(output)) return item;
  if (CONTENT_LISTS.has(item['type'])) return { ...item, output: text };
  if (item['type'] !== 'shell_call_output') return item;
  const chunk = failedChunk(item) ?? output.find(isObject) ?? { outcome: { type: 'exit', exit_code: 0 } };
  return { ...item, output: [{ ...chunk, stdout: text, stderr: '' }] };
}

function readContent(output: unknown): Omit<Output, 'isError'> {
  if (typeof output === 'string') return { text: output, media: [], unread: [] };
  const texts: string[] = [];
  const media: Media[] = [];
  const unread: OpaquePart[] = [];
  for (const block of blocksOf(output)) {
    const text = blockText(block) ?? chunkText(block);
    const found = blockMedia(block);
    if (text !== undefined) texts.push(text);
    else if (found !== undefined) media.push(found);
    else unread.push(opaqueOf(block));
  }
  return { text: lines(texts), media, unread };
}

// A screenshot comes alone, everything else in a list.
function blocksOf(output: unknown): readonly unknown[] {
  if (output === undefined || output === null) return [];
  return Array.isArray(output) ? output : [output];
}

// One run of a `shell_call_output`; how it ended is told by `isError`.
function chunkText(block: unknown): string | undefined {
  if (!isObject(block) || !('stdout' in block || 'stderr' in block)) return undefined;
  return lines([stringOf(block['stdout']), stringOf(block['stderr'])]);
}

function failedChunk(item: Native): Native | undefined {
  if (item['type'] !== 'shell_call_output') return undefined;
  return listOf(item['output']).filter(isObject).find(hasFailed);
}

function hasFailed(chunk: Native): boolean {
  const { type, exit_code: code } = outcomeOf(chunk);
  return type === 'timeout' || (typeof code === 'number' && code !== 0);
}

function outcomeOf(chunk: Native): Native {
  return isObject(chunk['outcome']) ? chunk['outcome'] : {};
}

function lines(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}
