/** What an error carries, wherever in it. */
export type Evidence = {
  readonly statuses: readonly number[];
  /** Machine-readable codes, types and names, in small letters and digits only. */
  readonly codes: readonly string[];
  readonly stops: readonly string[];
  readonly texts: readonly string[];
  readonly urls: readonly string[];
  /** Sizes in fields of their own (llama.cpp). */
  readonly limit?: number;
  readonly requested?: number;
};

/**
 * Gathers what an error says: SDK errors, HTTP bodies as text or value, causes, JSON inside messages. Looks only at
 * fields that describe the error, never at the request an SDK attached to it, which may quote anything. Never throws;
 * cycles and endless structures end.
 */
export function gatherEvidence(error: unknown): Evidence {
  const found: Found = { statuses: [], codes: [], stops: [], texts: [], urls: [], seen: new Set(), left: MOST_VALUES };
  look(error, 'message', { found, depth: 0 });
  return found;
}

const MOST_VALUES = 400;
const MOST_ITEMS = 20;
const DEEPEST = 12;
const LONGEST_JSON = 100_000;
const LONGEST_TEXT = 12_000;

type Found = {
  statuses: number[];
  codes: string[];
  stops: string[];
  texts: string[];
  urls: string[];
  limit?: number;
  requested?: number;
  readonly seen: Set<object>;
  left: number;
};

type At = { readonly found: Found; readonly depth: number };

const STATUS = new Set(['status', 'statusCode', 'status_code', 'httpStatusCode', 'http_code', 'code']);
const CODE = new Set(['code', 'type', 'status', 'name', 'errorType', 'error_type', '__type', 'reason']);
const STOP = new Set(['stop_reason', 'stopReason', 'finish_reason', 'finishReason', 'native_finish_reason']);
const TEXT = new Set([
  ...['message', 'msg', 'detail', 'details', 'description', 'error', 'body', 'responseBody', 'raw', 'title'],
  ...['error_message', 'errorMessage', 'data', 'param', 'status_msg'],
]);
const NESTED = new Set([
  ...['error', 'cause', 'data', 'response', 'body', 'responseBody', 'message', 'detail', 'details', 'metadata', 'raw'],
  ...[
    '$metadata',
    'innererror',
    'choices',
    'incomplete_details',
    'exception',
    'reason',
    'lastError',
    'errors',
    'base_resp',
  ],
]);
const KEYS: readonly string[] = [
  ...new Set([...STATUS, ...CODE, ...STOP, ...TEXT, ...NESTED, 'url', 'n_ctx', 'n_prompt_tokens']),
];

function look(value: unknown, key: string, { found, depth }: At): void {
  found.left -= 1;
  if (found.left < 0 || depth > DEEPEST) return;
  if (typeof value === 'number') noteNumber(value, key, found);
  else if (typeof value === 'string') noteText(value, key, { found, depth });
  else if (typeof value === 'object' && value !== null && (NESTED.has(key) || depth === 0)) {
    lookInside(value, key, { found, depth });
  }
}

function lookInside(value: object, key: string, { found, depth }: At): void {
  if (found.seen.has(value)) return;
  found.seen.add(value);
  if (isList(value)) {
    for (let index = 0; index < MOST_ITEMS; index += 1) {
      const item = read(value, index);
      if (item !== undefined) look(item, key, { found, depth: depth + 1 });
    }
    return;
  }
  // The AI SDK keeps all failed attempts beside the last one; only the last one tells how things stand.
  const hasLast = read(value, 'lastError') !== undefined;
  for (const each of KEYS) {
    const inner = hasLast && (each === 'errors' || each === 'message') ? undefined : read(value, each);
    if (inner !== undefined) look(inner, each, { found, depth: depth + 1 });
  }
}

// A proxy may throw at any touch.
function isList(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

function read(value: object, key: string | number): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}

function noteNumber(value: number, key: string, found: Found): void {
  if (STATUS.has(key)) found.statuses.push(value);
  if (key === 'n_ctx') found.limit ??= value;
  if (key === 'n_prompt_tokens') found.requested ??= value;
}

function noteText(value: string, key: string, { found, depth }: At): void {
  if (key === 'url') found.urls.push(value.slice(0, 300));
  if (STATUS.has(key) && /^\d{3}$/.test(value)) found.statuses.push(Number(value));
  if (STOP.has(key)) found.stops.push(identifier(value));
  if (CODE.has(key) && value.length <= 200) found.codes.push(identifier(value));
  if (!TEXT.has(key)) return;
  found.texts.push(
    value.length <= LONGEST_TEXT ? value : `${value.slice(0, LONGEST_TEXT / 2)} ${value.slice(-LONGEST_TEXT / 2)}`,
  );
  for (const inner of jsonIn(value)) look(inner, 'data', { found, depth: depth + 1 });
}

// AWS writes `namespace#ThrottlingException` and `ThrottlingException:http://…`.
function identifier(value: string): string {
  const name = value.slice(value.lastIndexOf('#') + 1);
  return name
    .slice(0, name.includes(':') ? name.indexOf(':') : 100)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** The JSON values a text holds: all of it, what stands between its outermost braces, or the lines of an event stream. */
function jsonIn(text: string): readonly unknown[] {
  const from = text.indexOf('{');
  if (from < 0 || text.length > LONGEST_JSON) return [];
  if (/^(?:event|data):/m.test(text)) {
    const lines = text.split('\n').filter((line) => line.startsWith('data:'));
    return lines.slice(-MOST_ITEMS).flatMap((line) => parsed(line.slice(5)));
  }
  const whole = parsed(text);
  return whole.length > 0 ? whole : parsed(text.slice(from, text.lastIndexOf('}') + 1));
}

function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? [value] : [];
  } catch {
    return [];
  }
}
