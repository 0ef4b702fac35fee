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

/** The headers one by one, before it is decided which of them holds. */
type Said = Omit<Asked, 'mode'> & { readonly off?: boolean | undefined; readonly dryRun?: boolean | undefined };

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
  'x-epitome-conversation':
    'a name of 1 to 200 letters, digits, dots, colons, - and _ that does not begin with conv_, as those of OpenAI do',
};

const PREFIX = 'x-epitome-';

/** Reads the headers, or says which one cannot be read. */
export function readHeaders(headers: Headers): Asked | Refusal {
  let said: Said = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(PREFIX) || value === undefined) continue;
    if (!Object.hasOwn(REQUEST_HEADERS, name))
      return bad(`${shown(name)} is no header of the gateway; there are ${Object.keys(REQUEST_HEADERS).join(', ')}.`);
    if (typeof value !== 'string') return bad(`${name} is there more than once.`);
    const read = READERS[name]?.(value.trim());
    if (read === undefined) return bad(`${name} is ${shown(value)}; it takes ${REQUEST_HEADERS[name]}.`);
    said = { ...said, ...read };
  }
  const { off, dryRun, ...asked } = said;
  const mode = modeOf({ off, dryRun });
  return mode === undefined ? asked : { ...asked, mode };
}

/** Whichever stands first, what does less holds: off before a dry run, and that before force. */
function modeOf({ off, dryRun }: Pick<Said, 'off' | 'dryRun'>): Asked['mode'] {
  if (off === true) return 'off';
  if (dryRun === true) return 'dry-run';
  return off === false ? 'on' : undefined;
}

const READERS: Readonly<Record<string, (value: string) => Said | undefined>> = {
  'x-epitome-off': (value) => switched(value, { off: true }, { off: false }),
  'x-epitome-dry-run': (value) => switched(value, { dryRun: true }, { dryRun: false }),
  'x-epitome-force': (value) => switched(value, { force: true }, { force: false }),
  'x-epitome-linear': (value) => switched(value, { linear: true }, { linear: false }),
  'x-epitome-preset': (value) => (/^[\w-]{1,64}$/.test(value) ? { preset: value } : undefined),
  'x-epitome-window': (value) => amount(value, 256, (window) => ({ window })),
  'x-epitome-target': (value) => amount(value, 1, (target) => ({ target })),
  'x-epitome-goal': (value) => {
    const goal = decoded(value);
    return goal !== undefined && goal !== '' && goal.length <= 2000 ? { goal } : undefined;
  },
  'x-epitome-conversation': (value) => (/^(?!conv_)[\w.:-]{1,200}$/.test(value) ? { conversation: value } : undefined),
};

function switched(value: string, on: Said, off: Said): Said | undefined {
  if (/^(true|1|yes|on)$/i.test(value)) return on;
  return /^(false|0|no)$/i.test(value) ? off : undefined;
}

function amount(value: string, least: number, made: (tokens: number) => Said): Said | undefined {
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
