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
  return { basis: 'estimated', fixed, messages, history, request: fixed + history };
}

/** Counts text as the meter counts requests: corrected by what is known of real usage. */
export function correctedCounter({ meter, calibration }: Pick<MeasureWith, 'meter' | 'calibration'>): Counter {
  const factor = correctionFactor(calibration, meter.correction);
  return (text) => meter.sizeOfText(text) * factor;
}

/**
 * A request that has grown since it was counted is never under its real count. One that is smaller is another one, such as an
 * earlier prompt asked again: the count says nothing of it but the factor.
 */
export function atLeastReal(
  corrected: number,
  { meter, calibration }: Pick<MeasureWith, 'meter'> & { readonly calibration?: Calibration | undefined },
): number {
  if (calibration === undefined) return corrected;
  const uncorrected = corrected / correctionFactor(calibration, meter.correction);
  // Half a token: what was multiplied and divided again is not the same to the last digit.
  return uncorrected < calibration.heuristic - 0.5 ? corrected : Math.max(corrected, calibration.real);
}

/** Index of the newest provider compaction item, or -1. */
export function lastBarrier(entries: readonly ViewEntry[]): number {
  return entries.findLastIndex(isBarrier);
}
