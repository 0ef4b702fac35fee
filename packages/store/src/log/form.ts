/**
 * A message in the one form its id is made from, in the characters it came in: without marks for the provider's cache, which clients
 * move on with every turn, and with a text alone where a list holds that one text and nothing else, since some clients write
 * a marked message as a list and the others as a text. Text that is no JSON stays as it is.
 */
export function plainForm(native: string): string {
  if (!mayDiffer(native)) return native;
  try {
    const { end, plain } = messageAt(native, skipSpace(native, 0));
    return native.slice(0, skipSpace(native, 0)) + plain + native.slice(end);
  } catch {
    // No JSON, or nested too deep to be gone through.
    return native;
  }
}

// A search for one word is several times faster than the pattern, and all of a history goes through here with each request.
function mayDiffer(native: string): boolean {
  return native.includes('"cache_control"') || (native.includes('"type"') && TYPED.test(native));
}

const TYPED = /"type"\s*:\s*"(?:message|text|input_text|output_text)"/;

/** A value's form, and where the value ends. */
type Form = { readonly plain: string; readonly end: number };

type Member = { readonly key: string; readonly written: string; readonly form: Form };

/** A message: its content, and in Responses an item whose type may be left out. */
function messageAt(text: string, at: number): Form {
  const { members, ...whole } = objectAt(text, at);
  const isItem = members.some(({ key }) => key === 'role');
  return joined(
    whole,
    members,
    ({ key, form }) => isMark(key) || (isItem && key === 'type' && form.plain === '"message"'),
  );
}

function blockAt(text: string, at: number): Form & { readonly only?: string } {
  if (text[at] !== '{') return valueAt(text, at);
  const { members, ...whole } = objectAt(text, at);
  const form = joined(whole, members, ({ key }) => isMark(key));
  const own = new Map(members.filter(({ key }) => !isMark(key)).map(({ key, form: { plain } }) => [key, plain]));
  const [type, words] = [own.get('type') ?? '', own.get('text') ?? ''];
  const isWords = own.size === 2 && TEXTS.has(type) && words.startsWith('"');
  return isWords ? { ...form, only: words } : form;
}

const TEXTS: ReadonlySet<string> = new Set(['"text"', '"input_text"', '"output_text"']);

function isMark(key: string): boolean {
  return key === 'cache_control';
}

type Whole = { readonly open: string; readonly close: string; readonly end: number };

/** An object without some of its members: a comma goes with the member behind it, or with a first one. */
function joined({ open, close, end }: Whole, members: readonly Member[], isLeftOut: (member: Member) => boolean): Form {
  const kept = members.filter((member) => !isLeftOut(member));
  const written = kept.map(({ written: key, form }, at) => (at === 0 ? key.replace(/^,\s*/, '') : key) + form.plain);
  return { plain: open + written.join('') + close, end };
}

/** Members with what is written in front of each value, from the comma on. */
function objectAt(text: string, from: number): Whole & { readonly members: readonly Member[] } {
  expect(text, from, '{');
  const members: Member[] = [];
  const first = skipSpace(text, from + 1);
  let at = first;
  let start = first;
  while (text[at] !== '}') {
    if (members.length > 0) at = skipSpace(text, expect(text, at, ','));
    const keyEnd = skipString(text, at);
    const key = text.slice(at + 1, keyEnd - 1);
    at = skipSpace(text, expect(text, skipSpace(text, keyEnd), ':'));
    const form = HOLDERS.has(key) ? contentAt(text, at) : valueAt(text, at);
    members.push({ key, written: text.slice(start, at), form });
    start = form.end;
    at = skipSpace(text, form.end);
  }
  return { members, open: text.slice(from, first), close: text.slice(start, at + 1), end: at + 1 };
}

// Blocks stand in messages, results of tools, and documents. Whatever else holds such keys is data, as a call's input is.
const HOLDERS: ReadonlySet<string> = new Set(['content', 'output', 'source']);

function contentAt(text: string, from: number): Form {
  if (text[from] === '{') return blockAt(text, from);
  if (text[from] !== '[') return valueAt(text, from);
  const parts: string[] = [];
  let only: string | undefined;
  let at = skipSpace(text, from + 1);
  let start = from;
  let count = 0;
  while (text[at] !== ']') {
    if (count > 0) at = skipSpace(text, expect(text, at, ','));
    const block = blockAt(text, at);
    parts.push(text.slice(start, at), block.plain);
    only = block.only;
    count += 1;
    start = block.end;
    at = skipSpace(text, block.end);
  }
  const plain = count === 1 && only !== undefined ? only : parts.join('') + text.slice(start, at + 1);
  return { plain, end: at + 1 };
}

/** A value that is not looked into. */
function valueAt(text: string, from: number): Form {
  const end = skipValue(text, from);
  return { plain: text.slice(from, end), end };
}

function skipValue(text: string, from: number): number {
  if (text[from] === '"') return skipString(text, from);
  if (text[from] !== '{' && text[from] !== '[') {
    const end = from + (/^[-+.\w]+/.exec(text.slice(from, from + 400))?.[0].length ?? 0);
    return end > from ? end : fail(from);
  }
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = skipString(text, at) - 1;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return fail(from);
}

/** Behind a string: found by search, so that a long one costs a quick look. */
function skipString(text: string, from: number): number {
  let at = expect(text, from, '"');
  for (;;) {
    at = text.indexOf('"', at);
    if (at < 0) return fail(from);
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
    at += 1;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return at;
}

function expect(text: string, at: number, wanted: string): number {
  return text[at] === wanted ? at + 1 : fail(at);
}

function fail(at: number): never {
  throw new SyntaxError(`no JSON at ${at}`);
}
