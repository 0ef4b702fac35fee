import type { FactKind } from '../model/facts.ts';

/** A stretch of a text, end exclusive. */
export type Span = { readonly start: number; readonly end: number };

/** Told of every identifier: its kind and where it stands, end exclusive. */
export type Found = (kind: FactKind, start: number, end: number) => void;

/** Splits a run without spaces into its identifiers. */
export function readRun(text: string, { start, end }: Span, found: Found): void {
  const run = text.slice(start, end);
  const scheme = run.includes('://') ? run.search(SCHEME) : -1;
  const whole = scheme >= 0 ? 'url' : wholeKind(run);
  if (whole !== undefined) {
    // A time of day behind a date is no part of it.
    found(whole, start + Math.max(scheme, 0), whole === 'date' && run.length > 10 ? start + 10 : end);
    return;
  }
  let from = start;
  for (let index = start; index <= end; index += 1) {
    if (index < end && SEPARATORS[text.charCodeAt(index)] !== 1) continue;
    if (index - from > 1) readPiece(text, { start: from, end: index }, found);
    from = index + 1;
  }
}

function wholeKind(run: string): FactKind | undefined {
  const first = run.charCodeAt(0);
  const isNumeric = (first >= 48 && first <= 57) || first === 35 || first === 36;
  if (!isNumeric) return DRIVE.test(run) ? 'path' : run.includes('@') ? kindAround(run) : undefined;
  if (DATE.test(run)) return 'date';
  return AMOUNT.test(run) ? 'number' : undefined;
}

/** `name@1.2.3` is a version, `ann@example.org` an address. */
function kindAround(run: string): FactKind | undefined {
  return PINNED.test(run) ? 'version' : ADDRESS.test(run) ? 'id' : undefined;
}

const PINNED = /^@?[\w./-]{1,100}@[\^~]?\d[\w.-]*$/;
const ADDRESS = /^[\w.+-]{1,100}@[\w-]{1,100}\.[\w.-]*\w$/;
const SCHEME = /[a-z]+:\/\//;
const DATE = /^(?:\d{4}-\d\d-\d\d(?=$|T)|\d{1,2}[./]\d{1,2}[./]\d{4}$|\d{1,2}:\d\d(?::\d\d)?$|\d{1,2}h\d\d$)/;
const AMOUNT = /^[$#]?\d{1,3}(?:,\d{3})+(?:\.\d+)?%?$/;
const DRIVE = /^[A-Za-z]:\\\w/;
// `\n` and `\t` of an escaped text are separators, as are a line number behind a path and an assignment.
const SEPARATORS = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) =>
  ':=&?,\\+'.includes(String.fromCharCode(code)) ? 1 : 0,
);

function readPiece(text: string, span: Span, found: Found): void {
  let { start, end } = span;
  while (end > start && isEdge(text.charCodeAt(end - 1))) end -= 1;
  if (text.charCodeAt(start) === 46 && text.charCodeAt(start + 1) === 46 && text.charCodeAt(start + 2) === 46)
    start += 3;
  const value = text.slice(start, end);
  if (WIDE.test(value)) {
    readMixed(text, { start, end }, found);
    return;
  }
  const kind = kindOf(value);
  if (kind !== 'symbol' || !value.includes('.')) {
    if (kind !== undefined) found(kind, start, end);
    return;
  }
  // `object.memberName` is known by its members; the object is often a plain word.
  let from = start;
  let hasMember = false;
  for (const member of value.split('.')) {
    const inner = kindOf(member);
    if (inner !== undefined) found(inner, from, from + member.length);
    hasMember ||= inner !== undefined;
    from += member.length + 1;
  }
  if (!hasMember) found('symbol', start, end);
}

