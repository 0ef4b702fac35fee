import { isObject, listOf, type Native, stringOf } from '../formats/native.ts';
import type { Segment } from './segments.ts';
import { type FileEffect, type FileStatus, shellEffects } from './shell.ts';

/** What a tool call does, as its arguments show it. */
export type Action =
  | { readonly kind: 'files'; readonly effects: readonly FileEffect[] }
  | { readonly kind: 'command'; readonly command: string; readonly effects: readonly FileEffect[] }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | { readonly kind: 'other' };

/** `id`: the task it is by its list's own number; with no text it is an update of that task. */
type Todo = { readonly text: string; readonly status?: TodoStatus; readonly id?: string };
type TodoStatus = 'todo' | 'in progress' | 'done' | 'cancelled';

/** Reads a call segment by the shape of its arguments, whatever the agent calls its tools. */
export function actionOf({ tool = '', input, text }: Segment): Action {
  const patched = patchEffects(text);
  if (patched.length > 0) return { kind: 'files', effects: patched };
  if (!isObject(input)) return { kind: 'other' };
  const todos = todosOf(input, tool);
  if (todos.length > 0) return { kind: 'todos', todos };
  const command = firstOf(input, COMMAND_KEYS);
  const effects = fileEffects(input, tool, command);
  if (effects.length > 0) return { kind: 'files', effects };
  return command === '' ? { kind: 'other' } : { kind: 'command', command, effects: shellEffects(command) };
}

const PATCH_STATUSES: Readonly<Record<string, FileStatus>> = { Update: 'changed', Add: 'created', Delete: 'deleted' };
const PATCHED = /^(?:\w+: )?\*\*\* (Update|Add|Delete) File: (.{1,400})$|^\*\*\* Move to: (.{1,400})$/gm;

function patchEffects(text: string): readonly FileEffect[] {
  if (!text.includes('*** ')) return [];
  return [...text.matchAll(PATCHED)].map(([, verb = '', path, moved = '']) => ({
    path: (path ?? moved).trim(),
    status: PATCH_STATUSES[verb] ?? 'created',
  }));
}

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
  'paths',
  'files',
] as const;
const FROM_KEYS = ['source', 'from', 'old_path', 'oldPath', 'src'] as const;
const TO_KEYS = ['destination', 'to', 'new_path', 'newPath', 'dest', 'dst'] as const;
const STATUSES: readonly (readonly [RegExp, FileStatus])[] = [
  [/delete|remove|^rm$/i, 'deleted'],
  [/^(?:view|open|cat)$/i, 'read'],
  [/create|write|save|touch/i, 'created'],
  [/edit|replace|patch|update|insert|modify|append|undo/i, 'changed'],
  [/read|view|open|cat|fetch_file/i, 'read'],
];

/** An editor's own verb, such as `view` of `str_replace_editor`, says more than the tool's name. */
function fileEffects(input: Native, tool: string, command: string): readonly FileEffect[] {
  const moved = /move|rename|copy/i.test(tool) ? moveEffects(input, tool) : [];
  if (moved.length > 0) return moved;
  const verb = /^\w{1,20}$/.test(command) ? command : command === '' ? tool : '';
  const status = STATUSES.find(([words]) => words.test(verb))?.[1];
  return status === undefined ? [] : pathsIn(input).map((path) => ({ path, status }));
}

function moveEffects(input: Native, tool: string): readonly FileEffect[] {
  const [from, to] = [firstOf(input, FROM_KEYS), firstOf(input, TO_KEYS)];
  if (from === '' || to === '') return [];
  const created: FileEffect = { path: to, status: 'created' };
  return /copy/i.test(tool) ? [created] : [{ path: from, status: 'deleted' }, created];
}

function pathsIn(input: Native): readonly string[] {
  const key = PATH_KEYS.find((name) => stringOf(input[name]) !== '' || listOf(input[name]).length > 0);
  if (key === undefined) return [];
  const one = stringOf(input[key]);
  return one === '' ? listOf(input[key]).map(stringOf).filter(Boolean).slice(0, MOST_PATHS) : [one];
}

const MOST_PATHS = 40;

function firstOf(input: Native, keys: readonly string[]): string {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value)) return spoken(value.map(stringOf));
  }
  return '';
}

/** `['bash', '-lc', 'make']` is `make`. */
function spoken(words: readonly string[]): string {
  return /^(?:\/bin\/)?(?:ba|z|da)?sh$/.test(words[0] ?? '') && /^-\w*c$/.test(words[1] ?? '')
    ? (words[2] ?? '')
    : words.join(' ');
}

function todosOf(input: Native, tool: string): readonly Todo[] {
  const list = listOf(input['todos'] ?? input['plan'] ?? input['items']);
  if (list.length > 0) return list.flatMap((item) => (isObject(item) ? todoOf(item) : []));
  if (!/task|todo/i.test(tool)) return [];
  const id = stringOf(input['taskId'] ?? input['task_id'] ?? input['id']);
  const word = stringOf(input['status']);
  if (/update|complete/i.test(tool) && id !== '')
    return word === '' ? [] : [{ text: '', id, status: todoStatus(word) }];
  const text = firstOf(input, ['subject', 'title', 'content']);
  return /create|add/i.test(tool) && text !== '' ? [{ text, status: todoStatus(word) }] : [];
}

function todoOf(item: Native): readonly Todo[] {
  const text = firstOf(item, ['content', 'step', 'text', 'title', 'subject', 'description', 'task']);
  return text === '' ? [] : [{ text, status: todoStatus(stringOf(item['status'])) }];
}

/** A todo's state by any agent's word for it. */
export function todoStatus(word: string): TodoStatus {
  if (/^(?:done|completed?|x|finished)$/i.test(word)) return 'done';
  if (/^(?:cancel+ed|deleted|dropped|skipped|-)$/i.test(word)) return 'cancelled';
  return /progress|active|doing|started|^~$/i.test(word) ? 'in progress' : 'todo';
}

/** The number a list gave to the task that a call created. */
export function taskIdIn(text: string): string | undefined {
  return /^\W{0,3}task #?(\d{1,6}) (?:was )?(?:created|added)/i.exec(text.slice(0, 80))?.[1];
}
