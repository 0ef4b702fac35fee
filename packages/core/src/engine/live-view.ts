import type { Calibration } from '../count/calibration.ts';
import { sizeOfEntry } from '../count/measure.ts';
import { CountFailure, type Meter, tryCounting } from '../count/meter.ts';
import type { Situation } from '../decide/decide.ts';
import type { Format } from '../model/format.ts';
import type { Reuse } from '../model/policy.ts';
import type { LogRecord } from '../model/record.ts';
import { isBarrier, type View, type ViewEntry } from '../model/view.ts';
import { type Past, pastOf } from '../record/past.ts';
import { project, recognise } from '../record/project.ts';
import type { Originals } from './originals.ts';
import { countExchanged, entriesSince, figuresOf } from './state.ts';
import { addEntry, newTally, type Tally, tallyTokens } from './tally.ts';

/** A session's view with running figures: an appended message costs its own size, and nothing is counted twice. */
export type LiveView = {
  /** Takes over what the originals are now, of which the first `known` messages are as they were. */
  readonly follow: (known: number) => void;
  /** Starts over with these records. */
  readonly restart: (records: readonly LogRecord[]) => void;
  /** Everything a decision needs. Throws `CountFailure` where the counter fails. */
  readonly situation: (figures: Figures) => Situation;
  /** Native messages of the view; the given list itself where no record changes it. */
  readonly natives: (original: readonly unknown[]) => readonly unknown[];
  /** Uncorrected tokens of all entries. */
  readonly rawTokens: () => number;
};

/** What comes from outside the view. */
type Figures = {
  readonly fixed: number;
  readonly now: number;
  readonly calibration: Calibration | undefined;
  readonly isRunning: boolean;
  readonly elsewhere?: Elsewhere | undefined;
};

/** What a log that is kept elsewhere tells of earlier attempts, where the messages are the view that it makes. */
export type Elsewhere = {
  readonly past: Past;
  /** How many of the messages there were at the newest attempt. */
  readonly seen: number;
};

/** What a live view is made from. */
export type LiveSource = {
  readonly originals: Originals;
  readonly format: Format;
  readonly meter: Meter;
  readonly reuse: Reuse;
};

type Live = {
  readonly entries: ViewEntry[];
  readonly past: Past;
  readonly isOriginal: boolean;
  readonly tally: Tally;
  /** Messages of the originals that are counted. */
  seen: number;
};

/** A live view of a log, without records at first. */
export function createLiveView(source: LiveSource): LiveView {
  let records: readonly LogRecord[] = [];
  let live: Live | undefined;
  const current = (): Live => {
    live ??= liveOf(source, records);
    const next = live;
    // Kept only once it is whole: a counter that throws must not leave half a count behind.
    live = undefined;
    extend(source, next);
    live = next;
    return next;
  };
  return {
    follow: (known) => {
      if (live !== undefined && known < live.seen) live = undefined;
    },
    restart: (next) => {
      records = next;
      live = undefined;
    },
    situation: (figures) => situationOf(current(), source, figures),
    natives: (original) => {
      const counted = tryCounting(current);
      const { isOriginal, entries } = counted instanceof CountFailure ? projected(source, records) : counted;
      return isOriginal ? original : entries.map(({ message }) => message.native);
    },
    rawTokens: () => {
      const { history: counted, system } = current().tally;
      return counted + system;
    },
  };
}

function liveOf(source: LiveSource, records: readonly LogRecord[]): Live {
  const { originals } = source;
  const past = pastOf(records);
  const tally = newTally();
  if (records.length === 0) return { entries: [], past, isOriginal: true, tally, seen: 0 };
  const { entries, isOriginal } = projected(source, records);
  for (const entry of entries) count(tally, entry, source);
  tally.messagesSince = countExchanged(entriesSince(entries, originals.ids(), past.last));
  return { entries: [...entries], past, isOriginal, tally, seen: originals.messages.length };
}

/** The view without figures: it can be had even where the counter fails. */
function projected(source: LiveSource, records: readonly LogRecord[]): Pick<Live, 'isOriginal'> & View {
  const branch = { ...source, messages: source.originals.messages, ids: source.originals.ids() };
  const { entries } = project(branch, records, source.reuse);
  const isWhole = entries.length === branch.messages.length;
  return { entries, isOriginal: isWhole && entries.every(({ recordId }) => recordId === undefined) };
}

/** Records only touch what was there when they were made: later messages stand behind, as they are. */
function extend(source: LiveSource, live: Live): void {
  const { originals } = source;
  for (; live.seen < originals.messages.length; live.seen += 1) {
    const message = originals.messages[live.seen];
    if (message === undefined) continue;
    const entry = recognise({ message, source: live.seen }, live.entries.at(-1));
    count(live.tally, entry, source);
    live.entries.push(entry);
  }
}

function count(tally: Tally, entry: ViewEntry, { meter, originals }: LiveSource): void {
  const size = sizeOfEntry(entry, { meter, counted: originals.counted });
  // A provider ignores everything before its own compaction item (A16, R7).
  if (isBarrier(entry)) {
    tally.history = 0;
    tally.system = 0;
  }
  addEntry(tally, entry, size);
}

function situationOf({ entries, tally, past }: Live, { meter }: LiveSource, figures: Figures): Situation {
  const { elsewhere } = figures;
  return {
    tokens: tallyTokens(tally, figures.fixed, { meter, calibration: figures.calibration }),
    messages: tally.messages,
    turns: tally.turns,
    messagesSince: elsewhere === undefined ? tally.messagesSince : countExchanged(entries.slice(elsewhere.seen)),
    hasPendingCall: tally.openCalls.size > 0,
    isRunning: figures.isRunning,
    ...figuresOf(elsewhere?.past ?? past, figures.now),
  };
}
