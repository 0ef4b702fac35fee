import { createHash } from 'node:crypto';
import type { Log } from '@epitome/store';
import { fieldsOf, figure, parsed } from '../json/values.ts';

/**
 * What is noted with a conversation of who made its messages. Branches differ: whoever is asked at a message from which
 * another one answered makes a switch there.
 */
export type Notes = {
  /** The model it began with; `UNKNOWN` where that was so long ago that it is no longer noted. */
  readonly model: string;
  readonly switches: readonly Switch[];
  /** The latest answers that hold what only their model can read, which no client has sent back yet. */
  readonly answers: readonly AnswerNote[];
  /** Messages that another model made than the one that was asked first, by their id. */
  readonly made: readonly (readonly [id: string, model: string])[];
  /** Messages whose thinking was written behind another view than the one they came back behind. */
  readonly stray: readonly string[];
  /** The latest answers that did not come to their end. They are no messages: no view and no request holds them. */
  readonly incomplete: readonly IncompleteNote[];
};

type Switch = { readonly at: string; readonly model: string };
/** A seal's fingerprint, who made it, and the view it was made behind. */
export type AnswerNote = { readonly seal: string; readonly model: string; readonly stamp: string };

/** What came of an answer, and the message it was to. */
export type IncompleteNote = {
  readonly after: string;
  readonly branch: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly end: 'incomplete' | 'gone';
  /** Bytes that came, and their words, the first of them where they are many. */
  readonly bytes: number;
  readonly text: string;
};

// No model has this name, so that it is foreign to all.
const UNKNOWN = '*';

const MOST_SWITCHES = 64;
const MOST_ANSWERS = 256;
const MOST_MESSAGES = 1024;
// Settings are read and written whole: a stream that is stopped again and again must not make them long.
const MOST_INCOMPLETE = 8;
const LONGEST_INCOMPLETE = 8192;

/** What a conversation's settings say. */
export function notesOf(settings: string | undefined): Notes {
  const { model, switches, answers, made, stray, incomplete } = fieldsOf(parsed(settings ?? '{}'));
  return {
    model: textOr(model, ''),
    switches: listOf(switches).map((each) => {
      const { at, model: to } = fieldsOf(each);
      return { at: textOr(at, ''), model: textOr(to, UNKNOWN) };
    }),
    answers: listOf(answers).map((each) => {
      const [seal, by, stamp] = listOf(each);
      return { seal: textOr(seal, ''), model: textOr(by, UNKNOWN), stamp: textOr(stamp, '') };
    }),
    made: listOf(made).map((each) => {
      const [id, by] = listOf(each);
      return [textOr(id, ''), textOr(by, UNKNOWN)] as const;
    }),
    stray: listOf(stray).map((id) => textOr(id, '')),
    incomplete: listOf(incomplete).map(incompleteOf),
  };
}

function incompleteOf(value: unknown): IncompleteNote {
  const { after, branch, at, end, bytes, text } = fieldsOf(value);
  return {
    after: textOr(after, ''),
    branch: textOr(branch, ''),
    at: figure(at) ?? 0,
    end: end === 'gone' ? 'gone' : 'incomplete',
    bytes: figure(bytes) ?? 0,
    text: textOr(text, ''),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' ? value : other;
}

/** Changes the notes of a conversation; nobody else does so between. */
export async function changeNotes(log: Log, conversation: string, change: (notes: Notes) => Notes): Promise<Notes> {
  let changed = notesOf(undefined);
  await log.setSettings(conversation, (before) => {
    changed = bounded(change(notesOf(before)));
    const { answers, ...rest } = changed;
    const lists = { ...rest, answers: answers.map(({ seal, model, stamp }) => [seal, model, stamp]) };
    const told = Object.entries(lists).filter(([, value]) => value.length > 0);
    return JSON.stringify({ ...fieldsOf(parsed(before ?? '{}')), ...Object.fromEntries(told) });
  });
  return changed;
}

function bounded(notes: Notes): Notes {
  const { switches, answers, made, stray, incomplete } = notes;
  return {
    // What was said in front of the first switch that is still noted may be anybody's.
    model: switches.length > MOST_SWITCHES ? UNKNOWN : notes.model,
    switches: switches.slice(-MOST_SWITCHES),
    answers: answers.slice(-MOST_ANSWERS),
    made: made.slice(-MOST_MESSAGES),
    stray: stray.slice(-MOST_MESSAGES),
    incomplete: incomplete.slice(-MOST_INCOMPLETE).map((each) => ({ ...each, text: beginningOf(each.text) })),
  };
}

function beginningOf(text: string): string {
  // No half of a surrogate pair is left at the end.
  return text.length <= LONGEST_INCOMPLETE ? text : text.slice(0, LONGEST_INCOMPLETE).replace(/[\ud800-\udbff]$/, '');
}

/** A seal as it is noted: what it holds is nobody's to read, and long. */
export function fingerprint(seal: string): string {
  return createHash('sha256').update(seal).digest('base64url').slice(0, 16);
}
