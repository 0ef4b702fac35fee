import { isStoreError } from '@epitome/store';
import { isCompactionError } from 'epitome';
import { redactSecrets } from 'epitome/secrets';

const LONGEST = 500;
const DEEPEST = 4;
const MOST_KEYS = 40;

/** A text as it may be written anywhere: without secrets and control characters, and short. */
export function cleanText(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return redactSecrets(short).text.replace(
    CONTROLS,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// Line separators end a line for some readers of logs; escapes change a terminal.
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;

/** The one place through which everything goes that is logged. */
export function clean(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (value instanceof Error) return cleanError(value);
  if (depth >= DEEPEST) return '[deep]';
  if (Array.isArray(value)) return value.slice(0, MOST_KEYS).map((each) => clean(each, depth + 1));
  const entries = Object.entries(value).slice(0, MOST_KEYS);
  return Object.fromEntries(
    entries.map(([key, each]) => {
      if (SECRET.test(key)) return [cleanText(key), '[redacted]'];
      return [cleanText(key), isOwnTenant(key, each) ? each : clean(each, depth + 1)];
    }),
  );
}

// Who brings their provider's key has a tenant named by its digest, which reads like a key of Mailgun.
function isOwnTenant(key: string, value: unknown): boolean {
  return key === 'tenant' && typeof value === 'string' && /^key-[0-9a-f]{32}$/.test(value);
}

const SECRET =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|x-goog-api-key|api-?key|key|password|secret|token)$/i;

/** What may be told of an error: its kind and place; its words only where they are ours. */
export function cleanError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: cleanText(error.code) } : {};
  // Errors of parsers and drivers quote what they failed on, which may be anything of a conversation.
  const words = isStoreError(error) || isCompactionError(error) ? { message: cleanText(error.message) } : {};
  const at = placesIn(error.stack);
  return { type: cleanText(error.name), ...code, ...words, ...(at.length > 0 ? { at } : {}) };
}

function placesIn(stack: string | undefined): readonly string[] {
  const places = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return places
    .slice(0, 6)
    .map((line) => cleanText(line.trim().replace(/(?:file:\/\/)?\/[^\s()]*\/(packages|node_modules)\//, '$1/')));
}
