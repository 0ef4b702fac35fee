import { isObject, listOf, type Native, stringOf } from '../formats/native.ts';
import type { Segment } from './segments.ts';

/** What a tool call does, as its arguments show it. */
export type Action =
  | { readonly kind: 'file'; readonly paths: readonly string[]; readonly status: FileStatus }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | { readonly kind: 'other' };

type FileStatus = 'read' | 'created' | 'changed' | 'deleted';
export type Todo = { readonly text: string; readonly status: 'todo' | 'in progress' | 'done' };

/** Reads a call segment by the shape of its arguments, whatever the agent calls its tools. */
export function actionOf({ tool = '', input, text }: Segment): Action {
  const patched = [...text.matchAll(PATCHED)].map((match) => match[1] ?? '');
  if (patched.length > 0) return { kind: 'file', paths: patched, status: 'changed' };
  if (!isObject(input)) return { kind: 'other' };
  const todos = todosOf(input);
  if (todos.length > 0) return { kind: 'todos', todos };
  const command = firstOf(input, COMMAND_KEYS);
  const path = firstOf(input, PATH_KEYS);
  const status = STATUSES.find(([words]) =>
    words.test(command === '' || path === '' ? tool : `${tool} ${command}`),
  )?.[1];
  if (path !== '' && status !== undefined) return { kind: 'file', paths: [path], status };
  return command === '' ? { kind: 'other' } : { kind: 'command', command };
}

const PATCHED = /^(?:input: )?\*\*\* (?:Update|Add|Delete) File: (\S+)/gm;
const COMMAND_KEYS = ['command', 'cmd', 'script', 'code'] as const;
const PATH_KEYS = [
  'file_path',
  'filePath',
  'path',
  'filename',
  'absolute_path',
  'file',
  'notebook_path',
  'target_file',
] as const;
const STATUSES: readonly (readonly [RegExp, FileStatus])[] = [
  [/delete|remove/i, 'deleted'],
  [/edit|replace|patch|update|insert|modify/i, 'changed'],
  [/write|create|save/i, 'created'],
  [/read|view|open|cat/i, 'read'],
];

function firstOf(input: Native, keys: readonly string[]): string {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value)) return value.map(stringOf).join(' ');
  }
  return '';
}

function todosOf(input: Native): readonly Todo[] {
  const list = listOf(input['todos'] ?? input['plan'] ?? input['items']);
  return list.flatMap((item) => {
    if (!isObject(item)) return [];
    const text = firstOf(item, ['content', 'step', 'text', 'title', 'description', 'task']);
    return text === '' ? [] : [{ text, status: todoStatus(stringOf(item['status'])) }];
  });
}

/** A todo's state by any agent's word for it. */
export function todoStatus(word: string): Todo['status'] {
  if (/^(?:done|completed?|x|finished|cancelled)$/i.test(word)) return 'done';
  return /progress|active|doing|started/i.test(word) ? 'in progress' : 'todo';
}
