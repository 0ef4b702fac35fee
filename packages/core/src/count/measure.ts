import type { Sizes } from '../model/count.ts';
import type { Part } from '../model/message.ts';
import { isBarrier, type ViewEntry } from '../model/view.ts';
import { type Calibration, correctionFactor } from './calibration.ts';
import type { Meter } from './meter.ts';

/** What a request is measured with. */
export type MeasureWith = {
  readonly meter: Meter;
  readonly fixed: readonly Part[];
  readonly calibration?: Calibration;
};

/** Sizes of the whole request, all corrected alike. */
export function measure(entries: readonly ViewEntry[], using: MeasureWith): Sizes {
  const factor = correctionFactor(using.calibration, using.meter.correction);
  const barrier = lastBarrier(entries);
  const messages: number[] = [];
  let history = 0;
  let fixed = using.meter.sizeOfParts(using.fixed) * factor;
  entries.forEach(({ message }, index) => {
    // A provider ignores everything before its own compaction item (A16, R7).
    const size = index < barrier ? 0 : using.meter.sizeOf(message) * factor;
    messages.push(size);
    // System messages inside the list go out with every request, like a system prompt beside it.
    if (message.role === 'system') fixed += size;
    else history += size;
  });
  return { basis: 'estimated', fixed, messages, history, request: fixed + history };
}

/** The request that stands is never under the last real count: a history only grows between compactions. */
export function atLeastReal(corrected: number, calibration: Calibration | undefined): number {
  return Math.max(corrected, calibration?.real ?? 0);
}

/** Index of the newest provider compaction item, or -1. */
export function lastBarrier(entries: readonly ViewEntry[]): number {
  return entries.findLastIndex(isBarrier);
}
