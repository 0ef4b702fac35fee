import { expect } from 'vitest';
import { formats, type Violation } from '../../src/index.ts';
import type { Note } from '../../src/testing/index.ts';
import { keptOf, oursAt } from './fates.ts';
import type { Law } from './harness.ts';
import type { Run } from './run.ts';

/** Laws on which messages stand in the output, and whether a provider takes them. */
export const STRUCTURE: readonly Law<Run>[] = [
  {
    name: 'law 1: no provider rule is broken that was not broken before',
    check: (run) => {
      const known = new Set(errorsOf(run, run.rendered.messages));
      expect(errorsOf(run, run.outcome.messages).filter((rule) => !known.has(rule))).toEqual([]);
    },
  },
  {
    name: 'law 2: a valid list stays valid, and our own messages are portable too',
    check: (run) => {
      const { rendered, outcome, fates } = run;
      const { validate } = formats[rendered.format];
      const known = new Set(validate(rendered.messages).map(({ rule }) => rule));
      const ours = new Set(oursAt(fates));
      const added = validate(outcome.messages).filter(({ rule, at }) => !known.has(rule) && ours.has(at));
      expect(added).toEqual([]);
    },
  },
  {
    name: 'law 4: a call stands in the output if and only if its result does',
    check: ({ rendered: { notes }, fates }) => {
      const kept = keptOf(fates);
      const parted = [...pairsOf(notes)].filter(([, { call, result }]) => kept.has(call) !== kept.has(result));
      expect(parted).toEqual([]);
    },
  },
  {
    name: 'law 4: parallel calls are kept together or not at all',
    check: ({ rendered: { notes }, fates }) => {
      const kept = keptOf(fates);
      expect(batchesOf(notes).filter((batch) => new Set(batch.map((at) => kept.has(at))).size > 1)).toEqual([]);
    },
  },
  {
    name: 'laws 5 and 6: what is kept is kept once and in order, and nothing else is there but what we say is ours',
    check: ({ fates }) => {
      expect(fates.filter(({ kind }) => kind === 'unknown')).toEqual([]);
      const places = fates.flatMap((fate) => ('from' in fate ? [fate.from] : []));
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
    },
  },
  {
    name: 'law 7: the live prompt is there, verbatim and as a user message',
    check: ({ rendered: { notes, messages }, before, fates }) => {
      const live = livePrompt(notes);
      // One that was answered when an earlier compaction ran may be gone by now.
      if (live === undefined || !before.includes(messages[live])) return;
      expect(fates).toContainEqual({ kind: 'kept', from: live });
    },
  },
  {
    name: 'law 7: the newest words beside results of a turn under way are there, with their results or alone',
    check: ({ rendered: { notes, messages }, before, fates }) => {
      const aside = newestAside(notes);
      if (aside === undefined || !before.includes(messages[aside])) return;
      expect(fates.some((fate) => ('from' in fate ? fate.from : 'of' in fate ? fate.of : -1) === aside)).toBe(true);
    },
  },
  {
    name: 'a loop under way begins with its thinking, if it did before (A10)',
    check: ({ rendered, outcome }) => {
      const { validate } = formats[rendered.format];
      const lacks = (messages: readonly unknown[]): boolean => validate(messages).some(({ rule }) => rule === 'A10');
      if (!lacks(rendered.messages)) expect(lacks(outcome.messages)).toBe(false);
    },
  },
  {
    name: 'law 8: while nothing presses, selective keeps the newest messages of its retention window',
    check: (run) => {
      const {
        fates,
        policy: { split },
        rendered: { notes },
        case: { script },
      } = run;
      if (split.kind !== 'earliest-run' || mustShrink(run)) return;
      const kept = keptOf(fates);
      const spoken = notes.flatMap(({ isSystem }, at) => (isSystem ? [] : [at]));
      const newest = spoken.slice(Math.max(spoken.length - split.retain, 0));
      // A result that answers nothing is left out wherever it stands.
      const isOrphan = (at: number): boolean => script.steps[notes[at]?.step ?? -1]?.kind === 'orphan-result';
      expect(newest.filter((at) => !kept.has(at) && !isOrphan(at))).toEqual([]);
    },
  },
  {
    name: 'law 10: while nothing presses, selective keeps every prompt verbatim',
    check: (run) => {
      const {
        before,
        outcome,
        policy,
        rendered: { notes, messages },
      } = run;
      if (policy.split.kind !== 'earliest-run' || mustShrink(run)) return;
      const prompts = messages.filter((native, at) => isSaid(notes[at]) && before.includes(native));
      expect(prompts.filter((native) => !outcome.messages.includes(native))).toEqual([]);
    },
  },
  {
    name: 'law 9: pending calls survive with their whole batch',
    check: ({ rendered: { notes }, fates }) => {
      const kept = keptOf(fates);
      expect(pendingBatch(notes).filter((at) => !kept.has(at))).toEqual([]);
    },
  },
  {
    name: 'law 24: system messages stay as they are, and none is added',
    check: ({ rendered: { notes, format }, outcome, fates }) => {
      const systems = notes.flatMap(({ isSystem }, at) => (isSystem ? [{ kind: 'kept', from: at }] : []));
      const isSystem = (native: unknown): boolean => formats[format].decode(native, []).role === 'system';
      expect(fates.filter((_, at) => isSystem(outcome.messages[at]))).toEqual(systems);
    },
  },
  {
    name: 'law 43: a message with words beside results is kept with those results and their calls, or not at all',
    check: ({ rendered: { notes }, fates }) => {
      const kept = keptOf(fates);
      const mixed = notes.flatMap(({ isAside, results }, at) =>
        isAside && results.length > 0 && kept.has(at) ? [at] : [],
      );
      const whole = fates.flatMap((fate) => (fate.kind === 'kept' ? [fate.from] : []));
      const answered = mixed.flatMap((at) => notes[at]?.results ?? []);
      expect(whole).toEqual(expect.arrayContaining(mixed));
      expect(answered.filter((id) => !kept.has(notes.findIndex(({ calls }) => calls.includes(id))))).toEqual([]);
    },
  },
  {
    name: 'law 44: no summary stands between a call and its result',
    check: ({ rendered: { notes }, fates }) => {
      const placeOf = new Map(fates.flatMap((fate, at) => ('from' in fate ? [[fate.from, at] as const] : [])));
      const ours = oursAt(fates);
      const torn = [...pairsOf(notes)].filter(([, { call, result }]) => {
        const [from, to] = [placeOf.get(call) ?? Number.POSITIVE_INFINITY, placeOf.get(result) ?? -1];
        return ours.some((at) => at > from && at < to);
      });
      expect(torn).toEqual([]);
    },
  },
];

