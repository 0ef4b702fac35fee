import type { FactKind } from '../model/facts.ts';
import { bitsOf, DASH, DIGIT, HUMP, INNER, JOINER, LOWER, MARK, SLASH, TURN, UNDERSCORE, UPPER } from './classes.ts';

/** What a part of a run is; `undefined` for a plain word. */
export function kindAt(text: string, start: number, end: number): FactKind | undefined {
  return kindBy(text, { start, end, bits: bitsOf(text, start, end) });
}

/** What a run is whose bits are known: they spare it most of the patterns. */
export function kindBy(text: string, { start, end, bits }: Run): FactKind | undefined {
  const length = end - start;
  if (length < 2) return undefined;
  if (text.charCodeAt(start) === 45 && FLAG.test(text.slice(start, end))) return 'flag';
  if ((bits & SLASH) !== 0) return length > 4 && (bits & LETTERS) !== 0 ? 'path' : undefined;
  if ((bits & DIGIT) !== 0) return kindWithDigits(text.slice(start, end), bits);
  if (length < 4 || (bits & NAMING) === 0) return undefined;
  return kindOfWord(text.slice(start, end), bits);
}

/** A stretch of a text, end exclusive, and the bits of what it holds. */
export type Run = { readonly start: number; readonly end: number; readonly bits: number };

const LETTERS = LOWER | UPPER;
// What a word without digits has at least one of, where it names something.
const NAMING = UPPER | JOINER | UNDERSCORE | MARK;

function kindOfWord(value: string, bits: number): FactKind | undefined {
  if ((bits & UPPER) !== 0 && isError(value, bits)) return 'error';
  if ((bits & (UNDERSCORE | LOWER)) === UNDERSCORE && CONSTANT.test(value)) return 'constant';
  if ((bits & JOINER) !== 0 && isFile(value)) return 'path';
  if ((bits & HUMP) !== 0) return 'symbol';
  return (bits & (UNDERSCORE | INNER | MARK)) !== 0 || (bits & LETTERS) === LETTERS ? humped(value) : undefined;
}

function kindWithDigits(value: string, bits: number): FactKind | undefined {
  if ((bits & (LETTERS | UNDERSCORE)) === 0)
    return NUMBER.test(value) ? 'number' : VERSION.test(value) ? 'version' : undefined;
  if ((bits & JOINER) !== 0 || value.charCodeAt(0) === 118) if (VERSION.test(value)) return 'version';
  if (!STARTS_WORD.test(value) && QUANTITY.test(value)) return 'number';
  if (value.length < 4 || (bits & LETTERS) === 0) return undefined;
  if ((bits & UPPER) === 0 && HEX.test(value)) return 'id';
  if (value.length === 36 && UUID.test(value)) return 'id';
  if ((bits & UPPER) !== 0 && isError(value, bits)) return 'error';
  if ((bits & (UNDERSCORE | LOWER)) === UNDERSCORE && CONSTANT.test(value)) return 'constant';
  if ((bits & JOINER) !== 0 && isFile(value)) return 'path';
  if ((bits & (DASH | UNDERSCORE)) !== 0 || (bits & LOWER) === 0) if (TICKET.test(value)) return 'id';
  return (bits & (HUMP | TURN)) !== 0 ? 'symbol' : humped(value);
}

// A class by its ending, an errno by its first letter.
function isError(value: string, bits: number): boolean {
  if ((bits & LOWER) !== 0) return (value.endsWith('Error') || value.endsWith('Exception')) && WORD.test(value);
  return (value.charCodeAt(0) === 69 || (bits & DIGIT) !== 0) && ERROR.test(value);
}

const humped = (value: string): FactKind | undefined => (HUMPED.test(value) ? 'symbol' : undefined);

function isFile(value: string): boolean {
  const ending = value.slice(value.lastIndexOf('.') + 1);
  return (ENDINGS.has(ending) && FILE.test(value)) || (value.charCodeAt(0) === 46 && DOTFILE.test(value));
}

const STARTS_WORD = /^[A-Za-z_]/;
const FLAG = /^--[A-Za-z][\w-]*$|^-[A-Za-z]\w{0,2}$/;
const NUMBER = /^[$#~-]?\d+(?:\.\d+)?%?$/;
const QUANTITY = /^[$~]?\d+(?:\.\d+)?(?:[kKMGT]?i?[bB]|[munµ]?s|min|h|px|em|x|[kKM])$/;
const VERSION = /^v?\d+\.\d+\.[\w.-]+$|^v\d[\d.]*$/;
const HEX = /^(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}$/;
const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
// Codes of errnos, compilers and linters; any other word with digits is an id.
const ERROR = /^(?:E[A-Z]{4,}|(?:E|W|F|C|TS|CS|LNK|ORA|PGRST|HTTP|SC|MSB|CA|B)\d{3,6})$/;
const WORD = /^\w+$/;
const CONSTANT = /^_?[A-Z][A-Z0-9]*_[A-Z0-9_]*$/;
const FILE = /^[\w.@~-]+$/;
const ENDINGS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'js jsx cjs mjs cjsx mjsx ts tsx cts mts ctsx mtsx json jsonc jsonl yaml yml toml md txt log lock py go rs rb java ' +
    'kt cs php swift c h cc cpp hpp sh sql htm html css scss vue svg png jpg jpeg pdf csv xml env ini cfg conf proto gz zip'
  ).split(' '),
);
const DOTFILE =
  /^\.(?:env|git\w{4,12}|npmrc|nvmrc|eslintrc|prettierrc|dockerignore|editorconfig|babelrc)(?:\.[\w-]+)*$/;
// Letters and digits with a dash or underscore between: order, ticket and session ids.
const TICKET = /^(?=\D*\d)[A-Za-z0-9]+[_-][\w-]+$|^(?=\D*\d)[A-Z0-9]{6,}$|^[A-Z]{2,5}\d{2,6}$/;
const HUMPED = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|[a-z]\.[A-Za-z]|[A-Z]{2}[a-z]|[A-Za-z]\d|@\w/;
