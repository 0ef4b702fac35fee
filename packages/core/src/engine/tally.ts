import { type Calibration, correctionFactor } from '../count/calibration.ts';
import { requestTokens } from '../count/measure.ts';
import type { Meter } from '../count/meter.ts';
import type { Situation } from '../decide/decide.ts';
import { beginsTurn, isThought, type ViewEntry } from '../model/view.ts';
import { isAnswering } from './state.ts';

/** Running figures of a view, kept by its owner: each new message costs its own size and nothing else. */
export type Tally = {
  /** Uncorrected tokens of system messages in the list, and of all others. */
  system: number;
  history: number;
  messages: number;
  turns: number;
  messagesSince: number;
  /** Calls without a result, by id. */
  readonly openCalls: Map<string, number>;
  endsWithAssistant: boolean;
};

/** The figures of a view without entries. */
export function newTally(): Tally {
  return {
    system: 0,
    history: 0,
    messages: 0,
    turns: 0,
    messagesSince: 0,
    openCalls: new Map(),
    endsWithAssistant: false,
  };
}

/** Counts one more entry in. */
export function addEntry(tally: Tally, entry: ViewEntry, size: number): void {
  const { role, parts } = entry.message;
  const asks = beginsTurn(entry);
  const isAssistant = isAnswering(entry);
  if (role === 'system') tally.system += size;
  else tally.history += size;
  if (!isThought(entry)) tally.messages += 1;
  if (asks) tally.turns += 1;
  if (asks || (isAssistant && !tally.endsWithAssistant)) tally.messagesSince += 1;
  tally.endsWithAssistant = isAssistant;
  for (const part of parts) {
    if (part.kind === 'tool-call') countCall(tally.openCalls, part.callId, 1);
    else if (part.kind === 'tool-result') countCall(tally.openCalls, part.callId, -1);
  }
  // A call left behind by a later prompt is not pending: nobody will answer it any more.
  if (asks) tally.openCalls.clear();
}

function countCall(open: Map<string, number>, callId: string, change: 1 | -1): void {
  const count = (open.get(callId) ?? 0) + change;
  if (count > 0) open.set(callId, count);
  else open.delete(callId);
}

/** The figures of a request as a decision takes them. */
export function tallyTokens(
  tally: Tally,
  fixed: number,
  counted: { readonly meter: Meter; readonly calibration?: Calibration | undefined },
): Situation['tokens'] {
  const { meter, calibration } = counted;
  const factor = correctionFactor(calibration, meter.correction);
  return requestTokens((fixed + tally.system) * factor, tally.history * factor, counted);
}
