import type { FormatName } from 'epitome';
import { isObject, type JsonObject, listOf } from '../model/json.ts';

/** The format that a message can only belong to; `undefined` for plain text, which several share. */
export function evidenceOf(message: unknown): FormatName | undefined {
  if (!isObject(message)) return undefined;
  if (Array.isArray(message['parts'])) return 'gemini';
  for (const block of listOf(message['content'])) {
    const format = isObject(block) ? formatOfBlock(block) : undefined;
    if (format !== undefined) return format;
  }
  if (Array.isArray(message['tool_calls']) || 'tool_call_id' in message || message['role'] === 'function') {
    return 'openai-chat';
  }
  // Anthropic's own answers carry `type: "message"` too, with blocks that were looked at above or plain text.
  const type = message['type'];
  if (typeof type !== 'string' || (type === 'message' && isAnthropicAnswer(message))) return undefined;
  return ITEM.test(type) ? 'openai-responses' : undefined;
}

const ITEM = /^(?:message|reasoning|item_reference|compaction|context_compaction|mcp_\w+|\w+_call|\w+_call_output)$/;

function isAnthropicAnswer(message: JsonObject): boolean {
  return listOf(message['content']).some((block) => isObject(block) && block['type'] === 'text');
}

function formatOfBlock(block: JsonObject): FormatName | undefined {
  const { type, source, image, mediaType } = block;
  if (type === 'image' || type === 'document') {
    if (isObject(source)) return 'anthropic';
    return image === undefined ? undefined : 'ai-sdk';
  }
  if (type === 'file') return mediaType === undefined ? 'openai-chat' : 'ai-sdk';
  if (typeof type !== 'string') return undefined;
  return BLOCKS.get(type) ?? (type.endsWith('_tool_result') ? 'anthropic' : undefined);
}

const BLOCKS: ReadonlyMap<string, FormatName> = new Map<string, FormatName>([
  ['tool_use', 'anthropic'],
  ['tool_result', 'anthropic'],
  ['thinking', 'anthropic'],
  ['redacted_thinking', 'anthropic'],
  ['server_tool_use', 'anthropic'],
  ['mcp_tool_use', 'anthropic'],
  ['tool-call', 'ai-sdk'],
  ['tool-result', 'ai-sdk'],
  ['tool-approval-request', 'ai-sdk'],
  ['tool-approval-response', 'ai-sdk'],
  ['reasoning', 'ai-sdk'],
  ['input_text', 'openai-responses'],
  ['output_text', 'openai-responses'],
  ['input_image', 'openai-responses'],
  ['input_file', 'openai-responses'],
  ['image_url', 'openai-chat'],
  ['input_audio', 'openai-chat'],
]);
