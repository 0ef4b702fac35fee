import type { Log } from '@epitome/store';
import type { Message } from 'epitome';
import { sealsIn } from '../dialects/seals.ts';
import type { Dialect } from '../model/dialect.ts';
import { isSameModel } from '../model/names.ts';
import type { Chain } from './chain.ts';
import { type Left, leftIn } from './left.ts';
import { type AnswerNote, changeNotes, fingerprint, type Notes, notesOf } from './notes.ts';
import { decoded, isPrompt } from './prompts.ts';
import { runAt, runsOf } from './runs.ts';

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
  if (at === undefined || fresh >= ids.length || isSameModel(runsOf(notes, ids).at(-1)?.model ?? '', model))
    return notes;
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
    if (!isSameModel(answer.model, runAt(runs, at)?.model ?? '')) made.push([id, answer.model]);
    if (answer.stamp !== stamp && isBound(decoded(dialect, text))) stray.push(id);
  }
  // A turn under way needs its thinking (A10): it can neither stay nor go, and stays.
  const isOver = stray.length > 0 && isPrompt(decoded(dialect, chain.texts.at(-1)));
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

function isBound({ parts }: Message): boolean {
  return parts.some((part) => part.kind === 'reasoning' && part.bound);
}

export type { Left };
