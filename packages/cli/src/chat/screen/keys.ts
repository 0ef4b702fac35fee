/** Keys that mean something beside the text they type. */
export type KeyName =
  | 'enter'
  | 'newline'
  | 'tab'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'delete-word'
  | 'delete-start'
  | 'delete-end'
  | 'interrupt'
  | 'end-of-input'
  | 'details';

/** What came from the keyboard. */
export type Press =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'key'; readonly key: KeyName };

/** Reads what a terminal sends in raw mode, whatever pieces it comes in. */
export type KeyReader = {
  readonly read: (chunk: string) => readonly Press[];
  /** What is left when nothing more comes: a lone Esc is the key. */
  readonly flush: () => readonly Press[];
};

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';

/** Makes a reader. A paste may come in thousands of pieces: it is gathered without being read again. */
export function createKeyReader(): KeyReader {
  let open = '';
  let paste: string[] | undefined;
  const take = (text: string): Taken | undefined => {
    if (paste !== undefined) {
      const taken = takePaste(text, paste);
      if (taken.press !== undefined) paste = undefined;
      return taken;
    }
    if (!text.startsWith(PASTE_START)) return takeOne(text);
    paste = [];
    return { length: PASTE_START.length };
  };
  const read = (chunk: string): readonly Press[] => {
    const presses: Press[] = [];
    open += chunk;
    while (open !== '') {
      const taken = take(open);
      if (taken === undefined || taken.length === 0) break;
      if (taken.press !== undefined) presses.push(taken.press);
      open = open.slice(taken.length);
    }
    return presses;
  };
  const flush = (): readonly Press[] => {
    const isEscape = paste === undefined && open === '\u001b';
    if (paste === undefined) open = '';
    return isEscape ? [{ kind: 'key', key: 'escape' }] : [];
  };
  return { read, flush };
}

/** Goes on with a paste; it is a press once its end has come. */
function takePaste(text: string, gathered: string[]): Taken {
  const end = text.indexOf(PASTE_END);
  // The end mark may be cut in two.
  const length = end < 0 ? text.length - cutMark(text) : end;
  gathered.push(text.slice(0, length));
  if (end < 0) return { length };
  const pasted = gathered.join('').replace(/\r\n?/g, '\n');
  return { length: length + PASTE_END.length, press: { kind: 'paste', text: pasted } };
}

/** Characters at the end that may begin the end of a paste. */
function cutMark(text: string): number {
  for (let length = Math.min(PASTE_END.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(PASTE_END.slice(0, length))) return length;
  }
  return 0;
}

type Taken = { readonly length: number; readonly press?: Press };

/** The first press of a text; `undefined` where more must come to tell. */
function takeOne(text: string): Taken | undefined {
  if (text.charAt(0) === '\u001b') return takeEscape(text);
  const key = CONTROLS.get(text.charAt(0));
  if (key !== undefined) return { length: 1, press: { kind: 'key', key } };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they end what is typed
  const typed = /^[^\u0000-\u001f\u007f]+/.exec(text)?.[0];
  return typed === undefined ? { length: 1 } : { length: typed.length, press: { kind: 'text', text: typed } };
}

function takeEscape(text: string): Taken | undefined {
  if (text.length === 1) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
  const sequence = /^\u001b(?:\[\[?[0-9;?<>=:]*[ -/]*[@-~]|O[A-Za-z])/.exec(text)?.[0];
  if (sequence !== undefined) {
    const key = keyOf(sequence);
    return key === undefined ? { length: sequence.length } : { length: sequence.length, press: { kind: 'key', key } };
  }
  if (text.charAt(1) === '[' || text.charAt(1) === 'O')
    return text.length > LONGEST_SEQUENCE ? { length: 1 } : undefined;
  const key = ALT.get(text.charAt(1));
  // Esc and a letter that means nothing together: the Esc was one.
  return key === undefined
    ? { length: 1, press: { kind: 'key', key: 'escape' } }
    : { length: 2, press: { kind: 'key', key } };
}

const LONGEST_SEQUENCE = 32;

const CONTROLS: ReadonlyMap<string, KeyName> = new Map([
  ['\r', 'enter'],
  ['\n', 'newline'],
  ['\t', 'tab'],
  ['\u007f', 'backspace'],
  ['\b', 'backspace'],
  ['\u0001', 'home'],
  ['\u0005', 'end'],
  ['\u0003', 'interrupt'],
  ['\u0004', 'end-of-input'],
  ['\u000b', 'delete-end'],
  ['\u000f', 'details'],
  ['\u0010', 'up'],
  ['\u000e', 'down'],
  ['\u0015', 'delete-start'],
  ['\u0017', 'delete-word'],
]);

const ALT: ReadonlyMap<string, KeyName> = new Map([
  ['\r', 'newline'],
  ['\n', 'newline'],
  ['b', 'word-left'],
  ['f', 'word-right'],
  ['\u007f', 'delete-word'],
]);

const SEQUENCES: ReadonlyMap<string, KeyName> = new Map([
  ['[A', 'up'],
  ['[B', 'down'],
  ['[C', 'right'],
  ['[D', 'left'],
  ['OA', 'up'],
  ['OB', 'down'],
  ['OC', 'right'],
  ['OD', 'left'],
  ['OM', 'enter'],
  ['[H', 'home'],
  ['[F', 'end'],
  ['OH', 'home'],
  ['OF', 'end'],
  ['[1~', 'home'],
  ['[4~', 'end'],
  ['[7~', 'home'],
  ['[8~', 'end'],
  ['[3~', 'delete'],
  ['[1;5C', 'word-right'],
  ['[1;5D', 'word-left'],
  ['[1;3C', 'word-right'],
  ['[1;3D', 'word-left'],
  // Enter with Shift or Alt, as terminals send it that tell keys apart.
  ['[13;2u', 'newline'],
  ['[13;3u', 'newline'],
  ['[13;4u', 'newline'],
  ['[27;2;13~', 'newline'],
  ['[27;3;13~', 'newline'],
  ['[13u', 'enter'],
  ['[9u', 'tab'],
  ['[27u', 'escape'],
  ['[127u', 'backspace'],
]);

function keyOf(sequence: string): KeyName | undefined {
  const known = SEQUENCES.get(sequence.slice(1));
  if (known !== undefined) return known;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
  const [, code, modifier] = /^\u001b\[(\d+);([35])u$/.exec(sequence) ?? [];
  if (code === undefined) return undefined;
  return modifier === '3'
    ? ALT.get(String.fromCharCode(Number(code)))
    : CONTROLS.get(String.fromCharCode(Number(code) & 31));
}
