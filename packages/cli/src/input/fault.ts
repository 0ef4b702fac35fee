/** Where a text stops being JSON, what stands there and what should. */
export type Fault = {
  readonly line: number;
  readonly column: number;
  readonly found: string;
  readonly expected: string;
};

/** The first place where a text is not JSON; `undefined` where all of it is. `JSON.parse` often does not say. */
export function findFault(text: string): Fault | undefined {
  const open: string[] = [];
  let state: State = 'value';
  let at = 0;
  for (;;) {
    at = skipSpace(text, at);
    if (at >= text.length && state === 'end') return undefined;
    const step = stepOf(text, at, { state, isInObject: open.at(-1) === '{' });
    if (typeof step === 'string') return describe(text, at, step);
    if (step.fault !== undefined) return describe(text, step.next, step.fault);
    if (step.opens !== undefined) open.push(step.opens);
    if (step.closes) open.pop();
    state = step.state ?? (open.length === 0 ? 'end' : 'more');
    at = step.next;
  }
}

type State = 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'more' | 'end';
type Step = {
  readonly next: number;
  /** Absent after a whole value: what follows depends on what is open. */
  readonly state?: State;
  readonly opens?: '{' | '[';
  readonly closes?: boolean;
  readonly fault?: string;
};
type Place = { readonly state: State; readonly isInObject: boolean };

/** One token, or what should have stood there. */
function stepOf(text: string, at: number, { state, isInObject }: Place): Step | string {
  const char = text[at];
  switch (state) {
    case 'first-item':
      return char === ']' ? { next: at + 1, closes: true } : valueStep(text, at);
    case 'value':
      return valueStep(text, at);
    case 'first-key':
      return char === '}' ? { next: at + 1, closes: true } : keyStep(text, at, 'a key in double quotes or }');
    case 'key':
      return keyStep(text, at, 'a key in double quotes');
    case 'colon':
      return char === ':' ? { next: at + 1, state: 'value' } : 'a colon';
    case 'more':
      if (char === ',') return { next: at + 1, state: isInObject ? 'key' : 'value' };
      return char === (isInObject ? '}' : ']')
        ? { next: at + 1, closes: true }
        : `a comma or ${isInObject ? '}' : ']'}`;
    case 'end':
      return 'the end';
    default:
      return state satisfies never;
  }
}

function keyStep(text: string, at: number, expected: string): Step | string {
  return text[at] === '"' ? { ...stringStep(text, at), state: 'colon' } : expected;
}

function valueStep(text: string, at: number): Step | string {
  const char = text[at];
  if (char === '{') return { next: at + 1, opens: '{', state: 'first-key' };
  if (char === '[') return { next: at + 1, opens: '[', state: 'first-item' };
  if (char === '"') return stringStep(text, at);
  PLAIN.lastIndex = at;
  const match = PLAIN.exec(text);
  return match === null ? 'a value' : { next: at + match[0].length };
}

const PLAIN = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function stringStep(text: string, start: number): Step {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { next: at + 1 };
    if (code < 0x20) return { next: at, fault: 'an escape such as \\n inside the string' };
    if (code !== 0x5c) continue;
    ESCAPE.lastIndex = at;
    const match = ESCAPE.exec(text);
    if (match === null) return { next: at, fault: 'a valid escape' };
    at += match[0].length - 1;
  }
  return { next: at, fault: 'the closing quote of a string' };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && SPACE.has(text.charCodeAt(at))) at += 1;
  return at;
}

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

function describe(text: string, at: number, expected: string): Fault {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  let line = 1;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line += 1;
  return { line, column: at - lineStart + 1, found: foundAt(text, at), expected };
}

function foundAt(text: string, at: number): string {
  if (at >= text.length) return 'the end of the text';
  const word = /^[\w.+-]{1,20}/.exec(text.slice(at, at + 20))?.[0];
  return JSON.stringify(word ?? String.fromCodePoint(text.codePointAt(at) ?? 0));
}
