import { type Calibration, correctionFactor } from '../count/calibration.ts';
import { requestSize } from '../count/measure.ts';
import type { Meter } from '../count/meter.ts';
import type { Situation } from '../decide/decide.ts';
import type { Message } from '../model/message.ts';
import { isPrompt, type ViewEntry } from '../model/view.ts';
import { isAnswering } from './state.ts';

/** Running figures of a view: each new message costs its own size and nothing else. */
export type Tally = {
  /** Uncorrected tokens of system messages in the list, and of all others. */
  readonly system: number;
  readonly history: number;
  readonly messages: number;
  readonly turns: number;
  readonly messagesSince: number;
  readonly openCalls: ReadonlySet<string>;
  readonly endsWithAssistant: boolean;
};

/** A view without entries. */
export const EMPTY_TALLY: Tally = {
  system: 0,
  history: 0,
  messages: 0,
  turns: 0,
  messagesSince: 0,
  openCalls: new Set(),
  endsWithAssistant: false,
};

/** The figures with one more entry. */
export function addEntry(tally: Tally, entry: ViewEntry, size: number): Tally {
  const { role } = entry.message;
  const isTurn = isPrompt(entry);
  const isAssistant = isAnswering(entry);
  const isExchange = isTurn || (isAssistant && !tally.endsWithAssistant);
  return {
    system: tally.system + (role === 'system' ? size : 0),
    history: tally.history + (role === 'system' ? 0 : size),
    messages: tally.messages + 1,
    turns: tally.turns + (isTurn ? 1 : 0),
    messagesSince: tally.messagesSince + (isExchange ? 1 : 0),
    openCalls: nextOpenCalls(tally.openCalls, entry.message, isTurn),
    endsWithAssistant: isAssistant,
  };
}

/** The figures of a request as a decision takes them. */
export function tallyTokens(
  tally: Tally,
  fixed: number,
  { meter, calibration }: { readonly meter: Meter; readonly calibration?: Calibration },
): Situation['tokens'] {
  const factor = correctionFactor(calibration, meter.correction);
  const corrected = { fixed: (fixed + tally.system) * factor, history: tally.history * factor };
  return { ...corrected, request: requestSize(corrected.fixed + corrected.history, calibration) };
}

function nextOpenCalls(open: ReadonlySet<string>, message: Message, isTurn: boolean): ReadonlySet<string> {
  const hasTools = message.parts.some(({ kind }) => kind === 'tool-call' || kind === 'tool-result');
  if (!hasTools) return isTurn && open.size > 0 ? new Set() : open;
  const next = new Set(open);
  for (const part of message.parts) {
    if (part.kind === 'tool-call') next.add(part.callId);
    else if (part.kind === 'tool-result') next.delete(part.callId);
  }
  return next;
}
