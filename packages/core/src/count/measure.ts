import type { Counter, Sizes } from '../model/count.ts';
import type { Part } from '../model/message.ts';
import { isBarrier, type ViewEntry } from '../model/view.ts';
import { type Calibration, correctionFactor } from './calibration.ts';
import type { Meter } from './meter.ts';

/** What a request is measured with. */
export type MeasureWith = {
  readonly meter: Meter;
  /** Uncorrected sizes of originals by index, filled as they are counted: decisions, plans and checks ask for the same ones. */
  readonly counted: number[];
  readonly fixed: readonly Part[];
  readonly calibration?: Calibration;
};

/** Uncorrected size of an entry; an original is counted once. */
export function sizeOfEntry(entry: ViewEntry, { meter, counted }: Pick<MeasureWith, 'meter' | 'counted'>): number {
  const { message, source, recordId } = entry;
  if (source === undefined || recordId !== undefined) return meter.sizeOf(message);
  const size = counted[source] ?? meter.sizeOf(message);
  counted[source] = size;
  return size;
}

/** Sizes of the whole request, all corrected alike. */
export function measure(entries: readonly ViewEntry[], using: MeasureWith): Sizes {
  const factor = correctionFactor(using.calibration, using.meter.correction);
  const barrier = lastBarrier(entries);
  const messages: number[] = [];
  let history = 0;
  let fixed = using.meter.sizeOfParts(using.fixed) * factor;
  entries.forEach((entry, index) => {
    // A provider ignores everything before its own compaction item (A16, R7).
    const size = index < barrier ? 0 : sizeOfEntry(entry, using) * factor;
    messages.push(size);
    // System messages inside the list go out with every request, like a system prompt beside it.
    if (entry.message.role === 'system') fixed += size;
    else history += size;
  });
  return { basis: 'estimated', messages, ...requestTokens(fixed, history, using) };
}

/** Counts text as the meter counts requests: corrected by what is known of real usage. */
export function correctedCounter({ meter, calibration }: Pick<MeasureWith, 'meter' | 'calibration'>): Counter {
  const factor = correctionFactor(calibration, meter.correction);
  return (text) => meter.sizeOfText(text) * factor;
}

/** Tokens of a request by its fixed part and its history, with what only the provider has seen. */
export function requestTokens(
  fixed: number,
  history: number,
  using: Pick<MeasureWith, 'meter'> & { readonly calibration?: Calibration | undefined },
): { readonly fixed: number; readonly history: number; readonly request: number } {
  const whole = fixed + unseen(fixed + history, using);
  return { fixed: whole, history, request: whole + history };
}

/**
 * What a real count holds beyond all that a correction can explain, such as a system prompt that was not handed in: it goes
 * out with every request, before a compaction and after it. A request that has grown since is never under its real count.
 */
function unseen(
  corrected: number,
  { meter, calibration }: Pick<MeasureWith, 'meter'> & { readonly calibration?: Calibration | undefined },
): number {
  if (calibration === undefined) return 0;
  const { real, heuristic } = calibration;
  const known = Math.max(corrected, heuristic * correctionFactor(calibration, meter.correction));
  // Half a token: what was multiplied and divided again is not the same to the last digit.
  return real - known >= 0.5 ? real - known : 0;
}

/** Index of the newest provider compaction item, or -1. */
export function lastBarrier(entries: readonly ViewEntry[]): number {
  return entries.findLastIndex(isBarrier);
}
