import type { Action } from '../facts/calls.ts';
import { factKey } from '../facts/fact.ts';
import type { Segment } from '../facts/segments.ts';
import { isObject, stringOf } from '../formats/native.ts';
import { cutAtWord, sentencesOf } from './units.ts';

/** Sections of the snapshot that hold quotes. */
export type GroupSection = 'key_knowledge' | 'file_system_state' | 'recent_actions';

/** Where a call belongs: its group's key, section and heading. */
export type Place = { readonly key: string; readonly section: GroupSection; readonly heading: string };

/** Calls of one file, or of the same command, have one place. */
export function placeOf(action: Action, { tool = '', text }: Segment, root: string): Place {
  if (action.kind === 'file') return filePlace(relative(action.paths[0] ?? '', root));
  const line = relative(action.kind === 'command' ? action.command : text.replace(NEWLINES, ', '), root);
  return actionPlace(`${action.kind === 'command' ? '$' : tool} ${cutAtWord(squeezed(line), HEADING)}`);
}

const HEADING = 160;
const NEWLINES = /\n+/g;

/** The place of a file. */
export function filePlace(path: string): Place {
  return { key: `file ${factKey({ kind: 'file', value: path })}`, section: 'file_system_state', heading: path };
}

/** The place of any other action. */
export function actionPlace(heading: string): Place {
  return { key: heading, section: 'recent_actions', heading };
}

/** What the heading does not already say of a call. */
export function detailsOf({ text }: Segment, action: Action): string {
  const rest = text.replace(PLUMBING, '').replace(LABELS, '').trim();
  return action.kind !== 'file' && rest.length <= HEADING ? '' : rest;
}

const PLUMBING =
  /^(?:file_?[pP]ath|path|absolute_path|filename|workdir|cwd|timeout\w*|limit|offset|replace_?[aA]ll: false|description): .*$/gm;
const LABELS = /^(?:content|file_text|input|command): /gm;

/** What a call is for: its own description, else the assistant's last sentence in front of it. */
export function purposeOf(
  { input, source }: Segment,
  said: { readonly source: number; readonly text: string },
): string {
  const own = isObject(input) ? stringOf(input['description'] ?? input['justification']) : '';
  if (own !== '') return cutAtWord(squeezed(own), PURPOSE);
  if (said.source !== source) return '';
  const sentence =
    sentencesOf(said.text.slice(said.text.lastIndexOf('\n', said.text.length - PURPOSE) + 1), 0).at(-1)?.text ?? '';
  return sentence.length > PURPOSE ? '' : sentence.replace(/[:.]$/, '');
}

const PURPOSE = 60;

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A text with the paths under `root` made relative to it. */
export function relative(text: string, root: string): string {
  return root === '' ? text : text.replaceAll(root, '');
}

/** The parent, with its slash, of the directory that at least two thirds of the absolute paths share; `''` for none. */
export function rootOf(segments: readonly Segment[]): string {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { input } of segments) {
    for (const value of isObject(input) ? Object.values(input) : []) {
      const directory = typeof value === 'string' ? DIRECTORY.exec(value)?.[0] : undefined;
      if (directory === undefined) continue;
      total += 1;
      for (let at = directory.indexOf('/', 1); at > 0; at = directory.indexOf('/', at + 1)) {
        const prefix = directory.slice(0, at + 1);
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
      }
    }
  }
  const shared = [...counts].filter(([prefix, times]) => times * 3 >= total * 2 && prefix.split('/').length > 3);
  const deepest = shared.reduce((longest, [prefix]) => (prefix.length > longest.length ? prefix : longest), '');
  // A file's own directory stays with it: `index.ts` alone could be any.
  return deepest.slice(0, deepest.lastIndexOf('/', deepest.length - 2) + 1);
}

const DIRECTORY = /^\/[^\s:]{1,200}\//;
