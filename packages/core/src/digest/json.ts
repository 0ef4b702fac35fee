import { isObject } from '../formats/native.ts';
import { withoutAuthority } from './orders.ts';

/** What a text is: a tool's own words, a file as it stands, or what a search found in one, with numbers of lines. */
export type TextKind = 'result' | 'file' | 'search';

/** The text in a result that wraps it as JSON, or its values as lines to read; a file and any other text as it is. */
export function unpacked(text: string, kind: TextKind): string {
  if (!OPENING.test(text) || text.length > LONGEST) return text;
  const value = parsed(text);
  if (isObject(value) && typeof value['output'] === 'string') return value['output'];
  if (kind === 'file') return text;
  if (isObject(value)) return fieldsOf(value, 0).join('\n');
  return Array.isArray(value) ? (listed(value)?.join('\n') ?? text) : text;
}

/** The objects of a list, each on a line; of lists in it each object with the number of its list, as what is offered together. */
function listed(list: readonly unknown[]): readonly string[] | undefined {
  if (list.some(isObject)) return list.map(inline);
  if (!list.some((inner) => Array.isArray(inner) && inner.some(isObject))) return undefined;
  return list.flatMap((inner, at) => (Array.isArray(inner) ? inner.map((item) => `${at + 1}) ${inline(item)}`) : []));
}

/** A long line that is an object, as its fields; any other as it is. Logs and fixtures have one on each line. */
export function fieldsInLine(line: string): string {
  if (line.length < WIDE || !line.startsWith('{"') || !line.endsWith('}')) return line;
  const value = parsed(line);
  return isObject(value) ? inline(value) : line;
}

const WIDE = 200;
const OPENING = /^\s*[{[]/;
const LONGEST = 200_000;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One line for each field; each object of a list on a line of its own. */
function fieldsOf(value: Readonly<Record<string, unknown>>, depth: number): readonly string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    if (isEmpty(inner) || POSITION.test(name)) return [];
    if (Array.isArray(inner) && inner.length > 1 && inner.every(isObject))
      return inner.map((item) => `${name}: ${inline(item)}`);
    if (isObject(inner) && depth < FIELDS && Object.values(inner).some(isLarge))
      return fieldsOf(inner, depth + 1).map((line) => (WRAPPER.test(name) ? line : `${name}: ${line}`));
    return [WRAPPER.test(name) && isLarge(inner) ? inline(inner) : `${name}: ${inline(inner)}`];
  });
}

const FIELDS = 2;
// Says only that there is something in it.
const WRAPPER = /^(?:text|data|result|response|content|value|body|payload)$/;
// Where something stands in a text that is told itself.
const POSITION = /^(?:start|end)_?(?:index|offset|pos(?:ition)?|char)$/i;

/** What says nothing but that there is a field. */
function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** What would hide its neighbours on one line. */
function isLarge(value: unknown): boolean {
  return isObject(value) || (typeof value === 'string' && (value.length > 200 || value.includes('\n')));
}

function inline(value: unknown): string {
  return written(value, 0);
}

/** `origin DFW, price 1247`; what is nested deeper than anybody reads stays JSON. */
function written(value: unknown, depth: number): string {
  if (depth > DEEPEST) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return value.map((item) => written(item, depth + 1)).join(', ');
  if (typeof value === 'string') return SENTENCE.test(value) ? withoutAuthority(value) : value;
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .filter(([name, inner]) => !isEmpty(inner) && !POSITION.test(name))
    .map(([name, inner]) => `${name} ${isObject(inner) ? `(${written(inner, depth + 1)})` : written(inner, depth + 1)}`)
    .join(', ');
}

const DEEPEST = 6;
// Behind its field's name an order is none that begins a line.
const SENTENCE = /\S\s+\S+\s+\S/;
