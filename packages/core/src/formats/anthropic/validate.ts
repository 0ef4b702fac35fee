import type { Violation } from '../../model/format.ts';
import { errorAt, inOrder, portabilityAt } from '../violations.ts';
import { checkBlocks, checkSurrogates } from './blocks.ts';
import { checkPairs, checkServerPairs } from './pairs.ts';
import { type Entry, isBlank, isThinking, mergeTurns, readEntries } from './turns.ts';

/**
 * The rules A1..A10, A13..A15, A20 and A21 that the list breaks. What depends on the server, the model or request
 * settings is of severity `portability` (A1, A2, A10, A15 and the last role of A14); A11, A12 and A16..A19 need earlier
 * requests and are left out. Entries of an unknown shape are passed over.
 */
export function validate(natives: readonly unknown[]): readonly Violation[] {
  const entries = readEntries(natives);
  const turns = mergeTurns(entries);
  return inOrder(
    checkOrder(entries),
    checkPairs(turns),
    checkServerPairs(turns),
    checkLoop(entries),
    checkBlocks(entries),
    checkSurrogates(natives),
    checkEnd(entries),
  );
}

function* checkOrder(entries: readonly Entry[]): Generator<Violation> {
  let previous = '';
  for (const { at, role, blocks } of entries) {
    if (role === 'system') {
      yield portabilityAt(at, 'A15', 'system message inside the list');
      continue;
    }
    // A compaction block of the API goes first (A17).
    if (previous === '' && role === 'assistant' && !blocks.some(({ type }) => type === 'compaction')) {
      yield portabilityAt(at, 'A1', 'starts with an assistant message');
    }
    if (previous === role) yield portabilityAt(at, 'A2', `two ${role} messages in a row`);
    previous = role;
    const isFinalAssistant = role === 'assistant' && at === entries.at(-1)?.at;
    if (blocks.length === 0 && !isFinalAssistant) yield errorAt(at, 'A8', 'content array is empty');
  }
}

/** Thinking in a tool loop that still runs must stand at the loop's start; words beside a result do not end it. */
function* checkLoop(entries: readonly Entry[]): Generator<Violation> {
  const start = entries.findLastIndex(
    ({ role, blocks }) => role === 'user' && blocks.every(({ type }) => type !== 'tool_result'),
  );
  const loop = mergeTurns(entries.slice(start + 1));
  const [first] = loop.filter(({ role }) => role === 'assistant');
  if (first === undefined || loop.at(-1)?.role !== 'user') return;
  if (!loop.some(({ role, blocks }) => role === 'assistant' && blocks.some(({ native }) => isThinking(native)))) return;
  // Some models put a blank text in front of their thinking.
  const opening = first.blocks.find(({ type, native }) => type !== 'text' || !isBlank(native['text']));
  if (opening === undefined || isThinking(opening.native)) return;
  yield portabilityAt(opening.at, 'A10', `starts with ${opening.type}, not with thinking`);
}

function* checkEnd(entries: readonly Entry[]): Generator<Violation> {
  const last = entries.findLast(({ role }) => role !== 'system');
  if (last?.role !== 'assistant') return;
  yield portabilityAt(last.at, 'A14', 'ends with an assistant message');
  const text = last.blocks.at(-1)?.native['text'];
  if (typeof text === 'string' && text !== text.trimEnd()) {
    yield errorAt(last.at, 'A14', 'ends in white space');
  }
}
