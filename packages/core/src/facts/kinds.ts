import type { FactKind } from '../model/facts.ts';
import { DASH, DIGIT, HUMP, INNER, JOINER, LOWER, MARK, TURN, UNDERSCORE, UPPER } from './classes.ts';

const LETTERS = LOWER | UPPER;
/** What a word without digits has at least one of, where it names something. */
export const NAMING: number = UPPER | JOINER | UNDERSCORE | MARK;

/** A stretch of a text, and the text's units: no substring is made of what these tell. */
export type Word = { readonly text: string; readonly units: Uint16Array; start: number; end: number };

const textOf = ({ text, start, end }: Word): string => text.slice(start, end);

/** What a word without digits is; `undefined` where it names nothing. */
export function kindOfWord(word: Word, bits: number): FactKind | undefined {
  if ((bits & UPPER) !== 0 && mayBeError(word, bits) && isError(textOf(word), bits)) return 'error';
  if ((bits & (UNDERSCORE | LOWER)) === UNDERSCORE && CONSTANT.test(textOf(word))) return 'constant';
  if ((bits & JOINER) !== 0 && mayBeFile(word) && isFile(textOf(word))) return 'path';
  if ((bits & HUMP) !== 0) return 'symbol';
  if ((bits & (UNDERSCORE | INNER | MARK)) !== 0) return humped(word);
  if ((bits & LETTERS) !== LETTERS) return undefined;
  // Behind one capital, `Word` has none.
  return (bits & (DASH | JOINER)) === 0 && !isCapital(word.units[word.start + 1] ?? 0) ? undefined : humped(word);
}

/** What a word with digits and letters or marks is; `undefined` where it names nothing. */
export function kindWithDigits(word: Word, bits: number): FactKind | undefined {
  const value = textOf(word);
  if ((bits & (LETTERS | UNDERSCORE)) === 0)
    return NUMBER.test(value) ? 'number' : VERSION.test(value) ? 'version' : undefined;
  if ((bits & JOINER) !== 0 || value.charCodeAt(0) === 118) if (VERSION.test(value)) return 'version';
  if (!startsWord(value.charCodeAt(0)) && QUANTITY.test(value)) return 'number';
  if (value.length < 4 || (bits & LETTERS) === 0) return undefined;
  if (value.charCodeAt(0) === 35 && ORDER.test(value)) return 'id';
  if ((bits & ~HEX_BITS) === 0 && value.length > 6 && HEX.test(value)) return 'id';
  if (value.length === 36 && UUID.test(value)) return 'id';
  if ((bits & UPPER) !== 0 && mayBeError(word, bits) && isError(value, bits)) return 'error';
  if ((bits & (UNDERSCORE | LOWER)) === UNDERSCORE && CONSTANT.test(value)) return 'constant';
  if ((bits & JOINER) !== 0 && mayBeFile(word) && isFile(value)) return 'path';
  if ((bits & (DASH | UNDERSCORE)) !== 0 || (bits & LOWER) === 0) if (TICKET.test(value)) return 'id';
  return (bits & (HUMP | TURN)) !== 0 ? 'symbol' : humped(word);
}

function isError(value: string, bits: number): boolean {
  return ((bits & LOWER) === 0 ? ERROR : ERROR_CLASS).test(value);
}

/** A class of errors is known by its ending, an errno by its first letter: nearly no word is either. */
function mayBeError({ units, start, end }: Word, bits: number): boolean {
  return (bits & LOWER) === 0 ? units[start] === 69 || (bits & DIGIT) !== 0 : endsLikeError(units, end);
}

