import { elementsOf, membersOf, skipSpace } from './scan.ts';

/**
 * A changed value as JSON, with every part that did not change in the very characters it had: a number too long for
 * JavaScript, an order of keys, an escape.
 */
export function reprint(value: unknown, original: string): string {
  const text = original.trim();
  const before: unknown = JSON.parse(text);
  if (isSame(value, before)) return text;
  if (Array.isArray(value) && Array.isArray(before)) return reprintArray(value, { before, text });
  if (isObject(value) && isObject(before)) return reprintObject(value, text);
  return JSON.stringify(value);
}

function reprintObject(value: Readonly<Record<string, unknown>>, text: string): string {
  const spans = new Map(membersOf(text).members.map(({ key, value: span }) => [key, span]));
  const members = Object.entries(value).map(([key, member]) => {
    const span = spans.get(key);
    const written = span === undefined ? JSON.stringify(member) : reprint(member, text.slice(span.start, span.end));
    return `${JSON.stringify(key)}:${written}`;
  });
  return `{${members.join(',')}}`;
}

type Was = { readonly before: readonly unknown[]; readonly text: string };

/** Elements were left out or changed, never moved: each stands at or behind the one in front of it. */
function reprintArray(value: readonly unknown[], { before, text }: Was): string {
  const { elements: spans } = elementsOf(text, skipSpace(text, 0));
  let from = 0;
  const elements = value.map((element) => {
    const found = before.findIndex((other, at) => at >= from && isSame(element, other));
    const at = found < 0 ? from : found;
    from = at + 1;
    const span = spans[at];
    return span === undefined ? JSON.stringify(element) : reprint(element, text.slice(span.start, span.end));
  });
  return `[${elements.join(',')}]`;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
