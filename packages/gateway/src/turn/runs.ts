import type { Notes } from './notes.ts';

/** Messages up to `end` that one model made, but for those of which something else is noted. */
export type Run = { readonly end: number; readonly model: string };

/** A history in runs of one model each; the last one is what is still to be said. */
export function runsOf({ model, switches }: Notes, ids: readonly string[]): readonly Run[] {
  const asked = new Map<string, string>();
  for (const { at, model: to } of switches) if (!asked.has(at)) asked.set(at, to);
  const runs: Run[] = [];
  let current = model;
  if (asked.size > 0) {
    for (const [at, id] of ids.entries()) {
      const next = asked.get(id);
      if (next === undefined) continue;
      runs.push({ end: at + 1, model: current });
      current = next;
    }
  }
  return [...runs, { end: ids.length, model: current }];
}

/** The run that a place is in. */
export function runAt(runs: readonly Run[], place: number): Run | undefined {
  return runs.find(({ end }) => place < end) ?? runs.at(-1);
}
