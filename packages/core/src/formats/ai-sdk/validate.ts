import type { Violation } from '../../model/format.ts';
import { isObject, listOf, type Native, stringOf } from '../native.ts';
import { errorAt, holdsLoneSurrogate, inOrder, portabilityAt } from '../violations.ts';
import { roleOf } from './decode.ts';
import { pairViolations } from './pairs.ts';

// By the schemas of v6 and v7.
const BLOCKS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['user', ['text', 'image', 'file']],
  [
    'assistant',
    ['text', 'custom', 'file', 'reasoning', 'reasoning-file', 'tool-call', 'tool-result', 'tool-approval-request'],
  ],
  ['tool', ['tool-result', 'tool-approval-response']],
]);
const KNOWN: ReadonlySet<string> = new Set([...BLOCKS.values()].flat());

/** Rules S1 to S7 that the list breaks, and U1 for lone surrogates. */
export function validate(natives: readonly unknown[]): readonly Violation[] {
  return inOrder(shapeViolations(natives), pairViolations(natives));
}

function* shapeViolations(natives: readonly unknown[]): Generator<Violation> {
  for (const [at, native] of natives.entries()) {
    if (isObject(native) && roleOf(native) !== 'other') yield* messageViolations(native, at);
    else yield errorAt(at, 'S5', 'not a message of a known role');
    if (holdsLoneSurrogate(native)) yield errorAt(at, 'U1', 'lone surrogate');
  }
}

function* messageViolations(native: Native, at: number): Generator<Violation> {
  const { role, content } = native;
  if (role === 'system') yield portabilityAt(at, 'S6', 'system message inside the list');
  if (typeof content === 'string' && role !== 'tool') return;
  if (!Array.isArray(content) || role === 'system') {
    yield errorAt(at, 'S5', `content is of type ${typeof content}`);
    return;
  }
  // The SDK itself leaves an empty tool message out.
  if (content.length === 0) yield (role === 'tool' ? portabilityAt : errorAt)(at, 'S4', 'content array is empty');
  for (const block of listOf(content)) yield* blockViolations(block, at, role);
}

function* blockViolations(block: unknown, at: number, role: unknown): Generator<Violation> {
  const type = isObject(block) ? stringOf(block['type']) : '';
  if (!isObject(block) || type === '') {
    yield errorAt(at, 'S5', `content block of type ''`);
    return;
  }
  const shown = type.slice(0, 40);
  if (!KNOWN.has(type)) yield portabilityAt(at, 'S5', `content block of type '${shown}'`);
  else if (!BLOCKS.get(role)?.includes(type)) yield errorAt(at, 'S5', `'${shown}' in a ${stringOf(role)} message`);
  if (!isWellShaped(block, type)) yield errorAt(at, 'S5', `'${shown}' block lacks a field`);
}

function isWellShaped(block: Native, type: string): boolean {
  if (type === 'text' || type === 'reasoning') return typeof block['text'] === 'string';
  if (type !== 'tool-call' && type !== 'tool-result') return true;
  const isNamed = typeof block['toolCallId'] === 'string' && typeof block['toolName'] === 'string';
  return isNamed && (type === 'tool-call' || isObject(block['output']));
}
