import type { Refusal } from '../model/call.ts';
import { isNamedHere } from './own-paths.ts';

/** A path that has one reading, and its query. The path is decoded, but for the names in paths of the gateway's own. */
export type Target = { readonly path: string; readonly query: string };

// What two servers may read differently: encoded separators and dots, backslashes, control characters.
const AMBIGUOUS = /%(?:2e|2f|5c|7f|[01][\da-f])|[^!-~]|\\/i;

/** Reads what a client asked for; whatever could be read in two ways is refused, so that one router sees what all see. */
export function targetOf(url: string): Target | Refusal {
  const [written = '', ...rest] = url.split('?');
  const path = decoded(written);
  // Ids of imported conversations hold slashes. These paths go to nobody else, who could read them in another way.
  const isNamed = isNamedHere(written);
  const plain = isNamed ? written.replace(/%2f/gi, '') : written;
  const isPlain = written.startsWith('/') && !AMBIGUOUS.test(plain) && path !== undefined;
  const segments = written.split('/').slice(1);
  // A path may end with a slash.
  const hasOddSegment = segments.some(isDots) || segments.slice(0, -1).includes('');
  if (!isPlain || hasOddSegment) {
    return {
      status: 400,
      code: 'bad-path',
      message: 'The path is not plain: no empty, . or .. segments, no encoded / or \\.',
    };
  }
  return { path: isNamed ? written : path, query: rest.join('?') };
}

function isDots(segment: string): boolean {
  return segment === '.' || segment === '..';
}

function decoded(written: string): string | undefined {
  try {
    return decodeURIComponent(written);
  } catch {
    return undefined;
  }
}
