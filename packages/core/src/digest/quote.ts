import type { Counter } from '../model/count.ts';
import { askOf } from './request.ts';
import { cutAtWord, sentencesOf, splitFences, type Unit } from './units.ts';

/** How much room there is. */
export type Room = { readonly tokens: number; readonly count: Counter };

/** Stands where something between two quotes was left out. */
export const GAP = ' … ';

/**
 * Whole sentences of a text within a budget, those that ask for something before others; the start of the first where none
 * fits. What is told elsewhere is left out unless it is all there is.
 */
export function requestWithin(text: string, room: Room, told: ReadonlySet<string>): readonly Unit[] {
  const sentences = sentencesOf(splitFences(cutAtWord(text, LONGEST)).prose, 0);
  const plain = sentences.filter((unit) => askOf(unit.text) >= 0);
  const stated = plain.length > 0 ? plain : sentences;
  const rest = stated.filter((unit) => !told.has(unit.text));
  const own = rest.some((unit) => unit.words.length > 1) ? rest : stated;
  const half = { ...room, tokens: room.tokens / 2 };
  const asks = own.filter((unit) => askOf(unit.text) > 0);
  const chosen = chooseWithin([...own.slice(0, 1), ...asks], half);
  return ledOn(own, startWithin(own, chooseWithin([...chosen, ...own], room), room), room);
}

/** Where all that fits ends in a lead-in, the start of what it leads to, beyond the room by half. */
function ledOn(own: readonly Unit[], chosen: readonly Unit[], { tokens, count }: Room): readonly Unit[] {
  const last = chosen.at(-1);
  if (last === undefined || !/[:：]$/.test(last.text)) return chosen;
  const next = own.filter(({ order }) => order > last.order);
  const used = chosen.reduce((sum, { text }) => sum + count(text) + 1, 0);
  const left = { tokens: tokens * LED_ON - used, count };
  return [...chosen, ...startWithin(next, chooseWithin(next, left), left)];
}

const LED_ON = 1.5;

// What is asked is asked early.
const LONGEST = 40_000;

/** The first whole sentences of a text within a budget, and its closing question. */
export function answerWithin(sentences: readonly Unit[], room: Room): readonly Unit[] {
  const last = sentences.at(-1);
  const closing = last !== undefined && /\?$/.test(last.text) ? [last] : [];
  const chosen = chooseWithin([...sentences.slice(0, 2), ...closing, ...sentences], room);
  const led = ledOn(sentences, startWithin(sentences, chosen, room), room);
  return led.slice(0, Math.max(1, led.findLastIndex(({ text }) => !LEADS.test(text)) + 1));
}

// A lead-in or a heading of what is not quoted.
const LEADS = /:$|^#{1,6} \S.{0,60}$/;

/** The units that fit, in the order given, each once; a unit that does not fit ends the choice. */
function chooseWithin(units: readonly Unit[], { tokens, count }: Room): readonly Unit[] {
  const chosen = new Set<Unit>();
  let left = tokens;
  for (const unit of units) {
    if (chosen.has(unit)) continue;
    left -= count(unit.text) + 1;
    if (left < 0) break;
    chosen.add(unit);
  }
  return [...chosen].sort((one, other) => one.order - other.order);
}

/** What was chosen; the start of the first one, as far as it fits, where nothing was. */
export function startWithin(
  [first]: readonly Unit[],
  chosen: readonly Unit[],
  { tokens, count }: Room,
): readonly Unit[] {
  if (chosen.length > 0 || first === undefined) return chosen;
  let { text } = first;
  while (text !== '' && count(text) + 1 > tokens) text = cutAtWord(text, Math.floor(text.length * 0.8));
  return text === '' ? [] : [{ ...first, text: text === first.text ? text : `${text} …` }];
}

/** Quotes of one text as one line, with a mark where something is left out between. */
export function quoteOf(units: readonly Unit[]): string {
  const parts = units.map(({ text, order }, index) => {
    const before = units[index - 1];
    return `${before === undefined ? '' : before.order === order - 1 ? gapBehind(before) : GAP}${text}`;
  });
  return parts.join('').replaceAll(' … … ', GAP);
}

// Some scripts have no spaces between sentences.
const gapBehind = ({ text }: Unit): string => (/[。！？]$/.test(text) ? '' : ' ');
