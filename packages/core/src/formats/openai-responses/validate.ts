import type { Severity, Violation } from '../../model/format.ts';
import { isObject, type Native, stringOf } from '../native.ts';
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
  const faults = [
    ...natives.flatMap(shapeFaults),
    ...pairFaults(natives),
    ...reasoningFaults(natives),
    ...duplicateFaults(natives),
  ];
  // A few runs, each in order already: the sort merges them in linear time.
  return faults.sort((a, b) => a.at - b.at);
}

function severityOf(callType: string): Severity {
  return ANSWERED.has(callType) ? 'error' : 'portability';
}

// R1 is an error although a request chained by `previous_response_id` may hold an output alone: we see the list only,
// and a list that is compacted is never chained. An `item_reference` may stand for either half, so it excuses both.
function pairFaults(natives: readonly unknown[]): readonly Violation[] {
  const faults: Violation[] = [];
  const open = new Map<string, { at: number; type: string }>();
  const answered = new Set<string>();
  let reference = -1;
  natives.forEach((native, at) => {
    if (!isObject(native)) return;
    const id = callIdOf(native);
    const type = stringOf(native['type']);
    const kind = itemKind(native);
    if (kind === 'reference') reference = at;
    if (kind === 'call') {
      // Strict servers want ids unique over the whole list (NousResearch/hermes-agent#111231).
      if (open.has(id) || answered.has(id)) faults.push(fault('O3', at, `call_id ${id} used again`));
      open.set(id, { at, type });
    }
    if (kind !== 'output') return;
    if (open.delete(id)) answered.add(id);
    else if (answered.has(id)) faults.push({ ...fault('O3', at, `second output for ${id}`), severity: 'error' });
    else if (reference < 0) {
      faults.push({ ...fault('R1', at, `no call for ${id}`), severity: severityOf(type.replace('_output', '')) });
    }
  });
  // A program and an approval may wait for the client; a call may not, not even at the end.
  const unanswered = [...open].filter(([, { at, type }]) => at > reference && type.endsWith('_call'));
  return faults.concat(
    unanswered.map(([id, { at, type }]) => ({ ...fault('R2', at, `no output for ${id}`), severity: severityOf(type) })),
  );
}

// The server looks the pair up by item id: without one nothing is missed (openai/codex#3390 sends none), and an id
// behind reasoning that lost its own is (NousResearch/hermes-agent#102282).
function reasoningFaults(natives: readonly unknown[]): readonly Violation[] {
  return natives.flatMap((native, at) => {
    if (!isObject(native) || itemKind(native) !== 'reasoning') return [];
    const next = natives[at + 1];
    const known = stringOf(native['id']) !== '';
    if (!mayFollow(next)) {
      const found = fault('R3', at, 'reasoning without the item it led to');
      return [known ? { ...found, severity: 'error' as const } : found];
    }
    if (known || !isObject(next) || itemKind(next) === 'reasoning' || stringOf(next['id']) === '') return [];
    return [fault('R3', at + 1, 'item with id behind reasoning without')];
  });
}

// Consecutive reasoning is valid, and what we do not know gets the benefit of the doubt.
function mayFollow(next: unknown): boolean {
  if (!isObject(next)) return false;
  const kind = itemKind(next);
  return kind === 'message' ? next['role'] === 'assistant' : kind !== 'output';
}

// `Duplicate item found with id …. Remove duplicate items from your input and try again.` (microsoft/vscode#321977)
function duplicateFaults(natives: readonly unknown[]): readonly Violation[] {
  const seen = new Set<string>();
  return natives.flatMap((native, at) => {
    const id = isObject(native) ? itemIdOf(native) : '';
    if (id === '' || !seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ ...fault('O3', at, `item id ${id} twice`), severity: 'error' as const }];
  });
}

function itemIdOf(item: Native): string {
  return item['type'] === 'local_shell_call_output' ? '' : stringOf(item['id']);
}

function fault(rule: string, at: number, detail: string): Violation {
  return { rule, severity: 'portability', at, detail };
}
