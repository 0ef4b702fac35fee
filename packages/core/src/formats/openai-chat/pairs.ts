import type { Violation } from '../../model/format.ts';
import { isObject, listOf, stringOf } from '../native.ts';
import { errorAt, idList } from '../violations.ts';

// The calls of the assistant message at `at`, and which of them are still to be answered.
type Batch = { readonly at: number; readonly ids: ReadonlySet<string>; readonly open: Set<string> };

/** Rules O1 to O3: results stand in the block right behind their calls, one for each. */
export function pairViolations(natives: readonly unknown[]): readonly Violation[] {
  const found: Violation[] = [];
  let batch = NO_CALLS;
  natives.forEach((native, at) => {
    if (isObject(native) && native['role'] === 'tool') {
      const broken = answerViolation(batch, at, native['tool_call_id']);
      if (broken !== undefined) found.push(broken);
      return;
    }
    if (batch.open.size > 0) found.push(openViolation(batch));
    const ids = callIdsOf(native);
    batch = ids.length === 0 ? NO_CALLS : { at, ids: new Set(ids), open: new Set(ids) };
    if (batch.ids.size < ids.length) found.push(errorAt(at, 'O3', `two calls with id ${idList(ids)}`));
  });
  if (batch.open.size > 0) found.push(openViolation(batch));
  return found;
}

const NO_CALLS: Batch = { at: 0, ids: new Set(), open: new Set() };

function answerViolation(batch: Batch, at: number, id: unknown): Violation | undefined {
  if (typeof id !== 'string' || !batch.ids.has(id)) return errorAt(at, 'O2', `no call for ${idList([stringOf(id)])}`);
  return batch.open.delete(id) ? undefined : errorAt(at, 'O3', `second result for ${idList([id])}`);
}

function openViolation({ at, open }: Batch): Violation {
  return errorAt(at, 'O1', `no result for ${idList(open)}`);
}

function callIdsOf(native: unknown): readonly string[] {
  if (!isObject(native) || native['role'] !== 'assistant' || !Array.isArray(native['tool_calls'])) return [];
  return listOf(native['tool_calls'])
    .map((call) => (isObject(call) ? call['id'] : undefined))
    .filter((id) => typeof id === 'string');
}
