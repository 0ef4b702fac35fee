import { codePointBoundary } from '../model/text.ts';

/** How much of a long text is shown: so many characters of its start and of its end. */
export type Ends = { readonly first: number; readonly last: number };

/** What of an assistant's message or a tool's result goes into the question for goals. */
export const ENDS: Ends = { first: 500, last: 300 };

/** A text without its middle; unchanged where it is no longer than both ends. Never half a surrogate pair. */
export function truncateMiddle(text: string, { first, last }: Ends = ENDS): string {
  if (text.length <= first + last) return text;
  const start = text.slice(0, codePointBoundary(text, first));
  const from = text.length - last;
  const end = text.slice(codePointBoundary(text, from) === from ? from : from + 1);
  return `${start}\n[... ${text.length - start.length - end.length} chars omitted ...]\n${end}`;
}
