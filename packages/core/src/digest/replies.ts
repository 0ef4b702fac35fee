import type { Item } from './acts.ts';
import { squeezed } from './clean.ts';
import { ANSWERED, ASKED, REPLIED } from './labels.ts';
import type { Room } from './quote.ts';
import { sentencesOf, shortened, splitFences, type Unit, unitOf } from './units.ts';

/** A prompt behind the question, and what the assistant said to it first. */
export type Reply = { readonly asked: string; readonly answer: string };

/** What was said last: all of it, and what of it is shown. */
export type Shown = { readonly all: readonly Unit[]; readonly shown: readonly Unit[] };

/** A question that the user spoke to since stands with what they said: open it would be asked again. */
export function withReplies({ all, shown }: Shown, replies: readonly Reply[], room: Room): readonly Unit[] {
  const last = shown.at(-1);
  const told = shown.some(({ text }) => isAsking(text)) ? toldOf(all, replies, room) : '';
  return last === undefined || told === '' ? shown : [...shown, unitOf(told, last.order + 1)];
}

/** What an earlier digest has as said last, with what the user said to it since. */
export function stillSaid(before: string, replies: readonly Reply[], room: Room): string {
  const told = before === '' ? '' : toldOf(sentencesOf(before, 0), replies, room);
  return told === '' ? before : `${before} ${told}`;
}

function toldOf(all: readonly Unit[], [first, ...more]: readonly Reply[], room: Room): string {
  const open = openIn(all);
  const isQuestion = all.slice(-LATE).some(({ text }) => QUESTION.test(text));
  if (first === undefined || !(isQuestion || (open.length > 0 && isTakenUp(first.asked, open)))) return '';
  const openTo = (asked: string): readonly Unit[] =>
    open.length === 0 && asked.length <= SHORT && LEANING.test(asked) ? all.slice(-LATE) : open;
  let told = '';
  for (const length of LENGTHS) {
    told = [first, ...more.slice(1 - MOST_REPLIES)]
      .map((reply) => toldAs(reply, openTo(reply.asked), length))
      .join(' ');
    if (room.count(told) <= room.tokens) break;
  }
  return told;
}

// What stands before it is mostly answered by what follows.
const LATE = 4;
const MOST_REPLIES = 3;
const LENGTHS = [120, 60, 30];

function toldAs({ asked, answer }: Reply, open: readonly Unit[], length: number): string {
  const text = squeezed(asked.slice(0, 1000));
  const label = isAnswer(text, open) ? ANSWERED : REPLIED;
  const [first] = sentencesOf(splitFences(answer.slice(0, 1000)).prose, 0);
  const next = first === undefined || first.text.length > length ? '' : ` ${first.text}`;
  return `(${label}${shortened(text, length)})${next}`;
}

/** Whether a prompt answers what was asked: behind a question a short one does. */
function isAnswer(asked: string, open: readonly Unit[]): boolean {
  if (open.length === 0) return false;
  return (asked.length <= SHORT && open.some(({ text }) => QUESTION.test(text))) || isTakenUp(asked, open);
}

/** Whether it begins as an answer does, or takes up words of the question. */
function isTakenUp(asked: string, open: readonly Unit[]): boolean {
  if (ANSWERING.test(asked)) return true;
  const words = new Set(open.flatMap(({ text }) => wordsIn(text)));
  return new Set(wordsIn(asked.slice(0, 1000)).filter((word) => words.has(word))).size >= SHARED;
}

const SHORT = 120;
const SHARED = 2;
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]{4,40}/gu) ?? [];
const ANSWERING =
  /^\W*(?:(?:yes|yep|yeah|no|nope|ok(?:ay)?|sure|both|neither|none|all of|the (?:first|second|third|last|former|latter)|option|ja|nein|doch|oui|non|sí|si|não|sim)\b|(?:1|a)[.):])/i;

/** The sentences that a text leaves open at its end: its closing question, and what it asks to be told behind it. */
function openIn(units: readonly Unit[]): readonly Unit[] {
  const from = units.findLastIndex(({ text }) => !isAsking(text));
  const open = units.slice(from + 1);
  // A list of what is asked for may stand in front of it.
  return open.length === 0 ? [] : units.slice(Math.max(0, from + 1 - LISTED));
}

const LISTED = 6;

function isAsking(text: string): boolean {
  return QUESTION.test(text) || REQUEST.test(text);
}

const QUESTION = /[?？]["')\]*`]{0,2}$/;
const REQUEST =
  /^\W*(?:please\b|kindly\b|let me know\b|tell me\b|(?:could|would|can) you\b|(?:once|when|as soon as|after) (?:you|i have|confirmed|i['’]ve)\b|bitte\b|s['’]il (?:te|vous) plaît\b|por favor\b)/i;

/** The question that a prompt of a few words answers, to stand with it; `''` where it stands by itself. */
export function questionTo(asked: string, items: readonly Item[]): string {
  const at = items.findLastIndex((item) => item.kind === 'asked' && item.text === asked);
  const before = items.slice(0, at).findLast(({ kind }) => kind === 'answer' || kind === 'asked' || kind === 'earlier');
  if (before?.kind !== 'answer' || asked.length > SHORT || !LEANING.test(asked)) return '';
  const units = sentencesOf(splitFences(before.text.slice(-2000)).prose, 0);
  const question = units.slice(-LATE).findLast(({ text }) => QUESTION.test(text));
  return question === undefined ? '' : ` (${ASKED}${shortened(question.text, SHORT)})`;
}

// What is meant by it was said before.
const LEANING =
  /^\W*(?:(?:yes|yep|yeah|yup|no|nope|not|ok(?:ay)?|sure|fine|go (?:ahead|for|on)|do (?:it|that|this|so|both|all|not)|both|neither|none|all|either|option|the (?:first|second|third|last|former|latter|other)|ja|nein|oui|non|sí|si)\b|[\da-d](?:$|[\s,.)]))|^\W*(?:\S+\s+){0,3}(?:it|that|this|them|those|these)\W*$|^\W*\S+\W*$/i;

/** A request as the user made it, without the question it answered: that is the assistant's word. */
export function withoutQuestion(request: string): string {
  const at = request.lastIndexOf(` (${ASKED}`);
  return at < 0 ? request : request.slice(0, at);
}
