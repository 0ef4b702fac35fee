import type { FactKind } from '../model/facts.ts';
import { codePointBoundary, firstCodePoints } from '../model/text.ts';
import { todoStatus } from './calls.ts';
import { demandCues, isAskedBy, isDemandBy, OUTPUT } from './demand.ts';
import { type Seek, seekerOf } from './needles.ts';
import type { Segment } from './segments.ts';
import type { Reading } from './units.ts';

/** A sentence that is a fact as a whole. */
export type Statement = {
  readonly kind: FactKind;
  readonly value: string;
  readonly at: number;
  readonly status?: string;
};

/** Demands of prompts, decisions of answers, error lines of results, checkboxes of both; quoted, never reworded. */
export function statementsOf({ origin, text, isError }: Segment, { units }: Reading): readonly Statement[] {
  switch (origin) {
    case 'prompt':
      return OUTPUT.test(text.slice(0, 200).trimStart()) ? [] : demandsOf({ text, units });
    case 'answer':
      return cuedBy({ text, units }, DECISIONS);
    case 'result':
      // Numbered lines are a file that was read: what it says of errors is not one.
      return isError !== true && NUMBERED.test(text) ? [] : cuedBy({ text, units }, FAILURES);
    case 'call':
      return [];
    default:
      return origin satisfies never;
  }
}

