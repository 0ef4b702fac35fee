/** Where a value stands in a text: from its first character to behind its last. */
export type Span = { readonly start: number; readonly end: number };

/** An array in a text and the values in it. */
export type ArraySpan = Span & { readonly items: readonly Span[] };

/** Finds the array that is the whole text, or the value of a key of its top object. The text must be valid JSON. */
export function findArray(text: string, key: string | undefined): ArraySpan | undefined {
  const top = valueAt(text, 0);
  const span = key === undefined ? top : memberOf(text, top, key);
  if (span === undefined || text[span.start] !== '[') return undefined;
  return { ...span, items: itemsOf(text, span) };
}

// Of equal keys the last counts, as for JSON.parse.
function memberOf(text: string, top: Span, key: string): Span | undefined {
  const children = itemsOf(text, top);
  return children.findLast((_, index) => {
    const name = index % 2 === 1 ? children[index - 1] : undefined;
    return name !== undefined && JSON.parse(text.slice(name.start, name.end)) === key;
  });
}

/** Values of an array, or keys and values of an object by turns. */
function itemsOf(text: string, { start, end }: Span): readonly Span[] {
  const items: Span[] = [];
  let at = start + 1;
  while (at < end - 1) {
    const item = valueAt(text, at);
    if (item.start >= end - 1) break;
    items.push(item);
    at = item.end;
  }
  return items;
}

/** The next value, past white space, commas and colons. */
function valueAt(text: string, from: number): Span {
  let start = from;
  while (start < text.length && BETWEEN.has(text.charCodeAt(start))) start += 1;
  return { start, end: endOf(text, start) };
}

const BETWEEN = new Set(Array.from(' \t\n\r,:', (char) => char.charCodeAt(0)));
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function endOf(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first !== '{' && first !== '[') return plainEnd(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}

function plainEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !BETWEEN.has(text.charCodeAt(at)) && text[at] !== ']' && text[at] !== '}') at += 1;
  return at;
}
