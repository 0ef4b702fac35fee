import { checkGiven, checkLike, type Fields, isObject, misuse } from '../model/check.ts';
import { shown } from '../model/errors.ts';
import { CAUSES } from '../model/policy.ts';
import { checkRecords } from '../record/check.ts';

/** What stays the same over a conversation, as it may come from untyped code. */
export type CheckedInput = { readonly policy?: unknown; readonly records?: unknown };

/** What one call brings. */
export type CheckedTurn = {
  readonly messages: readonly unknown[];
  readonly cause?: unknown;
  readonly ids?: readonly unknown[] | undefined;
};

// What every preset returns has these.
const MADE = ['triggers', 'split', 'goalSplit', 'template', 'handover', 'guards', 'mustClear', 'meter'];

const TURN = { goal: '', focus: '', ids: [] };

// Any function is an example of one.
const PORTS = {
  summarizer: misuse,
  summarizerWindow: 0,
  maxCalls: 0,
  timeoutMs: 0,
  counter: misuse,
  redactor: misuse,
  state: {},
  costs: misuse,
  now: misuse,
  newId: misuse,
  onEvent: misuse,
};

/** Throws for the first thing that is not as the types say: misuse, found before anything runs. */
export function checkInput(input: CheckedInput): void {
  checkLike(input, {});
  checkGiven(input, { calibration: { real: 0, heuristic: 0 } });
  const { policy, records } = input;
  const isMade = isObject(policy) && MADE.every((key) => isObject(policy[key])) && 'summaryMaxTokens' in policy;
  const isPolicy = typeof policy === 'string' || isMade;
  if (policy !== undefined && !isPolicy) misuse("`policy` must be a preset's name or what a preset returned.");
  if (records !== undefined) checkRecords(records);
}

/** As `checkInput`, for what one call brings. */
export function checkTurn(turn: CheckedTurn): void {
  const { messages, cause, ids } = turn;
  checkLike(messages, [], 'messages');
  checkGiven(turn, TURN);
  if (cause !== undefined && !CAUSES.some((known) => known === cause)) {
    misuse(`\`cause\` is ${shown(cause)}; it takes ${CAUSES.join(', ')}.`);
  }
  if (ids === undefined) return;
  if (ids.length !== messages.length) misuse(`There are ${ids.length} \`ids\` for ${messages.length} messages.`);
  if (new Set(ids).size !== ids.length) misuse('`ids` must all differ.');
}

/** The signal that was given, or one that never aborts. */
export function checkedSignal(signal: AbortSignal | undefined): AbortSignal {
  if (signal === undefined) return new AbortController().signal;
  if (!isObject(signal) || !('throwIfAborted' in signal)) misuse('`signal` must be an AbortSignal.');
  return signal;
}

/** As `checkInput`, for what the engine takes from the world. */
export function checkPorts(ports: Fields): void {
  checkLike(ports, {}, 'ports');
  checkGiven(ports, PORTS, 'ports');
  for (const [name, render] of Object.entries(ports['state'] ?? {})) {
    if (!/^[\w-]{1,64}$/.test(name))
      misuse(`\`ports.state\` has a name ${shown(name)}; it takes letters, digits, - and _.`);
    checkLike(render, misuse, `ports.state.${name}`);
  }
  for (const key of ['summarizerWindow', 'maxCalls', 'timeoutMs']) {
    if (Number(ports[key] ?? 1) <= 0) misuse(`\`ports.${key}\` is ${shown(ports[key])}; it must be above 0.`);
  }
}
