import { withAnswers } from './answers.ts';
import { type Group, isScratch, type Speaker } from './drafts.ts';
import { isSevere } from './logs.ts';
import { askOf, isGreeting, isIntent, isSmallTalk, isThanks } from './request.ts';
import type { Candidate } from './select.ts';
import { type Unit, unitOf } from './units.ts';

/** Everything that may be quoted, with what it is worth beside the identifiers in it. */
export function candidatesOf(groups: readonly Group[], maxTokens: number): readonly Candidate[] {
  const prompts = groups.filter(({ speaker }) => speaker === 'User').length;
  // Where many prompts share the budget, each is worth less.
  const share = Math.min(1, FEW / prompts);
  const isChat = groups.every(({ section }) => section === 'key_knowledge');
  const candidates = groups.flatMap((group) => {
    const most = mostLines(group, maxTokens);
    const texts = new Set<string>();
    const quotes = group.units
      .filter((unit) => !texts.has(unit.text) && texts.add(unit.text) && !isTelling(unit, group))
      .filter((unit) => maxTokens >= PAGES || !isSettled(unit, group))
      .map((unit, index) => ({
        group,
        unit,
        most,
        bonus: share * bonusOf(group, unit, index),
        weight: weightOf(group, unit, maxTokens),
      }))
      .filter(
        ({ unit }) =>
          group.speaker === undefined || (isWorthSaying(unit, group.speaker) && !(isChat && isChatter(unit))),
      );
    if (group.section === 'key_knowledge' || (group.isLookup && !group.isChange))
      return quotes.map((quote, at) => heldTo(quote, quotes[at + 1]));
    return [
      {
        group,
        unit: unitOf('', -1),
        most,
        bonus: ownBonus(group),
        weight: 1,
      },
      ...quotes,
    ];
  });
  return withAnswers(candidates, groups);
}

/** What was meant stands with what the next sentence says of it: that it has not come about. */
function heldTo(quote: Candidate, next: Candidate | undefined): Candidate {
  const isHeld = next !== undefined && next.unit.order === quote.unit.order + 1 && HOLDING.test(next.unit.text);
  return isHeld && quote.group.speaker !== undefined ? { ...quote, with: [next] } : quote;
}

/** The line that tells what went wrong once more, longer or shorter than it is quoted. */
function isTelling({ text }: Unit, { telling }: Group): boolean {
  const [told, own] = [telling?.text ?? '', text].map((line) => line.replace(CUT, ''));
  if (told === undefined || own === undefined || telling?.text === text || Math.min(told.length, own.length) < 20)
    return false;
  return own.includes(told) ? own.length < told.length * 1.5 : told.includes(own);
}

const CUT = /^… | …$/g;

/** What was printed beside a failure that is settled: of that its line tells enough. */
function isSettled(unit: Unit, { section, failure, telling, settled }: Group): boolean {
  return section === 'recent_actions' && failure === 'fixed' && unit !== telling && unit.order < settled;
}

/** Where people only talk: a cheer or a farewell that names nothing. */
function isChatter({ text, keys }: Unit): boolean {
  return keys.every((key) => !NAMING.test(key)) && isSmallTalk(text);
}

/** Not a template's preamble, a greeting, or a lead-in to something that is not quoted. */
function isWorthSaying({ text, keys, words }: Unit, speaker: Speaker): boolean {
  if (
    askOf(text) < 0 ||
    isGreeting(text) ||
    isThanks(text) ||
    (TITLE.test(text) && keys.every((key) => !NAMING.test(key)))
  )
    return false;
  if (speaker === 'Assistant' && keys.length < 2 && (/:$/.test(text) || isIntent(text))) return false;
  // A script without spaces makes a word of a whole clause.
  return keys.length > 0 || words.length > 1 || words.some((word) => word.length > 12);
}

const TITLE = /^(?:#{1,6} |\*\*)[^.!?\d]{1,60}$/;

/** What a quote's names count: said in words more than seen in code, and a step of code that nobody changed least. */
function weightOf(group: Group, unit: Unit, maxTokens: number): number {
  const { speaker, section, isChange } = group;
  const { shape } = unit;
  if (speaker !== undefined) return speaker === 'User' ? ASKED : SAID;
  if (shape === 'log' && !isSevere(unit.text)) return LEAST;
  if (shape === 'statement' && maxTokens < PAGES && isBare(unit)) return LEAST;
  if (section === 'recent_actions') return DONE;
  if (isChange || maxTokens >= PAGES) return 1;
  return shape === 'statement' ? STEP : shape === 'declaration' ? DECLARED : 1;
}

/** A step that names nothing of its own or says nothing of it, such as `gap: 12px;` or `return next_1;`: for what room is left. */
function isBare({ keys, words }: Unit): boolean {
  return !keys.some((key) => NAMING.test(key)) || words.every((word) => KEYWORDS.has(word));
}

const NAMING = /[a-z][A-Z]|_|\/|\w\.\w|[A-Z]{4}/;
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'return const let var if else for while switch case break continue await async new null nil none true false this self ' +
    'void string number boolean bool int float any unknown undefined import export from default try catch except finally ' +
    'throw raise err func function def class type interface public private static readonly'
  ).split(' '),
);

