import { placeholder } from './redaction.ts';

/** A text without its private key blocks; one whose end was cut off counts too, a mere mention of the header does not. */
export function redactPrivateKeys(text: string): { readonly text: string; readonly count: number } {
  let result = '';
  let kept = 0;
  let count = 0;
  let at = text.indexOf(BEGIN);
  while (at >= 0) {
    const next = text.indexOf(BEGIN, at + BEGIN.length);
    const stop = blockEnd(text, at, next < 0 ? text.length : next);
    if (stop !== undefined) {
      result += text.slice(kept, at) + placeholder(PRIVATE_KEY);
      kept = stop;
      count += 1;
    }
    at = next;
  }
  return count === 0 ? { text, count } : { text: result + text.slice(kept), count };
}

/** The kind of a private key block. */
export const PRIVATE_KEY = 'private-key';

const BEGIN = '-----BEGIN ';
const HEADER = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const FOOTER = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const LONG_RUN = /[A-Za-z0-9+/=]{32}/;
// Nothing but lines of base64: a key that was shortened, or a small one.
const SHORT_BODY = /^(?:[\r\n]|\\[nr])+[ \t]{0,40}(?:[A-Za-z0-9+/=]{1,80}(?:[\r\n]|\\[nr])+[ \t]{0,40})+$/;
const SHORTEST = 12;

/** The end of the block that begins at `at`. What stands between two beginnings is looked at once, so time is linear. */
function blockEnd(text: string, at: number, next: number): number | undefined {
  HEADER.lastIndex = at;
  if (!HEADER.test(text)) return undefined;
  const body = text.slice(HEADER.lastIndex, next);
  FOOTER.lastIndex = 0;
  const footer = FOOTER.exec(body);
  const isClosed = footer !== null && isMaterial(body.slice(0, footer.index));
  const length = isClosed ? footer.index + footer[0].length : materialLength(body);
  return length === 0 ? undefined : HEADER.lastIndex + length;
}

function isMaterial(body: string): boolean {
  if (LONG_RUN.test(body)) return true;
  return body.length < 2000 && body.length > SHORTEST && SHORT_BODY.test(body);
}

// White space, also as a JSON string writes it; a header of an encrypted key; base64.
const SPACE = /(?:\s|\\[nr])+/y;
const FIELD = /[A-Za-z-]{1,20}: [^\n]{1,80}\n/y;
const RUN = /[A-Za-z0-9+/=]{32,}/y;
const LAST_RUN = /[A-Za-z0-9+/=]{1,31}(?![A-Za-z0-9+/=])/y;

/** How far key material goes in a block that has no end: its lines, and the broken one they end in. */
function materialLength(body: string): number {
  let at = 0;
  let stop = 0;
  for (;;) {
    const line = matchEnd(SPACE, body, at) ?? at;
    const end = matchEnd(RUN, body, line);
    const field = end === undefined && stop === 0 ? matchEnd(FIELD, body, line) : undefined;
    if (end !== undefined) stop = end;
    if (end === undefined && field === undefined) return stop === 0 ? 0 : brokenLineEnd(body, { stop, line });
    at = end ?? field ?? body.length;
  }
}

function brokenLineEnd(body: string, { stop, line }: { readonly stop: number; readonly line: number }): number {
  const end = matchEnd(LAST_RUN, body, line) ?? stop;
  return end === body.length || /[\d+/=]/.test(body.slice(line, end)) ? end : stop;
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
