import type { DocumentConversation } from '../input/conversation.ts';
import { type ArraySpan, findArray, type Span } from '../input/spans.ts';

/**
 * The conversation's text with its messages replaced. Everything else stays as it was written, kept messages included:
 * parsing and printing again would lose the digits of large numbers, equal keys and the layout.
 */
export function rewrite({ source, messages: before, key }: DocumentConversation, messages: readonly unknown[]): string {
  const { text } = source;
  const array = findArray(text, key);
  if (array === undefined) return text;
  const places = new Map(before.map((message, index) => [message, array.items[index]]));
  const layout = layoutOf(text, array);
  const items = messages.map((message) => {
    const place = places.get(message);
    return place === undefined ? print(message, layout) : text.slice(place.start, place.end);
  });
  const body = items.length === 0 ? '' : `${layout.open}${items.join(`,${layout.between}`)}${layout.close}`;
  const result = `${text.slice(0, array.start)}[${body}]${text.slice(array.end)}`;
  return result.endsWith('\n') ? result : `${result}\n`;
}

/** White space behind the bracket, between messages and before the closing bracket. */
type Layout = { readonly open: string; readonly between: string; readonly close: string; readonly unit: string };

function layoutOf(text: string, { start, end, items }: ArraySpan): Layout {
  const [first, second] = items;
  if (first === undefined) return { open: '', between: '', close: '', unit: '' };
  const open = text.slice(start + 1, first.start);
  const close = text.slice((items.at(-1) ?? first).end, end - 1);
  const between = second === undefined ? open : spaceBetween(text, first, second);
  return { open, between, close, unit: unitOf(text, first, indentOf(between)) };
}

function spaceBetween(text: string, first: Span, second: Span): string {
  return text.slice(first.end, second.start).replace(',', '');
}

function indentOf(space: string): string {
  return space.slice(space.lastIndexOf('\n') + 1);
}

/** How much deeper the members of a message stand; `''` where a message takes one line. */
function unitOf(text: string, { start, end }: Span, indent: string): string {
  const inside = /^[[{]\s*/.exec(text.slice(start, Math.min(end, start + 200)))?.[0] ?? '';
  return inside.includes('\n') ? indentOf(inside).slice(indent.length) : '';
}

function print(message: unknown, { between, unit }: Layout): string {
  if (unit === '') return JSON.stringify(message);
  return JSON.stringify(message, null, unit).replaceAll('\n', `\n${indentOf(between)}`);
}
