import type { Log } from '@epitome/store';
import { formatNamed, type Message } from 'epitome';
import { mayBeSealed, sealsIn } from '../dialects/seals.ts';
import type { Dialect } from '../model/dialect.ts';
import type { Chain } from './chain.ts';
import { type AnswerNote, changeNotes, fingerprint, type Notes, notesOf } from './notes.ts';

/** A request's model and history. */
export type Asking = {
  readonly model: string;
  readonly dialect: Dialect;
  readonly chain: Chain;
  /** The place of the first message that was not stored before this request. */
  readonly fresh: number;
  /** The view the request is answered behind. */
  readonly stamp: string;
};

/** Whose seals are to be left out: all in front of a place, and those of single messages. */
export type Left = { readonly foreign: number; readonly stray: ReadonlySet<number> };

const NOTHING_LEFT: Left = { foreign: 0, stray: new Set() };

type Noting = {
  readonly conversation: string;
  readonly tree: { notes: Notes | undefined; readonly isSealed: boolean };
};

/** What of a history must not be sent to the model asked now, which is noted (law 45). */
export async function leftOut(log: Log, { tree, conversation }: Noting, asking: Asking): Promise<Left> {
  if (asking.model === '') return NOTHING_LEFT;
  // Where nothing is sealed, nothing is foreign to anybody; else another process may have taken the turn before this one.
  if (!tree.isSealed && tree.notes !== undefined && withAsked(tree.notes, asking) === tree.notes) return NOTHING_LEFT;
  const notes = notesOf((await log.conversation(conversation))?.settings);
  const isNews = noted(notes, asking) !== notes;
  tree.notes = isNews ? await changeNotes(log, conversation, (now) => noted(now, asking)) : notes;
  return leftIn(tree.notes, asking);
}

function noted(notes: Notes, asking: Asking): Notes {
  return withFresh(withAsked(notes, asking), asking);
}

/** Whoever is asked at a new message makes what follows it; one that is asked again is known by its answer. */
function withAsked(notes: Notes, { model, chain, fresh }: Asking): Notes {
  if (notes.model === '') return { ...notes, model };
  const { ids } = chain;
  const at = ids.at(-1);
  if (at === undefined || fresh >= ids.length || runsOf(notes, ids).at(-1)?.model === model) return notes;
  return { ...notes, switches: [...notes.switches, { at, model }] };
}

/** What came back of answers that were noted: who made them, and whether they still stand behind what they were made behind. */
function withFresh(notes: Notes, { dialect, chain, fresh, stamp }: Asking): Notes {
  if (notes.answers.length === 0 || fresh >= chain.ids.length) return notes;
  const bySeal = new Map(notes.answers.map((answer) => [answer.seal, answer]));
  const runs = runsOf(notes, chain.ids);
  const made: [string, string][] = [];
  const stray: string[] = [];
  for (const [at, id] of chain.ids.entries()) {
    const text = at < fresh ? '' : (chain.texts[at] ?? '');
    const answer = answerIn(text, bySeal);
    if (answer === undefined) continue;
    if (answer.model !== runAt(runs, at)?.model) made.push([id, answer.model]);
    if (answer.stamp !== stamp && isBound(decoded(dialect, text))) stray.push(id);
  }
  // A turn under way needs its thinking (A10): it can neither stay nor go, and stays.
  const isOver = stray.length > 0 && isPrompt(decoded(dialect, chain.texts.at(-1) ?? 'null'));
  if (made.length === 0 && !isOver) return notes;
  return { ...notes, made: [...notes.made, ...made], stray: [...notes.stray, ...(isOver ? stray : [])] };
}

function answerIn(text: string, bySeal: ReadonlyMap<string, AnswerNote>): AnswerNote | undefined {
  for (const seal of sealsIn(text)) {
    const answer = bySeal.get(fingerprint(seal));
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function decoded(dialect: Dialect, text: string): Message {
  return formatNamed(dialect).decode(JSON.parse(text), []);
}

function isBound({ parts }: Message): boolean {
  return parts.some((part) => part.kind === 'reasoning' && part.bound);
}

function isPrompt({ role, parts }: Message): boolean {
  // Words beside a result belong to the turn of its call.
  return role === 'user' && parts.every(({ kind }) => kind !== 'tool-result');
}

/** What of a history must not be sent, by the notes. */
export function leftIn(notes: Notes, { model, dialect, chain }: Omit<Asking, 'fresh' | 'stamp'>): Left {
  const { ids, texts } = chain;
  const places = notes.stray.length === 0 ? new Map<string, number>() : new Map(ids.map((id, at) => [id, at]));
  const stray = new Set(notes.stray.flatMap((id) => places.get(id) ?? []));
  const runs = runsOf(notes, ids);
  if (notes.made.length === 0 && runs.every((run) => run.model === model)) return { foreign: 0, stray };
  const made = new Map(notes.made);
  const last = texts.findLastIndex((text, at) => {
    const author = made.get(ids[at] ?? '') ?? runAt(runs, at)?.model;
    return author !== model && mayBeSealed(text);
  });
  return { foreign: dialect === 'openai-responses' ? endOfAnswer(texts, last) : last + 1, stray };
}

// An item is kept with the thinking in front of it: both go as one (R3).
function endOfAnswer(texts: readonly string[], last: number): number {
  if (last < 0) return 0;
  const end = texts.findIndex((text, at) => at > last && (mayBeSealed(text) || /"role"\s*:\s*"user"/.test(text)));
  return end < 0 ? texts.length : end;
}

/** Messages up to `end` that one model made, but for those of which something else is noted. */
type Run = { readonly end: number; readonly model: string };

/** A history in runs of one model each; the last one is what is still to be said. */
function runsOf({ model, switches }: Notes, ids: readonly string[]): readonly Run[] {
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

function runAt(runs: readonly Run[], place: number): Run | undefined {
  return runs.find(({ end }) => place < end) ?? runs.at(-1);
}
