import type { FactKind } from '../model/facts.ts';
import { DASH, DIGIT, HUMP, INNER, JOINER, LOWER, MARK, TURN, UNDERSCORE, UPPER } from './classes.ts';

const LETTERS = LOWER | UPPER;
/** What a word without digits has at least one of, where it names something. */
export const NAMING: number = UPPER | JOINER | UNDERSCORE | MARK;

/** What a word without digits is; `undefined` where it names nothing. */
export function kindOfWord(value: string, bits: number): FactKind | undefined {
  if ((bits & UPPER) !== 0 && isError(value, bits)) return 'error';
  if ((bits & (UNDERSCORE | LOWER)) === UNDERSCORE && CONSTANT.test(value)) return 'constant';
  if ((bits & JOINER) !== 0 && isFile(value)) return 'path';
  if ((bits & HUMP) !== 0) return 'symbol';
  if ((bits & (UNDERSCORE | INNER | MARK)) !== 0) return humped(value);
  if ((bits & LETTERS) !== LETTERS) return undefined;
  // Behind one capital, `Word` has none.
  return (bits & (DASH | JOINER)) === 0 && !isCapital(value.charCodeAt(1)) ? undefined : humped(value);
}

/** What a word with digits and letters or marks is; `undefined` where it names nothing. */
export function kindWithDigits(value: string, bits: number): FactKind | undefined {
  if ((bits & (LETTERS | UNDERSCORE)) === 0)
    return NUMBER.test(value) ? 'number' : VERSION.test(value) ? 'version' : undefined;
  if ((bits & JOINER) !== 0 || value.charCodeAt(0) === 118) if (VERSION.test(value)) return 'version';
  if (!startsWord(value.charCodeAt(0)) && QUANTITY.test(value)) return 'number';
  if (value.length < 4 || (bits & LETTERS) === 0) return undefined;
  if (value.charCodeAt(0) === 35 && ORDER.test(value)) return 'id';
  if ((bits & ~HEX_BITS) === 0 && value.length > 6 && HEX.test(value)) return 'id';
  if (value.length === 36 && UUID.test(value)) return 'id';
  if ((bits & UPPER) !== 0 && isError(value, bits)) return 'error';
  if ((bits & (UNDERSCORE | LOWER)) === UNDERSCORE && CONSTANT.test(value)) return 'constant';
  if ((bits & JOINER) !== 0 && isFile(value)) return 'path';
  if ((bits & (DASH | UNDERSCORE)) !== 0 || (bits & LOWER) === 0) if (TICKET.test(value)) return 'id';
  return (bits & (HUMP | TURN)) !== 0 ? 'symbol' : humped(value);
}

// A class by its ending, an errno by its first letter.
function isError(value: string, bits: number): boolean {
  if ((bits & LOWER) !== 0) return endsLikeError(value, value.length) && ERROR_CLASS.test(value);
  return (value.charCodeAt(0) === 69 || (bits & DIGIT) !== 0) && ERROR.test(value);
}

function startsWord(code: number): boolean {
  return isCapital(code) || (code >= 97 && code <= 122) || code === 95;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

const humped = (value: string): FactKind | undefined => (HUMPED.test(value) ? 'symbol' : undefined);

/** Whether the text up to an end may be the name of a class of errors: nearly none is. */
export function endsLikeError(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1);
  return last === 114 || last === 110;
}

/** True for `-v` and `--verbose`. */
export function isFlag(value: string): boolean {
  return FLAG.test(value);
}

function isFile(value: string): boolean {
  if (value.charCodeAt(0) === 46 && DOTFILE.test(value)) return true;
  const least = Math.max(0, value.length - LONGEST_ENDING);
  let from = value.length;
  while (from > least && value.charCodeAt(from - 1) !== 46) from -= 1;
  const isNamed = from === 0 || value.charCodeAt(from - 1) === 46;
  return isNamed && ENDINGS.has(value.slice(from)) && FILE.test(value);
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
const HUMPED = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|[a-z]\.[A-Za-z]|[A-Z]{2}[a-z]|[A-Za-z]\d|@\w/;
