import { isDemand, isFirm } from '../facts/demand.ts';
import type { Item } from './acts.ts';
import type { Room } from './quote.ts';
import { isRevision, type Ruling, standingRules } from './takenback.ts';
import { cutAtWord, sentencesOf, shortened, splitFences } from './units.ts';

/** What the user demanded, forbade or decided: as there is room for it, and whole. */
export type Rule = { readonly text: string; readonly whole: string };

/** Rules in the order they were given, those known from earlier rounds first. Where room is short they are shortened first; then the firmest stay. */
export function rulesOf(items: readonly Item[], known: readonly string[], room: Room): readonly Rule[] {
  const all = distinct(standingRules([...known.map(ruling), ...demandsIn(items)]));
  for (const length of LENGTHS) {
    const rules = all.map((whole) => ({ text: shortened(whole, length), whole }));
    if (costOf(rules, room) <= room.tokens) return rules;
  }
  let left = room.tokens;
  const kept = new Set<Rule>();
  const rules = all.map((whole) => ({ text: shortened(whole, LENGTHS.at(-1) ?? 0), whole }));
  for (const rule of [...rules.filter(({ whole }) => isFirm(whole)), ...rules]) {
    const cost = costOf([rule], room);
    if (kept.has(rule) || cost > left) continue;
    left -= cost;
    kept.add(rule);
  }
  return rules.filter((rule) => kept.has(rule));
}

const ruling = (text: string): Ruling => ({ text, isRule: true });

// Less than the last one says nothing.
const LENGTHS = [240, 160, 120, 90, 64];
const LABEL = 4;

function costOf(rules: readonly Rule[], { count }: Room): number {
  return rules.reduce((sum, { text }) => sum + count(text) + LABEL, 0);
}

/** Without what another one says as well. */
function distinct(rules: readonly string[]): readonly string[] {
  const texts = [...new Set(rules)];
  if (texts.length > MOST_COMPARED) return texts;
  return texts.filter(
    (text) => !texts.some((other) => other !== text && other.includes(text.replace(/ …$|[.!]$/g, ''))),
  );
}

const MOST_COMPARED = 200;

function demandsIn(items: readonly Item[]): readonly Ruling[] {
  let offer = '';
  // Where both sides have names, people talk to each other: what they say binds nobody here.
  const areNamed = items.some((item) => item.kind === 'answer' && item.name !== undefined);
  return items.flatMap((item) => {
    if (item.kind === 'answer') offer = item.text;
    if (item.kind !== 'asked' || (areNamed && item.name !== undefined)) return [];
    const choice = choiceOf(item.text, offer);
    return choice === '' ? rulingsOf(item.text) : [ruling(choice)];
  });
}

/** Sentences of a text that are rules, and those that may take one back. */
function rulingsOf(text: string): readonly Ruling[] {
  const rules = new Set(demandsOf(text));
  return sentencesOf(splitFences(cutAtWord(text, LONGEST)).prose, 0)
    .map((unit) => ({ text: unit.text, isRule: rules.has(unit.text) }))
    .filter((sentence) => sentence.isRule || isRevision(sentence.text));
}

/** Sentences of a text that are rules. */
export function demandsOf(text: string): readonly string[] {
  return sentencesOf(splitFences(cutAtWord(text, LONGEST)).prose, 0)
    .map((unit) => unit.text)
    .filter((sentence) => sentence.length < LONGEST_RULE && isDemand(sentence) && !isChoice(sentence));
}

/** What was offered and is taken holds for this once. */
function isChoice(sentence: string): boolean {
  return TAKEN.test(sentence) && !/\b(?:always|never|from now on|in (?:the )?future)\b/i.test(sentence);
}

const TAKEN =
  /^\W*(?:yes|yep|yeah|ok(?:ay)?|sure|great|perfect|sounds good|alright)\b.{0,30}\b(?:let['’]?s (?:go with|take|do|book)|(?:i|we)(?:['’](?:ll|d)| will| would)(?: like to)? (?:go with|take|book|choose|have))\b/i;

const LONGEST = 40_000;
const LONGEST_RULE = 240;

/** `B`, with what was offered under that letter. */
function choiceOf(text: string, offer: string): string {
  const [, name] = CHOICE.exec(text.trim()) ?? [];
  if (name === undefined) return '';
  const end = offer.slice(-LONGEST_OFFER);
  const from = new RegExp(`(?:^|[\\s(*])(?:option |variant |choice |plan )?\\*{0,2}${name}\\*{0,2}[:.)]\\s`, 'im').exec(
    end,
  );
  if (from === null) return '';
  const [offered = ''] = sentencesOf(end.slice(from.index + from[0].length), 0).map((unit) => unit.text);
  return offered === '' ? '' : `${text.trim()} (offered: ${shortened(offered, 160)})`;
}

const CHOICE =
  /^(?:(?:option|variant|choice|plan|i(?:'ll| will)? take|let's (?:do|go with)|go with)\s+)?\(?([A-Z]|\d{1,2})\)?[.!]?$/i;
const LONGEST_OFFER = 4000;
