import { type Calibration, correctionFactor } from '../count/calibration.ts';
import { requestSize } from '../count/measure.ts';
import type { Meter } from '../count/meter.ts';
import type { Situation } from '../decide/decide.ts';
import { isPrompt, type ViewEntry } from '../model/view.ts';
import { isAnswering } from './state.ts';

/** Running figures of a view, kept by its owner: each new message costs its own size and nothing else. */
export type Tally = {
  /** Uncorrected tokens of system messages in the list, and of all others. */
  system: number;
  history: number;
  messages: number;
  turns: number;
  messagesSince: number;
  readonly openCalls: Set<string>;
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
    openCalls: new Set(),
    endsWithAssistant: false,
  };
}

/** Counts one more entry in. */
export function addEntry(tally: Tally, entry: ViewEntry, size: number): void {
  const { role, parts } = entry.message;
  const isTurn = isPrompt(entry);
  const isAssistant = isAnswering(entry);
  if (role === 'system') tally.system += size;
  else tally.history += size;
  tally.messages += 1;
  if (isTurn) tally.turns += 1;
  if (isTurn || (isAssistant && !tally.endsWithAssistant)) tally.messagesSince += 1;
  tally.endsWithAssistant = isAssistant;
  let hasTools = false;
  for (const part of parts) {
    if (part.kind === 'tool-call') tally.openCalls.add(part.callId);
    else if (part.kind === 'tool-result') tally.openCalls.delete(part.callId);
    else continue;
    hasTools = true;
  }
  // A call left behind by a later prompt is not pending: nobody will answer it any more.
  if (isTurn && !hasTools) tally.openCalls.clear();
}

/** The figures of a request as a decision takes them. */
export function tallyTokens(
  tally: Tally,
  fixed: number,
  { meter, calibration }: { readonly meter: Meter; readonly calibration?: Calibration | undefined },
): Situation['tokens'] {
  const factor = correctionFactor(calibration, meter.correction);
  const corrected = (fixed + tally.system) * factor;
  const history = tally.history * factor;
  return { fixed: corrected, history, request: requestSize(corrected + history, calibration) };
}
