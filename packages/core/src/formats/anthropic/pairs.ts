import type { Violation } from '../../model/format.ts';
import { isObject, stringOf } from '../native.ts';
import { errorAt } from '../violations.ts';
import type { Block, Turn } from './turns.ts';

type ServerCall = { readonly at: number; readonly isOpen: boolean };

const TOOL_ID = /^[a-zA-Z0-9_-]+$/;

/** Rules A3..A7: each call of a client tool and its result, in neighbouring turns. */
export function* checkPairs(turns: readonly Turn[]): Generator<Violation> {
  const seen = new Set<string>();
  let calls = new Map<string, Block>();
  for (const { role, blocks } of turns) {
    yield* checkResults(role === 'user' ? blocks : [], calls);
    calls = new Map();
    for (const block of blocks) {
      const id = stringOf(block.native['id']);
      if (block.type === 'tool_use') {
        yield* checkCall(block, seen);
        calls.set(id, block);
        seen.add(id);
      } else if (role === 'assistant') yield* checkNeighbour(block, calls);
    }
  }
  yield* checkResults([], calls);
}

/** Rule A13: each server tool's call and result inside one assistant turn. */
export function* checkServerPairs(turns: readonly Turn[]): Generator<Violation> {
  let calls = new Map<string, ServerCall>();
  for (const { role, blocks } of turns) {
    if (role === 'assistant') yield* checkServerTurn(blocks, calls);
    // A turn of tool results does not end the assistant's: code that calls client tools goes on after them.
    else if (!blocks.some(({ type }) => type === 'tool_result')) {
      yield* [...calls].flatMap(([id, { at, isOpen }]) => (isOpen ? errorAt(at, 'A13', `no result for ${id}`) : []));
      calls = new Map();
    }
  }
}

function* checkServerTurn(blocks: readonly Block[], calls: Map<string, ServerCall>): Generator<Violation> {
  for (const { type, native, at } of blocks) {
    const callId = stringOf(native['tool_use_id']);
    if (type === 'server_tool_use' || type === 'mcp_tool_use') calls.set(stringOf(native['id']), { at, isOpen: true });
    else if (!type.endsWith('_tool_result')) continue;
    else if (calls.has(callId)) calls.set(callId, { at, isOpen: false });
    else yield errorAt(at, 'A13', `no call for ${callId}`);
  }
}

function* checkResults(blocks: readonly Block[], calls: ReadonlyMap<string, Block>): Generator<Violation> {
  const answered = new Set<string>();
  let hasOther = false;
  for (const { type, native, at } of blocks) {
    if (type !== 'tool_result') {
      hasOther = true;
      continue;
    }
    const id = stringOf(native['tool_use_id']);
    if (!calls.has(id)) yield errorAt(at, 'A6', `no call for ${id}`);
    else if (answered.has(id)) yield errorAt(at, 'A7', `second result for ${id}`);
    else if (hasOther) yield errorAt(at, 'A5', `text before result ${id}`);
    answered.add(id);
  }
  for (const [id, { at }] of calls) {
    if (!answered.has(id)) yield errorAt(at, 'A3', `no result for ${id}`);
  }
}

function* checkCall({ native, at }: Block, seen: ReadonlySet<string>): Generator<Violation> {
  const id = stringOf(native['id']);
  if (seen.has(id)) yield errorAt(at, 'A7', `two calls with id ${id}`);
  if (!TOOL_ID.test(id)) yield errorAt(at, 'A7', `tool call id '${id}'`);
  if (!isObject(native['input'])) yield errorAt(at, 'A7', `input of call ${id} is no object`);
}

// What else stands in an assistant turn that calls tools.
function* checkNeighbour({ type, at }: Block, calls: ReadonlyMap<string, Block>): Generator<Violation> {
  if (type === 'tool_result') yield errorAt(at, 'A6', 'result outside a user message');
  // Recorded for text alone; server tools may run beside client ones.
  if (calls.size > 0 && type === 'text') yield errorAt(at, 'A4', 'text after tool call');
}