function startsWord(code: number): boolean {
  return isCapital(code) || (code >= 97 && code <= 122) || code === 95;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

const humped = (word: Word): FactKind | undefined => (isHumped(word) ? 'symbol' : undefined);

/** Whether what ends there may be the name of a class of errors: nearly none is. */
export function endsLikeError(units: Uint16Array, end: number): boolean {
  const last = units[end - 1];
  return last === 114 || last === 110;
}

/** True for `-v` and `--verbose`. */
export function isFlag(word: Word): boolean {
  return FLAG.test(textOf(word));
}

function isFile(value: string): boolean {
  if (value.charCodeAt(0) === 46 && DOTFILE.test(value)) return true;
  const least = Math.max(0, value.length - LONGEST_ENDING);
  let from = value.length;
  while (from > least && value.charCodeAt(from - 1) !== 46) from -= 1;
  const isNamed = from === 0 || value.charCodeAt(from - 1) === 46;
  return isNamed && ENDINGS.has(value.slice(from)) && FILE.test(value);
}

/** Whether a word begins with a dot, or may end like a file: most have another ending. */
function mayBeFile({ units, start, end }: Word): boolean {
  if (units[start] === 46) return true;
  const least = Math.max(start, end - LONGEST_ENDING);
  let hash = 0;
  for (let at = end - 1; at >= least; at -= 1) {
    const code = units[at] ?? 0;
    if (code === 46) return ENDING_HASHES[hash] === 1;
    hash = withCode(hash, code);
  }
  return (least === start || units[least - 1] === 46) && ENDING_HASHES[hash] === 1;
}

const withCode = (hash: number, code: number): number => (hash * 31 + code) & 1023;

/** True for letters and marks as in `camelCase`, `snake_case` and `a.b`: each three of them were tried. */
function isHumped({ units, start, end }: Word): boolean {
  let last = 0;
  for (let index = start; index < end; index += 1) {
    const code = units[index] ?? 0;
    last = ((last << SORT_BITS) | (code < 128 ? (SORTS[code] ?? 0) : 0)) & THREE;
    if (HUMPS[last] === 1) return true;
  }
  return false;
}

const FLAG = /^--[A-Za-z][\w-]*$|^-[A-Za-z]\w{0,2}$/;
const NUMBER = /^[$#~-]?\d+(?:\.\d+)?%?$/;
const QUANTITY = /^[$~]?\d+(?:\.\d+)?(?:[kKMGT]?i?[bB]|[munµ]?s|min|h|px|em|x|[kKM])$/;
const VERSION = /^v?\d+\.\d+\.[\w.-]+$|^v\d[\d.]*$/;
const HEX = /^(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}$/;
// A joiner may stand behind.
const HEX_BITS = LOWER | DIGIT | TURN | JOINER;
const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
// Codes of errnos, compilers and linters; any other word with digits is an id.
const ERROR = /^(?:E[A-Z]{4,}|(?:E|W|F|C|TS|CS|LNK|ORA|PGRST|HTTP|SC|MSB|CA|B)\d{3,6})$/;
const ERROR_CLASS = /^\w*(?:Error|Exception)$/;
const CONSTANT = /^_?[A-Z][A-Z0-9]*_[A-Z0-9_]*$/;
const FILE = /^[\w.@~-]+$/;
const ENDINGS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'js jsx cjs mjs cjsx mjsx ts tsx cts mts ctsx mtsx json jsonc jsonl yaml yml toml md txt log lock py go rs rb java ' +
    'kt cs php swift c h cc cpp hpp sh sql htm html css scss vue svg png jpg jpeg pdf csv xml env ini cfg conf proto gz zip'
  ).split(' '),
);
const LONGEST_ENDING = 5;
const DOTFILE =
  /^\.(?:env|git\w{4,12}|npmrc|nvmrc|eslintrc|prettierrc|dockerignore|editorconfig|babelrc)(?:\.[\w-]+)*$/;
// Letters and digits with a dash or underscore between: order, ticket and session ids.
const TICKET = /^(?=\D*\d)[A-Za-z0-9]+[_-][\w-]+$|^(?=\D*\d)[A-Z0-9]{6,}$|^[A-Z]{2,5}\d{2,6}$/;
// `#W1234567`, but no colour.
const ORDER = /^#(?!(?:[\da-fA-F]{3,4}|[\da-fA-F]{6}|[\da-fA-F]{8})$)[A-Z]{1,4}-?\d{3,}$/;
/** Sorts of characters that the pattern below tells apart, one of each; the first is any other. */
const EACH = ['-', 'a', 'A', '0', '_', '.', '@'] as const;
const SORT_BITS = 3;
const THREE = 0x1ff;
const HUMPED = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|[a-z]\.[A-Za-z]|[A-Z]{2}[a-z]|[A-Za-z]\d|@\w/;
const SORTS: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) =>
  sortOf(String.fromCharCode(code)),
);
const HUMPS: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: THREE + 1 }, (_, three) =>
  HUMPED.test([three >> (2 * SORT_BITS), three >> SORT_BITS, three].map((sort) => EACH[sort & 7] ?? '-').join(''))
    ? 1
    : 0,
);
const ENDING_HASHES: Uint8Array = /* @__PURE__ */ endingHashes();

function sortOf(character: string): number {
  if (/[a-z]/.test(character)) return 1;
  if (/[A-Z]/.test(character)) return 2;
  return /\d/.test(character) ? 3 : Math.max(0, EACH.indexOf(character as '-'));
}

function endingHashes(): Uint8Array {
  const hashes = new Uint8Array(1024);
  for (const ending of ENDINGS) {
    const codes = Array.from(ending, (character) => character.charCodeAt(0)).reverse();
    hashes[codes.reduce(withCode, 0)] = 1;
  }
  return hashes;
}
