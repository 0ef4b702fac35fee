/** A name and a value, as they stand in a text. */
export type Setting = {
  /** What stands directly in front of the word that gave the name away: `DB_`, `next`, `--`. */
  readonly before: string;
  readonly word: string;
  readonly separator: string;
  readonly isQuoted: boolean;
  /** Capitals, and an equals sign without white space. */
  readonly isEnv: boolean;
  /** A parameter of an address. */
  readonly isQuery: boolean;
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
  if (VERB.test(separator)) return isOdd(value) && value.length >= (isPasswordWord(word) ? 8 : 12);
  if (setting.isEnv) return isPasswordWord(word) || /\D/.test(value);
  if (isPasswordWord(word)) return isPassword(setting, isFlag);
  if (AWS_SECRET.test(value) || isMixed(value) || isCopied(setting)) return true;
  return setting.isQuoted ? isRandom(value, { length: 12, turns: 2 }) : isRandom(value, { length: 16, turns: 4 });
}

const VERB = /\s(?:is|was|lautet)/i;

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
  return /^(?:passw|passphrase|pwd|kennwort)/i.test(word);
}

// Passwords are short and made of words; what tells them from identifiers is a digit or a sign.
function isPassword(setting: Setting, isFlag: boolean): boolean {
  const { isQuoted, isWholeLine, value, separator } = setting;
  if (isFlag) return true;
  if (!/[\d!@#%^&*+=?$]/.test(value)) return false;
  if (isQuoted) return !/\s/.test(value) || value.length > 12;
  if (separator === '=') return isOdd(value) && !MEMBER.test(value);
  return separator.includes(':') && (isWholeLine || isSpoken(setting));
}

/** `the password: …` in the middle of a sentence or of a list: no name of a variable, of a type or of a method. */
function isSpoken({ value, next }: Setting): boolean {
  if (!isOdd(value) || MEMBER.test(value) || METHOD.test(value)) return false;
  return /[!@#%^&*?$]/.test(value) || turnsIn(value) > 1 || /^[\r\n]?$/.test(next);
}

const METHOD = /^(?:sha\d|md5|base\d|utf-?\d|argon2|bcrypt|pbkdf2|scrypt)/i;

/** A value alone in its line behind a name of more than one word, a parameter, or a header: not made by a machine, and no name either. */
function isCopied({ before, separator, isQuery, isWholeLine, value }: Setting): boolean {
  if (!isOdd(value) || MEMBER.test(value)) return false;
  if (isQuery || /^x-/i.test(before)) return value.length >= 16;
  return isWholeLine && /[:=]/.test(separator) && /[_-]$/.test(before) && value.length >= 12 && !PLAIN_NAME.test(value);
}

// `my-app-secret-2`, `Float32Array`.
const PLAIN_NAME = /^[A-Za-z]+(?:[-_.][A-Za-z]+)+[-_.]?v?\d{0,3}$|^[A-Za-z]*(?:2|8|16|32|64|128|256|512)[A-Za-z]*$/;

/** True for thirty characters of all kinds: nobody names anything so. */
function isMixed(value: string): boolean {
  return /^[\w/+=-]{30,}$/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d.*\d/.test(value);
}

/** True for a word with a digit among its letters. */
function isOdd(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** True for text that nobody writes by hand: long enough, without white space, letters and digits in turns. */
function isRandom(value: string, { length, turns }: { readonly length: number; readonly turns: number }): boolean {
  return value.length >= length && !/\s/.test(value) && turnsIn(value) >= turns && /[A-Za-z]/.test(value);
}

/** How often a digit follows what is none, or the other way round. */
function turnsIn(value: string): number {
  let found = 0;
  for (let index = 1; index < value.length; index += 1) {
    if (isDigit(value.charCodeAt(index)) !== isDigit(value.charCodeAt(index - 1))) found += 1;
  }
  return found;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
