import type { Span } from './runs.ts';

/** The date around the name of a month: `March 3, 2025`, `3. März 2025`, `30 Nov`; `undefined` where there is none. */
export function dateAt(text: string, start: number, end: number): Span | undefined {
  if (end - start > 9 || end - start < 3 || !INITIALS.includes(text.charAt(start))) return undefined;
  if (!MONTH.test(text.slice(start, end))) return undefined;
  const before = BEFORE.exec(text.slice(Math.max(0, start - 6), start));
  const after = (before === null ? DAY_AND_YEAR : YEAR).exec(text.slice(end, end + 12));
  if (before === null && after === null) return undefined;
  const from = before === null ? start : start - (before[0]?.length ?? 0) + (before[1]?.length ?? 0);
  return { start: from, end: end + (after?.[0].length ?? 0) };
}

const INITIALS = 'JFMASOND';
const MONTH =
  /^(?:Jan(?:uary|uar)?|Feb(?:ruary|ruar)?|Mar(?:ch)?|März|Apr(?:il)?|May|Mai|June?|Juni|July?|Juli|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Oktober|Nov(?:ember)?|Dec(?:ember)?|Dezember)$/;
const BEFORE = /(^|\D)\d{1,2}(?:\.|st|nd|rd|th)? $/;
const DAY_AND_YEAR = /^\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?(?!\d)|^ \d{4}(?!\d)/;
const YEAR = /^\.?,? \d{4}(?!\d)/;
