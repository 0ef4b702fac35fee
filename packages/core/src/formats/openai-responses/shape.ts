import type { Violation } from '../../model/format.ts';
import { isObject, listOf, type Native, stringOf } from '../native.ts';
import { errorAt, holdsLoneSurrogate, portabilityAt } from '../violations.ts';
import { callIdOf, itemKind } from './items.ts';

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer']);
const CALL_ID_LENGTH = 64;
const NAME = /^[a-zA-Z0-9_-]+$/;
const ANY = /./;

/** What is wrong with one item taken by itself: O6 (shape), O8 (id length), R4 (summary), U1 (lone surrogate). */
export function shapeFaults(native: unknown, at: number, natives: readonly unknown[]): readonly Violation[] {
  const faults = shapeOf(native).map((detail) => errorAt(at, 'O6', detail));
  // Text is accepted as the whole input, but not documented as one entry among others.
  if (typeof native === 'string' && natives.length > 1) faults.push(portabilityAt(at, 'O6', 'text as an item'));
  if (isObject(native)) {
    if (native['type'] === 'reasoning' && !Array.isArray(native['summary'])) {
      faults.push(errorAt(at, 'R4', 'reasoning without summary'));
    }
    const { length } = callIdOf(native);
    if (length > CALL_ID_LENGTH) faults.push(portabilityAt(at, 'O8', `tool call id of ${length} characters`));
  }
  // Seen on DeepSeek's endpoint: `lone leading surrogate in hex escape` (JohnnyZ93/oai-compatible-copilot#302).
  if (holdsLoneSurrogate(native)) faults.push(errorAt(at, 'U1', 'lone surrogate'));
  return faults;
}

function shapeOf(native: unknown): string[] {
  if (typeof native === 'string') return [];
  if (!isObject(native)) return ['not an item'];
  const { type } = native;
  if (itemKind(native) === 'message') return messageFaults(native);
  if (typeof type !== 'string') return itemKind(native) === 'reference' ? [] : [`item of type '${stringOf(type)}'`];
  if (type === 'function_call') return callFaults(native, 'arguments', NAME);
  if (type === 'custom_tool_call') return callFaults(native, 'input', ANY);
  const { output } = native;
  const needsOutput = type === 'function_call_output' || type === 'custom_tool_call_output';
  return needsOutput && typeof output !== 'string' && !Array.isArray(output)
    ? [`output is of type ${typeof output}`]
    : [];
}

function messageFaults({ role, content }: Native): string[] {
  if (!ROLES.has(role)) return ['not a message of a known role'];
  if (typeof content !== 'string' && !Array.isArray(content)) return [`content is of type ${typeof content}`];
  return listOf(content).flatMap((block) => blockFaults(block, role === 'assistant'));
}

// `Supported values are: 'output_text' and 'refusal'` for the assistant (jeremychone/rust-genai#119).
function blockFaults(block: unknown, spoken: boolean): string[] {
  if (!isObject(block)) return ['content block is no object'];
  const { type, text } = block;
  if (typeof type !== 'string' || type === 'text') return [`content block of type '${stringOf(type)}'`];
  if (spoken && type.startsWith('input_')) return [`'${type}' in an assistant message`];
  return (type === 'input_text' || type === 'output_text') && typeof text !== 'string'
    ? [`${type} block without text`]
    : [];
}

function callFaults(call: Native, field: string, names: RegExp): string[] {
  const { call_id: id, name } = call;
  const faults = [];
  if (typeof id !== 'string' || id === '') faults.push('tool call without id');
  if (typeof name !== 'string' || !names.test(name)) faults.push(`tool name '${stringOf(name)}'`);
  if (typeof call[field] !== 'string') faults.push(`${field} is of type ${typeof call[field]}`);
  return faults;
}