/** Whether the ladder goes on beyond the preset's own rule. */
function mustShrink({ case: { cause }, outcome: { tokens }, policy: { window, reserved, target } }: Run): boolean {
  return cause === 'overflow' || tokens.before > Math.min(window - reserved, target ?? Number.POSITIVE_INFINITY);
}

function errorsOf({ rendered }: Run, messages: readonly unknown[]): readonly string[] {
  const isError = ({ severity }: Violation): boolean => severity === 'error';
  return formats[rendered.format]
    .validate(messages)
    .filter(isError)
    .map(({ rule }) => rule);
}

function pairsOf(notes: readonly Note[]): ReadonlyMap<string, { readonly call: number; readonly result: number }> {
  const callOf = new Map(notes.flatMap(({ calls }, at) => calls.map((id) => [id, at] as const)));
  const pairs = new Map<string, { call: number; result: number }>();
  notes.forEach(({ results }, result) => {
    for (const id of results) pairs.set(id, { call: callOf.get(id) ?? -1, result });
  });
  return pairs;
}

// Messages of one step with calls, their approvals or their results; one message may hold several steps.
function batchesOf(notes: readonly Note[]): readonly (readonly number[])[] {
  const batches = new Map<number, number[]>();
  notes.forEach((note, at) => {
    const { step } = note;
    if (isOfBatch(note)) batches.set(step, [...(batches.get(step) ?? []), at]);
  });
  return [...batches.values()];
}

/** The newest prompt, unless the conversation rests on an answer. */
export function livePrompt(notes: readonly Note[]): number | undefined {
  const newest = notes.findLastIndex(({ isPrompt }) => isPrompt);
  const last = notes.findLast(({ isSystem }) => !isSystem);
  return newest < 0 || last?.isAnswer === true ? undefined : newest;
}

/** The newest words beside results, behind the live prompt. */
export function newestAside(notes: readonly Note[]): number | undefined {
  const newest = notes.findLastIndex(isSaid);
  const last = notes.findLast(({ isSystem }) => !isSystem);
  return notes[newest]?.isAside === true && last?.isAnswer !== true ? newest : undefined;
}

function isSaid(note: Note | undefined): boolean {
  return note?.isPrompt === true || note?.isAside === true;
}

/** Messages of the last step, where one of its calls has no result yet. */
function pendingBatch(notes: readonly Note[]): readonly number[] {
  const last = notes.findLast(({ isSystem }) => !isSystem);
  if (last === undefined) return [];
  const batch = notes.flatMap((note, at) => (note.step === last.step && !note.isSystem ? [at] : []));
  const answered = new Set(batch.flatMap((at) => notes[at]?.results ?? []));
  const calls = batch.flatMap((at) => notes[at]?.calls ?? []);
  const isPending = calls.some((id) => !answered.has(id)) && !batch.some((at) => notes[at]?.isPrompt === true);
  return isPending ? batch.filter((at) => isOfBatch(notes[at])) : [];
}

function isOfBatch(note: Note | undefined): boolean {
  return note !== undefined && note.calls.length + note.results.length + note.approvals.length > 0;
}
