import type { FactKind } from '../model/facts.ts';
import type { Message } from '../model/message.ts';
import { codePointBoundary, firstCodePoints } from '../model/text.ts';
import { actionOf, taskIdIn } from './calls.ts';
import { type Fact, factKey } from './fact.ts';
import { exitOf, failureOf } from './outcome.ts';
import { scanText } from './scan.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { statementsOf } from './statements.ts';

/** The facts of one message; the same message always gives the same facts, so they can be kept beside it. */
export function extractFacts(message: Message, source: number): readonly Fact[] {
  const facts: Fact[] = [];
  for (const segment of segmentsOf(message, source)) {
    for (const fact of actionFacts(segment)) facts.push(fact);
    for (const fact of statementFacts(segment)) facts.push(fact);
    addIdentifiers(segment, facts);
  }
  return facts;
}

function actionFacts(segment: Segment): readonly Fact[] {
  const { source, origin, call = '' } = segment;
  if (origin !== 'call' && origin !== 'result') return [];
  const context = firstCodePoints(segment.text, CONTEXT);
  const fact = (kind: FactKind, value: string, status = ''): Fact => ({
    kind,
    value,
    source,
    origin,
    context,
    count: 1,
    among: 1,
    ...(status === '' ? {} : { status }),
    call,
  });
  if (origin === 'result') return resultFacts(segment, fact);
  const action = actionOf(segment);
  switch (action.kind) {
    case 'files':
      return action.effects.map(({ path, status }) => fact('file', path, status));
    case 'command': {
      const command = fact('command', firstCodePoints(action.command.trim(), LONGEST_COMMAND));
      return [command, ...action.effects.map(({ path, status }) => fact('file', path, status))];
    }
    case 'todos':
      return action.todos.map(({ text, status, id }) => {
        const todo = fact('todo', firstCodePoints(text, LONGEST_COMMAND), status);
        return id === undefined ? todo : { ...todo, call: taskKey(id) };
      });
    case 'other':
      return [];
    default:
      return action satisfies never;
  }
}

/** What a result says of its call: how a command ended, and under which number a task goes. */
function resultFacts(segment: Segment, fact: (kind: FactKind, value: string, status: string) => Fact): readonly Fact[] {
  const exit = exitOf(segment.text);
  const status = exit === undefined ? failureOf(segment, true) : `exit ${exit}`;
  const id = taskIdIn(segment.text);
  return [
    ...(status === '' ? [] : [fact('command', '', status)]),
    ...(id === undefined ? [] : [fact('todo', '', taskKey(id))]),
  ];
}

const taskKey = (id: string): string => `task ${id}`;

const LONGEST_COMMAND = 300;

function statementFacts(segment: Segment): readonly Fact[] {
  const { source, origin } = segment;
  return statementsOf(segment).map(({ kind, value, status }) => ({
    kind,
    value,
    source,
    origin,
    context: value,
    count: 1,
    among: 1,
    ...(status === undefined ? {} : { status }),
  }));
}

function addIdentifiers({ text, source, origin }: Segment, facts: Fact[]): void {
  const counts = new Map<string, { kind: FactKind; value: string; start: number; count: number }>();
  const takesNames = (origin === 'prompt' || origin === 'answer') && !CAPITAL_NOUNS.test(text.slice(0, SAMPLE));
  scanText(text, (kind, start, end) => {
    if (kind === 'name' && !takesNames) return;
    const value = text.slice(start, end);
    const key = kind === 'path' ? factKey({ kind, value }) : value;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { kind, value, start, count: 1 });
    else known.count += 1;
  });
  const among = counts.size;
  const spaced = new Set<string>();
  for (const { kind, value, start, count } of counts.values()) {
    const end = start + value.length;
    const whole =
      kind === 'number' ? value + unitAfter(text, end) : kind === 'path' ? spacedPath(text, start, end) : value;
    if (whole !== value && kind === 'path') {
      if (spaced.has(whole)) continue;
      spaced.add(whole);
    }
    facts.push({ kind, value: whole, source, origin, context: contextAt(text, start, end), count, among });
  }
}

// German writes every noun with a capital: a capital makes no name there.
const CAPITAL_NOUNS =
  /\b(?:der|die|das|und|ist|nicht|ein|eine|bitte|ich|wir)\b[\s\S]*\b(?:der|die|das|und|ist|nicht|zum|den|dem|bitte)\b/;
const SAMPLE = 1000;

/** The unit that stands behind a number: `95 ms`, `3 files`, `12.500 €`. */
function unitAfter(text: string, end: number): string {
  return UNIT.exec(text.slice(end, end + 16))?.[0] ?? '';
}

const UNIT =
  /^ ?(?:%|€|£|\$|°[CF]?|(?:ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|[kKMGT]i?B|bytes?|tokens?|lines?|files?|tests?|px|EUR|USD|MHz|GHz|rpm|fps)(?![\w-]))/;

/** A path in quotes may have spaces. */
function spacedPath(text: string, start: number, end: number): string {
  const value = text.slice(start, end);
  const around = text.slice(Math.max(0, start - SPACED), end + SPACED);
  const from = start - Math.max(0, start - SPACED);
  const open = Math.max(...QUOTES.map((quote) => around.lastIndexOf(quote, from - 1)));
  if (open < 0 || from === 0) return value;
  const close = around.indexOf(around.charAt(open), from);
  const whole = close < 0 ? '' : around.slice(open + 1, close);
  return whole.includes(' ') && SPACED_PATH.test(whole) ? whole : value;
}

const SPACED = 100;
const QUOTES = ['"', "'", '`'];
const SPACED_PATH = /^(?:[A-Za-z]:\\|~?\/|\.{0,2}\/)?[\w.@-][\w .@()-]*(?:[/\\][\w .@()-]+)+$/;

const CONTEXT = 48;

/** The rest of the line to both sides, a few words each; looks no further than it takes. */
function contextAt(text: string, start: number, end: number): string {
  const before = text.slice(codePointBoundary(text, Math.max(0, start - CONTEXT)), start);
  const after = text.slice(end, codePointBoundary(text, Math.min(text.length, end + CONTEXT)));
  const newline = after.indexOf('\n');
  const from = start - before.length + before.lastIndexOf('\n') + 1;
  return text.slice(from, newline < 0 ? end + after.length : end + newline);
}
