import type { Segment } from '../facts/segments.ts';
import { isObject, type Native } from '../formats/native.ts';

/** What a change takes out of a file and what it puts in its place. `path` is `''` where only the call names the file. */
export type Edit = {
  readonly path: string;
  readonly old: readonly string[];
  readonly next: readonly string[];
  /** Whole lines, as in a diff; else the first and the last one may be parts of lines. */
  readonly isWhole: boolean;
};

/** The replacements of a call, whatever the shape of its arguments: pairs of texts, search-and-replace blocks, patches. */
export function editsOf({ input, text }: Segment): readonly Edit[] {
  if (!isObject(input)) return editsIn(text);
  const edits: Edit[] = [];
  gather(input, edits, 0);
  return edits;
}

function gather(input: Native, edits: Edit[], depth: number): void {
  const pair = pairOf(input);
  if (pair !== undefined) edits.push(pair);
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === 'string') {
      if (!isText(name)) for (const edit of editsIn(value)) edits.push(edit);
    } else if (depth < DEEPEST)
      for (const item of Array.isArray(value) ? value : [value]) if (isObject(item)) gather(item, edits, depth + 1);
  }
}

const DEEPEST = 2;

function pairOf(input: Native): Edit | undefined {
  const old = valueAt(input, OLD);
  // Text is put beside what is found.
  if (old === '' || ADDING.test(String(input['operation'] ?? ''))) return undefined;
  return { path: '', old: old.split('\n'), next: valueAt(input, NEW).split('\n'), isWhole: false };
}

/** A file may hold a diff; what is given as its text is no change of it. */
export function isText(name: string): boolean {
  return OLD.test(name) || NEW.test(name) || /^(?:file_)?(?:content|text)s?$/i.test(name);
}

const OLD = /^(?:old(?:_?(?:str(?:ing)?|text|content|code|lines?))?|search|find|original)$/i;
const NEW = /^(?:new(?:_?(?:str(?:ing)?|text|content|code|lines?))?|replace(?:ment|_?with)?|content|text)$/i;
const ADDING = /append|prepend|insert/i;

function valueAt(input: Native, names: RegExp): string {
  const found = Object.entries(input).find(([name, value]) => names.test(name) && typeof value === 'string');
  return typeof found?.[1] === 'string' ? found[1] : '';
}

/** The replacements that stand in a text: search-and-replace blocks, a patch, a unified diff. */
export function editsIn(text: string): readonly Edit[] {
  if (/^<{5,} SEARCH/m.test(text)) return blocksIn(text);
  return text.includes('*** Begin Patch') || /^(?:@@ |\+\+\+ )/m.test(text) ? patchesIn(text) : [];
}

/** The lines that a text puts in; all of them where it replaces nothing. */
export function newSide(text: string): readonly string[] {
  const edits = editsIn(text);
  return edits.length === 0 ? text.split('\n') : edits.flatMap(({ next }) => next);
}

function blocksIn(text: string): readonly Edit[] {
  const edits: Edit[] = [];
  let old: string[] = [];
  let next: string[] = [];
  let side: string[] | undefined;
  for (const line of text.split('\n')) {
    if (/^<{5,} SEARCH/.test(line)) {
      old = [];
      next = [];
      side = old;
    } else if (/^={5,}$/.test(line) && side === old) side = next;
    else if (/^>{5,} REPLACE/.test(line)) {
      edits.push({ path: '', old, next, isWhole: true });
      side = undefined;
    } else side?.push(line);
  }
  return edits;
}

function patchesIn(text: string): readonly Edit[] {
  const edits: { path: string; old: string[]; next: string[]; isWhole: true }[] = [];
  for (const line of text.split('\n')) {
    const [, path = ''] = PATCHED.exec(line) ?? [];
    if (path !== '' || edits.length === 0) edits.push({ path: path.trim(), old: [], next: [], isWhole: true });
    const edit = edits.at(-1);
    if (line.startsWith('-') && !line.startsWith('--- ')) edit?.old.push(line.slice(1));
    else if (line.startsWith('+') && !line.startsWith('+++ ')) edit?.next.push(line.slice(1));
  }
  return edits;
}

const PATCHED = /^(?:(?:\w+: )?\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?)(.{1,400})$/;