// Weighed by reading digests.
const ASKED = 1.6;
const SAID = 1.3;
const DONE = 0.9;
const DECLARED = 1.5;
const STEP = 0.75;
const LEAST = 0.4;
// Beyond this there is room for code as it stands.
const PAGES = 5000;

const FEW = 12;
const CHANGE = 0.1;

/** What its heading is worth by itself: that something was run is told where there is room. */
function ownBonus({ section, isChange, header }: Group): number {
  if (isChange) return isScratch(header.text) ? 0 : CHANGE;
  return section === 'recent_actions' ? SPARE : 0;
}

/** A file that was only read takes a line or two of a page, one that was changed takes more. */
function mostLines({ section, isChange, isFamily }: Group, maxTokens: number): number {
  if (isFamily) return 2;
  if (section === 'key_knowledge') return Number.POSITIVE_INFINITY;
  return Math.max(isChange ? 4 : 2, Math.floor(maxTokens / (isChange ? 40 : 100)));
}

function bonusOf({ speaker, written, section }: Group, unit: Unit, index: number): number {
  // How things stood in another hand's summary.
  if (section === 'key_knowledge' && speaker === undefined)
    return written.has(unit) || HOLDING.test(unit.text) ? HELD : CONCLUSION.test(unit.text) ? CONCLUDED : 0;
  if (speaker === undefined) {
    const severe = unit.shape === 'log' && isSevere(unit.text) ? BROKEN : 0;
    return severe + (written.has(unit) ? WRITTEN : 0) + (unit.words.length > 2 ? SPARE : 0);
  }
  if (unit.words.length < 3) return 0;
  if (speaker === 'User') return askOf(unit.text) > 0 || index === 0 ? 0.1 : 0.02;
  if (HOLDING.test(unit.text)) return HELD;
  return CONCLUSION.test(unit.text) ? CONCLUDED : index === 0 ? 0.02 : 0;
}

// What has not come about is not told by what was meant to.
const HELD = 0.15;
const HOLDING =
  /\b(?:not|\p{L}+n['’]t) (?:[\p{L}'’]+ ){0,5}yet\b|\bstill (?:pending|open|missing|waiting)\b|\bnoch (?:nicht|offen)\b|\bpas encore\b|\b(?:aún|todavía) no\b|还没|尚未/iu;
// What came out of it, before what led there.
const CONCLUDED = 0.06;
const CONCLUSION =
  /\b(?:root cause|(?:the|its) (?:cause|reason|culprit|problem|bug|fix) (?:is|was)|turns out|turned out|conclusion|therefore|so (?:it|the|that|this) \w+|that (?:means|is why)|because|confirmed|verdict|in short|overall|Ursache|deshalb|daher|liegt (?:an|daran)|also ist|la cause|donc|parce que|la causa|por eso|porque)\b|原因|因此|所以|ため(?:です|、)|つまり/iu;
const WRITTEN = 0.02;
// What a log tells of its worst is what it was looked at for.
const BROKEN = 0.1;
// Plain lines fill what room is left.
const SPARE = 0.001;

/** The files that were changed, the newest first: each is worth a line. */
export function changesOf(groups: readonly Group[]): readonly Candidate[] {
  return groups
    .filter(({ isChange, section }) => isChange && section === 'file_system_state')
    .sort(
      (left, right) =>
        Number(isScratch(left.header.text)) - Number(isScratch(right.header.text)) || right.last - left.last,
    )
    .map((group) => ({ group, unit: unitOf('', -1), most: 1, bonus: 0, weight: 1 }));
}

/** What failed, with the line that tells why: what is still broken first, then the newest. */
export function failuresOf(groups: readonly Group[], maxTokens: number): readonly Candidate[] {
  return groups
    .filter(({ failure }) => failure !== undefined && (failure !== 'fixed' || maxTokens >= LITTLE))
    .sort((left, right) => Number(right.failure === 'open') - Number(left.failure === 'open') || right.last - left.last)
    .map((group) => ({ group, unit: group.telling ?? unitOf('', -1), most: 1, bonus: 0, weight: 1 }));
}

// In less, what is settled gives way to what is not.
const LITTLE = 700;

/** How things stood when another hand summed up: what was pending, what came next. */
export function carriedOf(groups: readonly Group[]): readonly Candidate[] {
  return groups
    .filter(({ section, speaker }) => section === 'key_knowledge' && speaker === undefined)
    .flatMap((group) =>
      [...group.written].map((unit) => ({ group, unit, most: Number.POSITIVE_INFINITY, bonus: HELD, weight: 1 })),
    );
}
