/** A name and a value, as they stand in a text. */
export type Setting = {
  /** What stands directly in front of the word that gave the name away: `DB_`, `next`, `--`. */
  readonly before: string;
  readonly word: string;
  readonly separator: string;
  readonly isQuoted: boolean;
  /** Capitals, and an equals sign without white space. */
  readonly isEnv: boolean;
  /** Nothing else stands in its line. */
  readonly isWholeLine: boolean;
  readonly value: string;
  /** The character behind the first word of the value. */
  readonly next: string;
};

/** True where the value is worth hiding: not a variable, a type, a path or a call, and likely made by a machine or typed as a password. */
export function isSecret(setting: Setting): boolean {
  const { before, word, separator, value, next } = setting;
  const isFlag = before.startsWith('--');
  if (separator.trim() === '' && !isFlag) return false;
  if (/^token$/i.test(word) && HARMLESS_TOKEN.test(before)) return false;
  if (NO_VALUE.test(value) || ELIDED.test(value) || NOT_SECRET.test(value) || FILE.test(value) || value.includes('://'))
    return false;
  if (next === '(' || next === '[') return false;
  if (/\s(?:is|was)/.test(separator)) return isOdd(value) && value.length >= (isPasswordWord(word) ? 8 : 12);
  if (setting.isEnv) return isPasswordWord(word) || /\D/.test(value);
  if (isPasswordWord(word)) return isPassword(setting, isFlag);
  if (AWS_SECRET.test(value)) return true;
  return setting.isQuoted ? isRandom(value, { length: 12, turns: 2 }) : isRandom(value, { length: 16, turns: 4 });
}

// Tokens of a language model and cursors of a listing are no secrets.
const HARMLESS_TOKEN =
  /(?:page|next|prev|previous|continuation|sync|cursor|pad|eos|bos|unk|sep|cls|mask|special|stop|start|end|image|per|max|min|num|total|first|last|word|cancel|cancellation)[_-]?$/i;
const NO_VALUE =
  /^(?:\$[A-Za-z_{(]|%|\*|\.\.|…|x{3}|your|my[-_]|example|change|placeholder|redacted|dummy|process\.env|os\.|env\.|(?:true|false|null|none|undefined|string|number|boolean|required|optional)\b)/i;
const ELIDED = /\.\.\.|…|x{4}|\*{3}/i;
// Dates, versions, paths.
const NOT_SECRET = /^(?:\d{4}-\d\d-\d\d|v?\d{1,4}\.\d{1,4}(?:\.|$)|[./~])/;
const FILE = /\.(?:json|pem|key|txt|ya?ml|env|p12|crt|cer|toml|ts|js|py)$/i;

const AWS_SECRET = /^(?=.{0,39}\d)(?=.{0,39}[a-z])(?=.{0,39}[A-Z])[A-Za-z0-9/+]{40}$/;
const MEMBER = /^[A-Za-z_$][\w$]{0,63}(?:\.[A-Za-z_$][\w$]{0,63}){1,9}$/;

function isPasswordWord(word: string): boolean {
  return /^(?:passw|passphrase|pwd)/i.test(word);
}

// Passwords are short and made of words; what tells them from identifiers is a digit or a sign.
function isPassword({ isQuoted, isWholeLine, value, separator }: Setting, isFlag: boolean): boolean {
  if (isFlag) return true;
  if (!/[\d!@#%^&*+=?$]/.test(value)) return false;
  if (isQuoted) return !/\s/.test(value) || value.length > 12;
  return separator === '=' ? isOdd(value) && !MEMBER.test(value) : isWholeLine && separator.includes(':');
}

/** True for a word with a digit among its letters. */
function isOdd(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** True for text that nobody writes by hand: long enough, without white space, letters and digits in turns. */
function isRandom(value: string, { length, turns }: { readonly length: number; readonly turns: number }): boolean {
  if (value.length < length || /\s/.test(value)) return false;
  let found = 0;
  for (let index = 1; index < value.length && found < turns; index += 1) {
    if (isDigit(value.charCodeAt(index)) !== isDigit(value.charCodeAt(index - 1))) found += 1;
  }
  return found >= turns && /[A-Za-z]/.test(value);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
