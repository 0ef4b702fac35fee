import { placeholder } from './redaction.ts';
import { isSecret, type Setting } from './settings.ts';

/** A text without the values of settings whose names say that they are secret: `DB_PASSWORD=…`, `"apiKey": "…"`. */
export function redactNamed(text: string): { readonly text: string; readonly count: number } {
  let result = '';
  let kept = 0;
  let count = 0;
  const search = new RegExp(SETTING);
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    const from = match.index + match[0].length - (match[4] ?? '').length;
    const setting = settingOf(text, match);
    // The value of a setting that is none may itself begin with a name.
    search.lastIndex = isSecret(setting) ? valueEnd(text, setting, from) : from;
    if (search.lastIndex === from) continue;
    result += text.slice(kept, from) + placeholder(NAMED_SECRET);
    kept = search.lastIndex;
    count += 1;
  }
  return count === 0 ? { text, count } : { text: result + text.slice(kept), count };
}

/** The kind of a value known by its name. */
export const NAMED_SECRET = 'named-secret';

// What a name ends in that says its value is secret. `key` alone may be any key: these words go in front of it.
const WORDS = [
  'password',
  'passwd',
  'passwort',
  'kennwort',
  'passphrase',
  'secret',
  'token',
  'credential',
  'credentials',
  '_auth',
  'pwd',
  'x-amz-signature',
  'app_key',
  'secret_key_base',
];
const KEYS = ['api', 'access', 'private', 'secret', 'account', 'auth', 'signing', 'encryption', 'master'];
// A dash last: they make a class of characters.
const JOINTS = ['', '_', ' ', '-'];

/** The names, each as it is written. */
export const NAMES: readonly string[] = [
  ...WORDS,
  ...KEYS.flatMap((what) => JOINTS.map((joint) => `${what}${joint}key`)),
];

/** Whether a name must begin a word: a short one may be the end of any. */
export const isWholeName = (name: string): boolean => name === 'pwd';

const SOME_NAME = [
  ...KEYS.map((what) => `${what}[${JOINTS.join('')}]?key`),
  // Longer ones first: `credentials` begins with `credential`.
  ...WORDS.toSorted((one, other) => other.length - one.length).map((word) => (isWholeName(word) ? `\\b${word}` : word)),
].join('|');

// In an address `&` leads to the next name; else it may be part of a password.
const AND = String.raw`&(?![&\s]|$|[\w.-]{1,40}=)`;

// Name, sign, quote, and the first characters of the value: a bound on them keeps time linear. The sign may be white
// space (a flag and its value); quotes may be escaped once or twice.
const SETTING = new RegExp(
  String.raw`(${SOME_NAME})([\\"'\]]{0,4}\s{0,2}(?:=>|:=|[:=])\s{0,2}|\s(?:ist?|was|lautet):?\s|\s)(\\{0,3}["'${'`'}]|)((?:[^\s\\"'${'`'},;()[\]{}<>|&]|${AND}){6,64})`,
  'gi',
);

function settingOf(text: string, match: RegExpExecArray): Setting {
  const [whole, word = '', separator = '', quote = '', value = ''] = match;
  const start = nameStart(text, match.index);
  const before = text.slice(start, match.index);
  const next = text.charAt(match.index + whole.length);
  const isEnv = separator === '=' && !/[a-z]/.test(before + word);
  const isWholeLine = /^[\r\n]?$/.test(next) && isLineStart(text, start);
  const isQuery = /[?&]/.test(text.charAt(start - 1));
  return { before, word, separator, isQuoted: quote !== '', isEnv, isQuery, isWholeLine, value, next };
}

const LONGEST_NAME = 40;

function nameStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < LONGEST_NAME && /[A-Za-z0-9_.-]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function isLineStart(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - LONGEST_NAME), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return line.length < LONGEST_NAME && line.trim() === '';
}

// To the closing quote; in the environment to the next space; elsewhere to the next mark that cannot be part of a key.
const QUOTED = /[^"'`\\\n]+/y;
const ENVIRONMENT = new RegExp(String.raw`(?:[^\s"'${'`'}\\&]|${AND})+`, 'y');
const BARE = new RegExp(String.raw`(?:[^\s\\"'${'`'},;()[\]{}<>|&]|${AND})+`, 'y');

function valueEnd(text: string, { isQuoted, isEnv }: Setting, from: number): number {
  const pattern = isQuoted ? QUOTED : isEnv ? ENVIRONMENT : BARE;
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
