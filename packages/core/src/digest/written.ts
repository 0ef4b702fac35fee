import type { Segment } from '../facts/segments.ts';
import { isObject } from '../formats/native.ts';
import { editsIn, isText, newSide } from './edits.ts';

/** What a call writes: never what it replaces, never the names of its arguments. */
export function newLines({ input, text }: Segment): readonly string[] {
  if (!isObject(input)) return newSide(text);
  const lines: string[] = [];
  for (const [name, value] of Object.entries(input)) gather(name, value, lines);
  return lines;
}

function gather(name: string, value: unknown, lines: string[]): void {
  if (OLD.test(name)) return;
  if (typeof value === 'string') {
    if (NEW.test(name) || value.length > SHORT || value.includes('\n'))
      for (const line of isText(name) ? value.split('\n') : newSide(value)) lines.push(line);
  } else if (Array.isArray(value)) for (const item of value) gatherAll(item, lines);
  else gatherAll(value, lines);
}

function gatherAll(value: unknown, lines: string[]): void {
  if (isObject(value))
    for (const [name, inner] of Object.entries(value)) if (typeof inner === 'string') gather(name, inner, lines);
}

const SHORT = 40;
const NEW = /^(?:new|content|text|file_text|insert|replace|source)/i;
const OLD =
  /^(?:old|search|find|command|cmd|description|justification|file_?path|path|workdir|cwd|prompt$|pattern|instructions?$|explanation$|reason(?:ing)?$)/i;

/** What a patch writes into each of its files, by path. */
export function patchedLines(text: string): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const { path, next } of editsIn(text)) {
    const lines = files.get(path);
    if (path !== '' && lines === undefined) files.set(path, [...next]);
    else if (lines !== undefined) for (const line of next) lines.push(line);
  }
  return files;
}

/** What a command's here-documents write into files, by path. */
export function heredocsIn(command: string): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, readonly string[]>();
  if (!command.includes('<<')) return files;
  let [path, end]: [string, string | undefined] = ['', undefined];
  let body: string[] = [];
  for (const line of command.slice(0, LONGEST).split('\n')) {
    if (end === undefined) {
      end = HEREDOC.exec(line)?.[1];
      path = INTO.exec(line)?.[1] ?? '';
      body = [];
    } else if (line.trim() === end) {
      if (path !== '') files.set(path, body);
      end = undefined;
    } else body.push(line);
  }
  return files;
}

const LONGEST = 200_000;
const HEREDOC = /<<-?\s*['"\\]?(\w+)/;
const INTO = /(?:\btee (?:-a )?|(?<![\d&])>>?\s*)["']?([^\s"'<>|&;$()]{1,300})/;
