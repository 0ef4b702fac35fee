import type { Violation } from '../../model/format.ts';
import { isObject, listOf, type Native, stringOf } from '../native.ts';
import { errorAt, idList, portabilityAt } from '../violations.ts';

// `open`: calls the caller has yet to answer, and where they stand; `late`: the same, once another assistant message has
// come. A provider's own calls are known, never open. `approvals`: approval id to call id.
type Ledger = {
  readonly open: Map<string, number>;
  readonly late: Map<string, number>;
  readonly known: Set<string>;
  readonly answered: Set<string>;
  readonly approvals: Map<unknown, string>;
};

/**
 * Rules S1 to S3 and S7. The SDK throws `AI_MissingToolResultsError` for calls that are open at a user or system message or at
 * the end; an assistant message in between passes the SDK but not every provider. Approvals in the last message count
 * as answers, because the SDK runs the approved calls before it sends anything.
 */
export function* pairViolations(natives: readonly unknown[]): Generator<Violation> {
  const ledger: Ledger = {
    open: new Map(),
    late: new Map(),
    known: new Set(),
    answered: new Set(),
    approvals: new Map(),
  };
  for (const [at, native] of natives.entries()) {
    if (!isObject(native)) continue;
    yield* speakerViolations(native['role'], ledger);
    if (native['role'] === 'assistant') yield* assistantViolations(native, at, ledger);
    if (native['role'] === 'tool') yield* toolViolations(native, at, ledger);
  }
  yield* approvalViolations(natives, ledger);
  yield* speakerViolations('user', ledger);
}

function* speakerViolations(role: unknown, { open, late }: Ledger): Generator<Violation> {
  if (role === 'assistant') {
    yield* missing(open, portabilityAt);
    for (const [id, at] of open) late.set(id, at);
    open.clear();
  }
  if (role !== 'user' && role !== 'system') return;
  yield* missing(new Map([...late, ...open]), errorAt);
  late.clear();
  open.clear();
}

function* missing(calls: ReadonlyMap<string, number>, violationAt: typeof errorAt): Generator<Violation> {
  const byMessage = new Map<number, string[]>();
  for (const [id, at] of calls) {
    const ids = byMessage.get(at) ?? [];
    ids.push(id);
    byMessage.set(at, ids);
  }
  for (const [at, ids] of byMessage) yield violationAt(at, 'S1', `no result for ${idList(ids)}`);
}

function* assistantViolations(native: Native, at: number, ledger: Ledger): Generator<Violation> {
  for (const block of listOf(native['content']).filter(isObject)) {
    const id = stringOf(block['toolCallId']);
    if (block['type'] === 'tool-approval-request') ledger.approvals.set(block['approvalId'], id);
    if (block['type'] === 'tool-result') yield* resultViolations(id, at, ledger);
    if (block['type'] !== 'tool-call') continue;
    if (ledger.open.get(id) === at) yield errorAt(at, 'S3', `two calls with id ${idList([id])}`);
    ledger.known.add(id);
    ledger.answered.delete(id);
    if (block['providerExecuted'] !== true) ledger.open.set(id, at);
  }
}

function* toolViolations(native: Native, at: number, ledger: Ledger): Generator<Violation> {
  for (const block of listOf(native['content']).filter(isObject)) {
    if (block['type'] !== 'tool-result') continue;
    const id = stringOf(block['toolCallId']);
    yield* resultViolations(id, at, ledger);
    // Only a result in a tool message answers the caller's own call: the SDK looks nowhere else.
    ledger.open.delete(id);
    ledger.late.delete(id);
  }
}

function* resultViolations(id: string, at: number, { known, answered }: Ledger): Generator<Violation> {
  if (!known.has(id)) yield errorAt(at, 'S2', `no call for ${idList([id])}`);
  else if (answered.has(id)) yield errorAt(at, 'S3', `second result for ${idList([id])}`);
  answered.add(id);
}

function* approvalViolations(natives: readonly unknown[], ledger: Ledger): Generator<Violation> {
  const last = natives.at(-1);
  if (!isObject(last) || last['role'] !== 'tool') return;
  for (const block of listOf(last['content']).filter(isObject)) {
    if (block['type'] !== 'tool-approval-response') continue;
    const id = ledger.approvals.get(block['approvalId']);
    // A result that is there already makes the approval moot; without its call it breaks S2.
    if (id === undefined || !(ledger.known.has(id) || ledger.answered.has(id))) {
      yield errorAt(natives.length - 1, 'S7', `no call for ${idList([stringOf(block['approvalId'])])}`);
    } else {
      ledger.open.delete(id);
      ledger.late.delete(id);
    }
  }
}
