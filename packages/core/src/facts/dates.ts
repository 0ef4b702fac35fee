import type { Span } from './runs.ts';
import type { Reading } from './units.ts';

/** The date around the name of a month: `March 3, 2025`, `3. März 2025`, `30 Nov`; `undefined` where there is none. */
export function dateAt(text: string, start: number, end: number): Span | undefined {
  if (!MONTH.test(text.slice(start, end))) return undefined;
  const before = BEFORE.exec(text.slice(Math.max(0, start - 6), start));
  const after = (before === null ? DAY_AND_YEAR : YEAR).exec(text.slice(end, end + 12));
  if (before === null && after === null) return undefined;
  const from = before === null ? start : start - (before[0]?.length ?? 0) + (before[1]?.length ?? 0);
  return { start: from, end: end + (after?.[0].length ?? 0) };
}

/** Whether a word may name a month, by its first three letters: nearly none may. */
export function mayBeMonth({ text, units }: Reading, start: number, end: number): boolean {
  if (end - start < 3 || end - start > 9 || !isInitial(units[start] ?? 0)) return false;
  return MONTHS.has(startCode(text, start));
}

const isInitial = (code: number): boolean => code < 91 && ((INITIALS >> (code - 65)) & 1) === 1;

function startCode(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | (text.charCodeAt(at + 1) << 8) | text.charCodeAt(at + 2);
}

const NAMES = 'Jan Feb Mar Mär Apr May Mai Jun Jul Aug Sep Oct Okt Nov Dec Dez'.split(' ');
const MONTHS: ReadonlySet<number> = /* @__PURE__ */ new Set(NAMES.map((name) => startCode(name, 0)));
const INITIALS: number = /* @__PURE__ */ NAMES.reduce((bits, name) => bits | (1 << (name.charCodeAt(0) - 65)), 0);
const MONTH =
  /^(?:Jan(?:uary|uar)?|Feb(?:ruary|ruar)?|Mar(?:ch)?|März|Apr(?:il)?|May|Mai|June?|Juni|July?|Juli|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Oktober|Nov(?:ember)?|Dec(?:ember)?|Dezember)$/;
const BEFORE = /(^|\D)\d{1,2}(?:\.|st|nd|rd|th)? $/;
const DAY_AND_YEAR = /^\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?(?!\d)|^ \d{4}(?!\d)/;
const YEAR = /^\.?,? \d{4}(?!\d)/;
