import type { FactKind } from '../model/facts.ts';
import { once } from '../model/once.ts';
import { Contexts } from './contexts.ts';
import type { Extracted } from './fact.ts';
import type { Found, Span } from './runs.ts';
import { scanIdentifiers, scanReading } from './scan.ts';
import type { From, Segment } from './segments.ts';
import { Tally } from './tally.ts';
import type { Reading } from './units.ts';

/** Adds the identifiers of a text, each once, with the words around its first occurrence. */
export function addIdentifiers({ segment, id }: From, reading: Reading, facts: Extracted[]): void {
  const { text, source, origin } = segment;
  const tally = new Tally(reading);
  const add: Found = (kind, start, end) => tally.add(kind, start, end);
  if (origin === 'prompt' || origin === 'answer') scanReading(reading, withoutNouns(text, add));
  else scanIdentifiers(reading, origin === 'call' ? withoutArguments(segment, add) : add);
  const { kinds } = tally;
  const among = kinds.length;
  const contexts = new Contexts(reading);
  let spaced: Set<string> | undefined;
  for (let at = 0; at < among; at += 1) {
    const kind = kinds[at] ?? 'symbol';
    const start = tally.startOf(at);
    const end = tally.endOf(at);
    const count = tally.countOf(at);
    const value = wholeAt(text, kind, { start, end });
    if (kind === 'path' && value.length !== end - start) {
      if (spaced?.has(value)) continue;
      spaced = (spaced ?? new Set()).add(value);
    }
    const context = contexts.around(start, end);
    facts.push(
      id === undefined
        ? { kind, value, source, origin, context, count, among }
        : { kind, value, source, origin, context, count, among, id },
    );
  }
}

/** The names of a call's arguments and the states of its todos are the tool's words, nobody's. */
function withoutArguments({ text, input }: Segment, found: Found): Found {
  const names = once(() => {
    const gathered = new Set<string>();
    gatherNames(input, { names: gathered, depth: 0 });
    return gathered;
  });
  return (kind, start, end) => {
    const isName = startsLine(text, start) && text.charCodeAt(end) === 58 && names().has(text.slice(start, end));
    const line = start - STATUS.length;
    const isState = line >= 0 && text.startsWith(STATUS, line) && startsLine(text, line) && names().has('status');
    if (!isName && !isState) found(kind, start, end);
  };
}

const STATUS = 'status: ';
const startsLine = (text: string, at: number): boolean => at === 0 || text.charCodeAt(at - 1) === 10;

function gatherNames(value: unknown, at: { readonly names: Set<string>; readonly depth: number }): void {
  if (typeof value !== 'object' || value === null || at.depth > DEEPEST) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) at.names.add(name);
    gatherNames(inner, { ...at, depth: at.depth + 1 });
  }
}

const DEEPEST = 4;

/** Most texts name nobody, and need not be asked for their language. */
function withoutNouns(text: string, found: Found): Found {
  const isGerman = once(() => CAPITAL_NOUNS.test(text.slice(0, SAMPLE)));
  return (kind, start, end) => {
    if (kind !== 'name' || !isGerman()) found(kind, start, end);
  };
}

// German writes every noun with a capital: a capital makes no name there.
const CAPITAL_NOUNS =
  /\b(?:der|die|das|und|ist|nicht|ein|eine|bitte|ich|wir)\b[\s\S]*\b(?:der|die|das|und|ist|nicht|zum|den|dem|bitte)\b/;
const SAMPLE = 1000;

/** An identifier with what belongs to it: a number with its unit, a path in quotes with its spaces. */
function wholeAt(text: string, kind: FactKind, { start, end }: Span): string {
  if (kind === 'path' && touchesSpace(text, start, end)) return spacedPath(text, start, end);
  const value = text.slice(start, end);
  return kind === 'number' ? value + unitAfter(text, end) : value;
}

function touchesSpace(text: string, start: number, end: number): boolean {
  return text.charCodeAt(start - 1) === 32 || text.charCodeAt(end) === 32;
}

/** The unit that stands behind a number: `95 ms`, `3 files`, `12.500 €`. */
function unitAfter(text: string, end: number): string {
  const next = text.charCodeAt(end);
  if (UNIT_STARTS[next === 32 ? text.charCodeAt(end + 1) : next] === 0) return '';
  return UNIT.exec(text.slice(end, end + 16))?.[0] ?? '';
}

const UNIT =
  /^ ?(?:%|€|£|\$|°[CF]?|(?:ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|[kKMGT]i?B|bytes?|tokens?|lines?|files?|tests?|px|EUR|USD|MHz|GHz|rpm|fps)(?![\w-]))/;

// By the first character, since most numbers have none; what is not ASCII may begin a unit.
const UNIT_STARTS = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) =>
  /[%$a-zA-Z]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** A path in quotes may have spaces. */
function spacedPath(text: string, start: number, end: number): string {
  let open = start - 1;
  while (open >= 0 && start - open <= SPACED && PATH_CHARACTERS[text.charCodeAt(open)] === 1) open -= 1;
  const quote = text.charCodeAt(open);
  if (open < 0 || (quote !== 34 && quote !== 39 && quote !== 96)) return text.slice(start, end);
  let close = end;
  while (close < text.length && close - end <= SPACED && PATH_CHARACTERS[text.charCodeAt(close)] === 1) close += 1;
  const whole = text.charCodeAt(close) === quote ? text.slice(open + 1, close) : '';
  return whole.includes(' ') && SPACED_PATH.test(whole) ? whole : text.slice(start, end);
}

const SPACED = 100;
const SPACED_PATH = /^(?:[A-Za-z]:\\|~?\/|\.{0,2}\/)?[\w.@-][\w .@()-]*(?:[/\\][\w .@()-]+)+$/;
const PATH_CHARACTERS = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w .@()/\\:~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
