import type { ToolResultPart } from '../model/message.ts';
import { codePointBoundary } from '../model/text.ts';

/**
 * What stands in place of a tool result: what it was, how much, under which id it is found, and its start and end where they stay.
 * It promises no tool: who reads it may have none that recalls.
 */
export function placeholderFor(
  { name, text, media }: ToolResultPart,
  { messageId, keepChars }: { readonly messageId: string; readonly keepChars: number },
): string {
  const what = name === '' ? 'a tool' : name;
  const back = `left out to save room; kept in the log as ${messageId}.]`;
  if (keepChars === 0) {
    const more = media.length > 0 ? ` and ${media.length} media` : '';
    return `[Result of ${what}, ${text.length} characters${more}, ${back}`;
  }
  // The start says what it is; the end of a log or a test run says how it went.
  const start = codePointBoundary(text, Math.floor((keepChars * 2) / 3));
  const end = Math.max(codePointBoundary(text, text.length - Math.floor(keepChars / 3)), start);
  return `${text.slice(0, start)}\n[… ${end - start} of ${text.length} characters of the result of ${what} ${back}\n${text.slice(end)}`;
}
