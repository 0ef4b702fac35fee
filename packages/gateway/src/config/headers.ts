import type { Refusal } from '../model/call.ts';

/** What the `x-epitome-*` headers of a request ask for. */
export type Asked = {
  readonly mode?: 'on' | 'off' | 'dry-run';
  readonly preset?: string;
  readonly window?: number;
  readonly target?: number;
  readonly goal?: string;
  readonly force?: boolean;
  readonly conversation?: string;
  readonly linear?: boolean;
};

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers a client may send, with what they take. */
export const REQUEST_HEADERS: Readonly<Record<string, string>> = {
  'x-epitome-off': 'true or false',
  'x-epitome-dry-run': 'true or false',
  'x-epitome-force': 'true or false',
  'x-epitome-linear': 'true or false',
  'x-epitome-preset': 'the name of a preset',
  'x-epitome-window': 'a whole number of tokens from 256, such as 32000 or 32k',
  'x-epitome-target': 'a whole number of tokens from 1, such as 16000 or 16k',
  'x-epitome-goal': 'a text of at most 2000 characters, percent-encoded where it is not ASCII',
  'x-epitome-conversation': 'a name of 1 to 200 letters, digits, dots, colons, - and _',
};

const PREFIX = 'x-epitome-';

/** Reads the headers, or says which one cannot be read. */
export function readHeaders(headers: Headers): Asked | Refusal {
  const asked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(PREFIX) || value === undefined) continue;
    if (!Object.hasOwn(REQUEST_HEADERS, name))
      return bad(`${shown(name)} is no header of the gateway; there are ${Object.keys(REQUEST_HEADERS).join(', ')}.`);
    if (typeof value !== 'string') return bad(`${name} is there more than once.`);
    const read = READERS[name]?.(value.trim());
    if (read === undefined) return bad(`${name} is ${shown(value)}; it takes ${REQUEST_HEADERS[name]}.`);
    Object.assign(asked, read);
  }
  return asked;
}

const READERS: Readonly<Record<string, (value: string) => Asked | undefined>> = {
  'x-epitome-off': (value) => switched(value, { mode: 'off' }, { mode: 'on' }),
  'x-epitome-dry-run': (value) => switched(value, { mode: 'dry-run' }, {}),
  'x-epitome-force': (value) => switched(value, { force: true }, { force: false }),
  'x-epitome-linear': (value) => switched(value, { linear: true }, { linear: false }),
  'x-epitome-preset': (value) => (/^[\w-]{1,64}$/.test(value) ? { preset: value } : undefined),
  'x-epitome-window': (value) => amount(value, 256, (window) => ({ window })),
  'x-epitome-target': (value) => amount(value, 1, (target) => ({ target })),
  'x-epitome-goal': (value) => {
    const goal = decoded(value);
    return goal !== undefined && goal !== '' && goal.length <= 2000 ? { goal } : undefined;
  },
  'x-epitome-conversation': (value) => (/^[\w.:-]{1,200}$/.test(value) ? { conversation: value } : undefined),
};

function switched(value: string, on: Asked, off: Asked): Asked | undefined {
  if (/^(true|1|yes|on)$/i.test(value)) return on;
  return /^(false|0|no)$/i.test(value) ? off : undefined;
}

function amount(value: string, least: number, made: (tokens: number) => Asked): Asked | undefined {
  const [, digits, unit = ''] = /^(\d{1,10})([km]?)$/i.exec(value) ?? [];
  const tokens = Number(digits) * ({ k: 1000, m: 1_000_000 }[unit.toLowerCase()] ?? 1);
  return Number.isInteger(tokens) && tokens >= least && tokens <= 1_000_000_000 ? made(tokens) : undefined;
}

// Node gives the bytes of a header one by one; clients send UTF-8, or percent-encode what is not ASCII.
function decoded(value: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
    return /%[0-9a-f]{2}/i.test(text) ? decodeURIComponent(text) : text;
  } catch {
    return undefined;
  }
}

function shown(value: string): string {
  return JSON.stringify(value.slice(0, 40));
}

function bad(message: string): Refusal {
  return { status: 400, code: 'bad-header', message };
}
