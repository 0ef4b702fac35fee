import { mayBeSealed } from '../dialects/seals.ts';
import type { Dialect } from '../model/dialect.ts';
import { isSameModel } from '../model/names.ts';
import type { Chain } from './chain.ts';
import type { Notes } from './notes.ts';
import { promptAfter, promptBefore } from './prompts.ts';
import { runAt, runsOf } from './runs.ts';

/** Whose seals are to be left out: all in front of a place, and those of single messages. */
export type Left = {
  readonly foreign: number;
  readonly stray: ReadonlySet<number>;
  /** From here on calls keep a stand-in for a seal that is left out: their turn is under way, and its provider wants one. */
  readonly standIns?: number;
  /** Whether another model's seals go out all the same, because a turn under way needs them. */
  readonly isKept?: true;
};

/** A request's model and history. */
type Asked = { readonly model: string; readonly dialect: Dialect; readonly chain: Chain };

/** What of a history must not be sent, by the notes. */
export function leftIn(notes: Notes, { model, dialect, chain }: Asked): Left {
  const { ids, texts } = chain;
  const places = notes.stray.length === 0 ? new Map<string, number>() : new Map(ids.map((id, at) => [id, at]));
  const stray = new Set(notes.stray.flatMap((id) => places.get(id) ?? []));
  const runs = runsOf(notes, ids);
  if (notes.made.length === 0 && runs.every((run) => isSameModel(run.model, model))) return { foreign: 0, stray };
  const made = new Map(notes.made);
  const authorOf = (at: number): string => made.get(ids[at] ?? '') ?? runAt(runs, at)?.model ?? '';
  return { ...foreignIn({ dialect, texts, authorOf }, model), stray };
}

type History = {
  readonly dialect: Dialect;
  readonly texts: readonly string[];
  readonly authorOf: (place: number) => string;
};

/**
 * Up to where seals are foreign to a model. A turn under way may need its seals whoever made them, and what stands in front of them
 * as it was: such a request goes out as it would to the model that began the turn.
 */
function foreignIn(history: History, model: string): Omit<Left, 'stray'> {
  const { dialect, texts, authorOf } = history;
  const last = lastForeign(history, model, texts.length);
  if (last < 0) return { foreign: 0 };
  switch (dialect) {
    case 'openai-responses':
      return { foreign: endOfAnswer(texts, last) };
    case 'gemini': {
      if (!wantsSignatures(model) || promptAfter(dialect, texts, last) >= 0) return { foreign: last + 1 };
      return { foreign: last + 1, standIns: promptBefore(dialect, texts, last) + 1 };
    }
    case 'anthropic':
    case 'openai-chat': {
      // What was thought behind a foreign seal in the same turn goes with it: it may be bound to it.
      const end = promptAfter(dialect, texts, last);
      if (end >= 0) return { foreign: end };
      const start = promptBefore(dialect, texts, last) + 1;
      const beginner = authorOf(texts.findIndex((text, at) => at >= start && mayBeSealed(text)));
      const before = lastForeign(history, beginner, start);
      return { foreign: before < 0 ? 0 : promptAfter(dialect, texts, before), isKept: true };
    }
    default:
      return dialect satisfies never;
  }
}

/** The last message in front of a place that holds a seal of another model than one. */
function lastForeign({ texts, authorOf }: History, model: string, end: number): number {
  return texts.findLastIndex((text, at) => at < end && !isSameModel(authorOf(at), model) && mayBeSealed(text));
}

// Since Gemini 3 (G6). Earlier ones want none, and nobody says that they take a stand-in.
function wantsSignatures(model: string): boolean {
  return !/\bgemini-[12]\b/.test(model);
}

// An item is kept with the thinking in front of it: both go as one (R3).
function endOfAnswer(texts: readonly string[], last: number): number {
  const end = texts.findIndex((text, at) => at > last && (mayBeSealed(text) || /"role"\s*:\s*"user"/.test(text)));
  return end < 0 ? texts.length : end;
}
