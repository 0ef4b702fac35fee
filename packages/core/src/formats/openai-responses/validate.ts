import type { Violation } from '../../model/format.ts';
import { isObject, type Native, stringOf } from '../native.ts';
import { errorAt, inOrder, portabilityAt } from '../violations.ts';
import { callIdOf, itemKind } from './items.ts';
import { shapeFaults } from './shape.ts';

// Calls the client answers; what other calls need is not documented.
const ANSWERED: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
]);

/**
 * Rules R1 to R4 and, where this API shares them, O3, O6 and O8, and U1 for lone surrogates. Left out, because the list does not tell: R5
 * and R6 (`store`, organisation, model), R7 and R8 (how a compaction came about), and R3's second half where the
 * reasoning is gone altogether (only the server knows that an item had some).
 */
export function validate(natives: readonly unknown[]): readonly Violation[] {
  return inOrder(
    natives.flatMap(shapeFaults),
    pairFaults(natives),
    natives.flatMap(reasoningFaults),
    duplicateFaults(natives),
  );
}

// R1 is an error although a request chained by `previous_response_id` may hold an output alone: we see the list only,
// and a list that is compacted is never chained. An `item_reference` may stand for either half, so it excuses both.
function* pairFaults(natives: readonly unknown[]): Generator<Violation> {
  const open = new Map<string, { at: number; type: string }>();
  const answered = new Set<string>();
  let reference = -1;
  for (const [at, native] of natives.entries()) {
    if (!isObject(native)) continue;
    const id = callIdOf(native);
    const type = stringOf(native['type']);
    const kind = itemKind(native);
    if (kind === 'reference') reference = at;
    if (kind === 'call') {
      // Strict servers want ids unique over the whole list (NousResearch/hermes-agent#111231).
      if (open.has(id) || answered.has(id)) yield portabilityAt(at, 'O3', `two calls with id ${id}`);
      open.set(id, { at, type });
    }
    if (kind !== 'output') continue;
    if (open.delete(id)) answered.add(id);
    else if (answered.has(id)) yield errorAt(at, 'O3', `second result for ${id}`);
    else if (reference < 0) yield unpairedAt(type.replace('_output', ''))(at, 'R1', `no call for ${id}`);
  }
  // A program and an approval may wait for the client; a call may not, not even at the end.
  for (const [id, { at, type }] of open) {
    if (at > reference && type.endsWith('_call')) yield unpairedAt(type)(at, 'R2', `no output for ${id}`);
  }
}

function unpairedAt(callType: string): typeof errorAt {
  return ANSWERED.has(callType) ? errorAt : portabilityAt;
}

// The server looks the pair up by item id: without one nothing is missed (openai/codex#3390 sends none), and an id
// behind reasoning that lost its own is (NousResearch/hermes-agent#102282).
function reasoningFaults(native: unknown, at: number, natives: readonly unknown[]): readonly Violation[] {
  if (!isObject(native) || itemKind(native) !== 'reasoning') return [];
  const next = natives[at + 1];
  const isKnown = stringOf(native['id']) !== '';
  if (!mayFollow(next)) {
    return [(isKnown ? errorAt : portabilityAt)(at, 'R3', 'reasoning without its item')];
  }
  if (isKnown || !isObject(next) || itemKind(next) === 'reasoning' || stringOf(next['id']) === '') return [];
  return [portabilityAt(at + 1, 'R3', 'item with id after reasoning without')];
}

// Consecutive reasoning is valid, and what we do not know gets the benefit of the doubt.
function mayFollow(next: unknown): boolean {
  if (!isObject(next)) return false;
  const kind = itemKind(next);
  return kind === 'message' ? next['role'] === 'assistant' : kind !== 'output';
}

// `Duplicate item found with id …. Remove duplicate items from your input and try again.` (microsoft/vscode#321977)
function* duplicateFaults(natives: readonly unknown[]): Generator<Violation> {
  const seen = new Set<string>();
  for (const [at, native] of natives.entries()) {
    const id = isObject(native) ? itemIdOf(native) : '';
    if (id !== '' && seen.has(id)) yield errorAt(at, 'O3', `two items with id ${id}`);
    seen.add(id);
  }
}

function itemIdOf(item: Native): string {
  return item['type'] === 'local_shell_call_output' ? '' : stringOf(item['id']);
}