/** Scripts without spaces stand against an identifier with nothing between: the Latin part is taken out. */
function readMixed(text: string, { start, end }: Span, found: Found): void {
  const value = text.slice(start, end);
  if (value.includes('/')) {
    const from = /^[\u3040-\u9fff\uac00-\ud7af]+(?=[\w.@~-]+\/)/.exec(value)?.[0].length ?? 0;
    const rest = value.slice(from);
    const to = /\.[a-z]{1,5}(?=[\u3040-\u9fff\uac00-\ud7af]+$)/.exec(rest);
    found('path', start + from, to === null ? end : start + from + to.index + to[0].length);
    return;
  }
  for (const { 0: piece, index } of value.matchAll(/[\w.@$#%-]{2,}/g)) {
    const kind = kindOf(piece);
    if (kind !== undefined) found(kind, start + index, start + index + piece.length);
  }
}

const WIDE = /[\u3040-\u9fff\uac00-\ud7af]/;

function isEdge(code: number): boolean {
  return code === 46 || code === 45 || code === 47;
}

/** What a single piece is; `undefined` for a plain word. */
function kindOf(value: string): FactKind | undefined {
  if (value.length < 2) return undefined;
  if (value.startsWith('-') && FLAG.test(value)) return 'flag';
  if (value.includes('/')) return value.length > 4 && SOME_LETTER.test(value) ? 'path' : undefined;
  if (SOME_DIGIT.test(value)) return kindWithDigits(value);
  if (value.length < 4) return undefined;
  if (ERROR.test(value)) return 'error';
  if (CONSTANT.test(value)) return 'constant';
  if (value.includes('.') && (FILE.test(value) || DOTFILE.test(value))) return 'path';
  return HUMPED.test(value) ? 'symbol' : undefined;
}

function kindWithDigits(value: string): FactKind | undefined {
  if (NUMBER.test(value)) return 'number';
  if (VERSION.test(value)) return 'version';
  if (QUANTITY.test(value)) return 'number';
  if (value.length < 4 || !SOME_LETTER.test(value)) return undefined;
  if (HEX.test(value) || UUID.test(value)) return 'id';
  if (ERROR.test(value)) return 'error';
  if (CONSTANT.test(value)) return 'constant';
  if (value.includes('.') && FILE.test(value)) return 'path';
  if (TICKET.test(value)) return 'id';
  return HUMPED.test(value) ? 'symbol' : undefined;
}

const SOME_DIGIT = /\d/;
const SOME_LETTER = /[A-Za-z\u0080-\uffff]/;
const FLAG = /^--[A-Za-z][\w-]*$|^-[A-Za-z]\w{0,2}$/;
const NUMBER = /^[$#~-]?\d+(?:\.\d+)?%?$/;
const QUANTITY = /^[$~]?\d+(?:\.\d+)?(?:[kKMGT]?i?[bB]|[munµ]?s|min|h|px|em|x|[kKM])$/;
const VERSION = /^v?\d+\.\d+\.[\w.-]+$|^v\d[\d.]*$/;
const HEX = /^(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}$/;
const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
// Codes of errnos, compilers and linters; any other word with digits is an id.
const ERROR = /^(?:E[A-Z]{4,}|(?:E|W|F|C|TS|CS|LNK|ORA|PGRST|HTTP|SC|MSB|CA|B)\d{3,6}|\w*(?:Error|Exception))$/;
const CONSTANT = /^_?[A-Z][A-Z0-9]*_[A-Z0-9_]*$/;
const FILE =
  /^[\w.@~-]*\.(?:[cm]?[jt]sx?|json[cl]?|ya?ml|toml|md|txt|log|lock|py|go|rs|rb|java|kt|cs|php|swift|c|h|cc|cpp|hpp|sh|sql|html?|s?css|vue|svg|png|jpe?g|pdf|csv|xml|env|ini|cfg|conf|proto|gz|zip)$/;
const DOTFILE =
  /^\.(?:env|git\w{4,12}|npmrc|nvmrc|eslintrc|prettierrc|dockerignore|editorconfig|babelrc)(?:\.[\w-]+)*$/;
// Letters and digits with a dash or underscore between: order, ticket and session ids.
const TICKET = /^(?=\D*\d)[A-Za-z0-9]+[_-][\w-]+$|^(?=\D*\d)[A-Z0-9]{6,}$|^[A-Z]{2,5}\d{2,6}$/;
const HUMPED = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|[a-z]\.[A-Za-z]|[A-Z]{2}[a-z]|[A-Za-z]\d|@\w/;
