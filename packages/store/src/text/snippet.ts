import { plain, tokensOf } from './tokens.ts';

const AROUND = 90;

/** The stretch of a text that shows best why it was found, about 200 characters. */
export function snippetOf(text: string, query: string): string {
  const at = bestPlace(text.toLowerCase(), query);
  const from = boundary(text, Math.max(0, at - AROUND));
  const to = boundary(text, Math.min(text.length, at + AROUND + 20));
  const body = text.slice(from, to).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${body}${to < text.length ? '…' : ''}`;
}

/** Whether a text holds a query as it was written, but for case and accents. */
export function holdsVerbatim(text: string, query: string): boolean {
  return plain(text).includes(plain(query.trim()));
}

/** Where the query stands, or else the place of a word of it that is near most others. */
function bestPlace(text: string, query: string): number {
  const whole = text.indexOf(query.trim().toLowerCase());
  if (whole >= 0) return whole;
  const places = tokensOf(query)
    .map((token) => text.indexOf(token))
    .filter((place) => place >= 0);
  const near = (place: number): number => places.filter((other) => Math.abs(other - place) < AROUND).length;
  return places.reduce((best, place) => (near(place) > near(best) ? place : best), places[0] ?? 0);
}

function boundary(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}