const LONGEST = 200_000;
const WIDEST = 240;
// Of a long sentence, so much in front of what tells what it is.
const BEFORE = 120;
const MOST = 40;
const BOX = /^(?:[-*]|\d{1,3}[.)]) \[([ xX~-])\] (.+)/;
// In the middle of a sentence or a line of code it is what that speaks of.
const NOTE = /^[\s>#*/-]{0,8}(?:TODO|FIXME)(?:\(\w{1,30}\))?: ?(.+)/;

const TODO_CUE = String.raw`(?:[-*]|\d[.)]) \[|\b(?:TODO|FIXME)\b`;
const DECISION = new RegExp(
  String.raw`\b(?:decided|decision|chose|chosen|(?:I|we)(?:'ll| will) (?:use|go with|not)|let's (?:not|use|go with)|going with|opted|settled on|instead of|root cause|turns out|the (?:issue|problem|bug|fix|reason|cause) (?:is|was)|fixed|because|conclusion|recommend)\b|${TODO_CUE}`,
  'gi',
);
const NUMBERED = /^\s{0,8}\d{1,6}(?:→|\t| ?\|)/;
const FAILURE =
  /\b(?:[Ee]rror\b|ERR(?:OR|!)|[Ff]atal\b|[Pp]anic\b|[Ff]ail(?:ed|ure)|FAIL|[Ee]xception|[Dd]enied|[Nn]ot found|[Cc]annot|[Uu]nable to|[Rr]efused)|(?:Error|Exception): /g;

type Cues = { readonly kind: FactKind; readonly cue: RegExp; readonly seek: Seek };

// Five characters of each alternative, the rarest: who changes a pattern changes them.
const DECISIONS: Cues = {
  kind: 'decision',
  cue: DECISION,
  seek: /* @__PURE__ */ seekerOf(
    "decid|decis|chose|ll us|ll go|ll no|et's |going|opted|ettle|nstea|turns| issu|probl| bug | fix |reaso|cause|fixed|nclus|ecomm|- [??|* [??|) [??|. [??|todo?|fixme",
  ),
};
const FAILURES: Cues = {
  kind: 'error',
  cue: FAILURE,
  seek: /* @__PURE__ */ seekerOf('error|err!?|fatal|panic|fail?|xcept|denie|t fou|canno|unabl|efuse'),
};

/** Every sentence of a prompt is looked at: a demand need have no word of its own. */
function demandsOf(reading: Reading): readonly Statement[] {
  const { text } = reading;
  const statements: Statement[] = [];
  const end = Math.min(text.length, LONGEST);
  for (let at = 0; at < end && statements.length < MOST; ) {
    const sentence = sentenceFrom(reading, at);
    const statement = statementIn(text, sentence, 'demand');
    if (statement !== undefined && (statement.kind === 'todo' || isAsking(statement, text, sentence)))
      statements.push(statement);
    at = Math.max(sentence.end, at + 1);
  }
  return statements;
}

function isAsking({ value }: Statement, text: string, { start, end }: Range): boolean {
  const cues = demandCues(text, start, end);
  return cues !== 0 && (isDemandBy(value, cues) || isAskedBy(value, cues));
}

/** No cue goes on over the end of a line: only lines that may have one are looked at. */
function cuedBy(reading: Reading, cues: Cues): readonly Statement[] {
  const statements: Statement[] = [];
  const text = reading.text.slice(0, LONGEST);
  let behind = -1;
  for (let at = cues.seek(reading.units, 0, text.length); at < text.length && statements.length < MOST; ) {
    const start = text.lastIndexOf('\n', at) + 1;
    const end = endOfLine(text, at);
    behind = addCued({ reading, line: text.slice(start, end), start, behind }, cues, statements);
    at = cues.seek(reading.units, end + 1, text.length);
  }
  return statements;
}

type Line = { readonly reading: Reading; readonly line: string; readonly start: number; readonly behind: number };

/** Where the last statement ends, behind which the next one begins. */
function addCued({ reading, line, start, behind }: Line, { cue, kind }: Cues, statements: Statement[]): number {
  let last = behind;
  // `matchAll` copies its pattern, which takes longer than to go through a short text.
  cue.lastIndex = 0;
  for (let match = cue.exec(line); match !== null && statements.length < MOST; match = cue.exec(line)) {
    const index = start + match.index;
    if (index < last) continue;
    const sentence = kind === 'error' ? lineAt(reading.text, index) : sentenceAt(reading, index);
    last = sentence.end;
    const statement = statementIn(reading.text, sentence, kind);
    if (statement !== undefined) statements.push(statement);
  }
  return last;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

type Range = { readonly start: number; readonly end: number };

function statementIn(text: string, { start, end }: Range, kind: FactKind): Statement | undefined {
  const line = text.slice(start, end).trim();
  const box = kind === 'error' || !line.includes('] ') ? null : BOX.exec(line);
  const note = kind === 'error' || box !== null || !line.includes(':') ? null : NOTE.exec(line);
  const todo = box?.[2] ?? note?.[1];
  if (todo !== undefined)
    return { kind: 'todo', value: firstCodePoints(todo, WIDEST), at: start, status: todoStatus(box?.[1] ?? '') };
  return line.length > 7 ? { kind, value: firstCodePoints(line, WIDEST), at: start } : undefined;
}

/** The line around a position; of a long one what stands next to it. */
function lineAt(text: string, at: number): Range {
  const line = text.lastIndexOf('\n', at) + 1;
  const start = at - line > BEFORE ? wordFrom(text, at - BEFORE, at) : line;
  return { start, end: wordEnd(text, start, endOfLine(text, at)) };
}

/** The sentence or line around a position; of a long one what stands next to it. */
function sentenceAt(reading: Reading, at: number): Range {
  let start = at;
  while (start > 0 && at - start < BEFORE && !isBreak(reading, start - 1)) start -= 1;
  const isCut = start > 0 && !isBreak(reading, start - 1);
  return sentenceFrom(reading, isCut ? wordFrom(reading.text, start, at) : start);
}

/** The sentence or line that begins at a position, or the start of a long one. */
function sentenceFrom(reading: Reading, start: number): Range {
  const { text } = reading;
  const most = Math.min(text.length, start + WIDEST + 1);
  let end = start;
  while (end < most && !isBreak(reading, end)) end += 1;
  return { start, end: wordEnd(text, start, Math.min(end + 1, text.length)) };
}

/** Where the first whole word from a position on begins, at `at` at the latest. */
function wordFrom(text: string, from: number, at: number): number {
  const space = text.indexOf(' ', from);
  return space < 0 || space >= at ? at : space + 1;
}

/** An end at most `WIDEST` characters behind the start, inside of no word and no pair of surrogates. */
function wordEnd(text: string, start: number, end: number): number {
  if (end - start <= WIDEST) return end;
  const space = text.lastIndexOf(' ', start + WIDEST);
  return space > start + BEFORE ? space : codePointBoundary(text, start + WIDEST);
}

function isBreak({ text, units }: Reading, at: number): boolean {
  const code = units[at] ?? 0;
  if (code > 63) return code === 0x3002 || code === 0xff01 || code === 0xff1f;
  if (code === 10) return true;
  const isStop = code === 46 || code === 33 || code === 63;
  if (!isStop || (units[at + 1] !== 32 && units[at + 1] !== 10)) return false;
  // The number of a list's item ends no sentence.
  const before = at === 0 ? 0 : (units[at - 1] ?? 0);
  return !(before >= 48 && before <= 57) || !/(?:^|\n)\s{0,8}\d{1,3}\.$/.test(text.slice(Math.max(0, at - 12), at + 1));
}
