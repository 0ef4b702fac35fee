import type { KeyName, Press } from './keys.ts';

/** A text being written, where the cursor is in it, and what long pastes stand for. */
export type Editor = {
  readonly text: string;
  /** Index into the text, never inside a character. */
  readonly at: number;
  /** Placeholders of long pastes, with what they stand for. */
  readonly pastes: ReadonlyMap<string, string>;
  /** What was sent before, the newest last. */
  readonly history: readonly string[];
  /** Where in the history, and what was written before going there. */
  readonly past?: { readonly index: number; readonly draft: string };
  /** What was written before it was completed, and what that made of it. */
  readonly completed?: { readonly from: string; readonly to: string };
};

/** What a press made of an editor: a new one, or a text to be sent. */
export type Edited = { readonly editor: Editor; readonly sent?: string };

/** An empty one. */
export function emptyEditor(history: readonly string[] = []): Editor {
  return { text: '', at: 0, pastes: new Map(), history };
}

/** Without what was being written. */
export function cleared({ history, pastes }: Editor): Editor {
  return { ...emptyEditor(history), pastes };
}

// More than this fills the screen and is not read anyway.
const LONG_PASTE = 800;
const LONG_LINES = 8;

/** Takes a press. Keys that are not for writing change nothing. */
export function edit(editor: Editor, press: Press): Edited {
  if (press.kind === 'text') return { editor: inserted(editor, press.text) };
  if (press.kind === 'paste') return { editor: pasted(editor, press.text) };
  if (press.key === 'enter') return entered(editor);
  return { editor: moved(editor, press.key) };
}

/** What is written, with pastes in full. */
function wholeText({ text, pastes }: Editor): string {
  // In one pass, by a function: what was pasted may hold `$&`, or look like a placeholder.
  return text.replace(/\[paste \d+: [^\]]{1,60}\]/g, (placeholder) => pastes.get(placeholder) ?? placeholder);
}

function inserted(editor: Editor, text: string): Editor {
  const { at } = editor;
  return { ...written(editor), text: editor.text.slice(0, at) + text + editor.text.slice(at), at: at + text.length };
}

function written(editor: Editor): Editor {
  const { past: _, ...rest } = editor;
  return rest;
}

function pasted(editor: Editor, text: string): Editor {
  const lines = text.split('\n').length;
  if (text.length <= LONG_PASTE && lines <= LONG_LINES) return inserted(editor, text.replaceAll('\t', '  '));
  const number = editor.pastes.size + 1;
  const placeholder = `[paste ${number}: ${text.length} characters, ${lines} lines]`;
  return inserted({ ...editor, pastes: new Map([...editor.pastes, [placeholder, text]]) }, placeholder);
}

function entered(editor: Editor): Edited {
  // A backslash before Enter works in every terminal.
  if (editor.text.charAt(editor.at - 1) === '\\') {
    return { editor: inserted(removed(editor, editor.at - 1), '\n') };
  }
  const sent = wholeText(editor);
  if (sent.trim() === '') return { editor };
  const shown = editor.text;
  const history = editor.history.at(-1) === shown ? editor.history : [...editor.history, shown];
  // What comes back from the history must be whole, too.
  return { editor: { ...emptyEditor(history), pastes: editor.pastes }, sent };
}

/** Without what stands between a place and the cursor. */
function removed(editor: Editor, to: number): Editor {
  const [from, until] = [Math.min(editor.at, to), Math.max(editor.at, to)];
  return { ...written(editor), text: editor.text.slice(0, from) + editor.text.slice(until), at: from };
}

function moved(editor: Editor, key: KeyName): Editor {
  const { text, at } = editor;
  switch (key) {
    case 'newline':
      return inserted(editor, '\n');
    case 'left':
      return { ...editor, at: before(text, at) };
    case 'right':
      return { ...editor, at: after(text, at) };
    case 'word-left':
      return { ...editor, at: wordBefore(text, at) };
    case 'word-right':
      return { ...editor, at: at + (/^\s*\S*/.exec(text.slice(at))?.[0].length ?? 0) };
    case 'home':
      return { ...editor, at: lineStart(text, at) };
    case 'end':
      return { ...editor, at: lineEnd(text, at) };
    case 'backspace':
      return removed(editor, before(text, at));
    case 'delete':
      return removed(editor, after(text, at));
    case 'delete-word':
      return removed(editor, wordBefore(text, at));
    case 'delete-start':
      return removed(editor, lineStart(text, at));
    case 'delete-end':
      return removed(editor, lineEnd(text, at));
    case 'up':
      return vertical(editor, -1);
    case 'down':
      return vertical(editor, 1);
    default:
      return editor;
  }
}

// Whole characters as people see them: a family of emoji is one.
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function before(text: string, at: number): number {
  const near = text.slice(Math.max(0, at - 64), at);
  const last = [...characters.segment(near)].at(-1)?.segment ?? '';
  return at - last.length;
}

function after(text: string, at: number): number {
  const [first] = characters.segment(text.slice(at, at + 64));
  return at + (first?.segment.length ?? 0);
}

function wordBefore(text: string, at: number): number {
  return at - (/\S*\s*$/.exec(text.slice(0, at))?.[0].length ?? 0);
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** To the line above or below; from the first and last line through the history. */
function vertical(editor: Editor, step: -1 | 1): Editor {
  const { text, at } = editor;
  const start = lineStart(text, at);
  const column = at - start;
  if (step < 0 && start > 0) return { ...editor, at: inLine(text, lineStart(text, start - 1), column) };
  const end = lineEnd(text, at);
  if (step > 0 && end < text.length) return { ...editor, at: inLine(text, end + 1, column) };
  return recalled(editor, step);
}

/** So far into the line that begins there, in front of a character that it would fall into. */
function inLine(text: string, start: number, column: number): number {
  let at = start;
  for (const { segment } of characters.segment(text.slice(start, lineEnd(text, start)))) {
    if (at + segment.length > start + column) break;
    at += segment.length;
  }
  return at;
}

function recalled(editor: Editor, step: -1 | 1): Editor {
  const { history, past } = editor;
  const index = (past?.index ?? history.length) + step;
  const draft = past?.draft ?? editor.text;
  if (index < 0 || index > history.length) return editor;
  const text = index === history.length ? draft : (history[index] ?? '');
  return { ...written(editor), text, at: text.length, ...(index === history.length ? {} : { past: { index, draft } }) };
}
