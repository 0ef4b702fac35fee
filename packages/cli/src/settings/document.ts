import { type Document, isMap, isScalar, parseDocument, type Scalar, type YAMLMap } from 'yaml';
import { UsageError } from '../errors.ts';
import { nearKey, SETTING_KEYS, type SettingKey, settingNamed } from './keys.ts';
import type { Scope } from './places.ts';
import { SETTINGS, type SettingsFile } from './schema.ts';

/** A text with the file it stands in. */
export type SettingsText = { readonly file: string; readonly text: string; readonly scope: Scope };

/** The settings a text holds. What is out of range, not known or not the project's to say is an error that names it. */
export function readSettings({ file, text, scope }: SettingsText): SettingsFile {
  const value = plainOf(parsed(file, text), file);
  const result = SETTINGS.safeParse(value);
  if (!result.success) throw new UsageError(faultOf(file, value, result.error.issues[0]));
  if (scope === 'project') forbid(file, value);
  return result.data;
}

/** A text with one setting changed, or taken out where the value is `undefined`; all else stays, comments too. */
export function withSetting({ file, text }: SettingsText, { path, key }: SettingKey, value: unknown): string {
  const document = parsed(file, text);
  if (value === undefined) {
    if (!document.hasIn(path)) return text;
    takeOut(document, path);
  } else {
    const above = path.slice(0, -1);
    const parent = above.length === 0 ? undefined : document.getIn(above);
    if (parent === null) document.deleteIn(above);
    else if (parent !== undefined && !isMap(parent)) {
      throw new UsageError(`${file}: ${above.join('.')} is no mapping, so ${key} cannot be set in it.`);
    }
    document.setIn(path, value);
  }
  return written(document, text);
}

/** The document as it was written, as far as the library lets it. */
function written(document: Document.Parsed, before: string): string {
  if (document.contents === null)
    return (document.commentBefore ?? '').replace(/^(?=.)/gm, '#').replace(/(?<=.)$/, '\n');
  return document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(before) });
}

/** Takes a setting out, and what is empty without it. */
function takeOut(document: Document.Parsed, path: readonly string[]): void {
  const above = path.slice(0, -1);
  const parent = mapAbove(document, path);
  if (isMap(parent)) handCommentOn(parent, path.at(-1) ?? '');
  document.deleteIn(path);
  if (!isMap(parent) || parent.items.length > 0) return;
  if (above.length > 0) {
    const key = keyIn(mapAbove(document, above), above.at(-1) ?? '');
    const comments = [key?.commentBefore, parent.commentBefore, parent.comment].filter(Boolean);
    if (key !== undefined && comments.length > 0) key.commentBefore = comments.join('\n');
    takeOut(document, above);
    return;
  }
  // Nothing is left but what was written about it.
  const comments = [document.commentBefore, parent.commentBefore, parent.comment].filter(Boolean);
  document.commentBefore = comments.length === 0 ? null : comments.join('\n');
  document.contents = null;
}

/** What stands above a setting may be about the whole file: it moves to the next one. */
function handCommentOn(map: YAMLMap, name: string): void {
  const at = map.items.findIndex(({ key }) => isScalar(key) && key.value === name);
  const next = map.items[at + 1]?.key;
  const comment = keyIn(map, name)?.commentBefore;
  if (!comment) return;
  if (isScalar(next)) next.commentBefore = [comment, next.commentBefore].filter(Boolean).join('\n');
  else map.comment = [map.comment, comment].filter(Boolean).join('\n');
}

function keyIn(map: unknown, name: string): Scalar | undefined {
  const key = isMap(map) ? map.items.find((item) => isScalar(item.key) && item.key.value === name)?.key : undefined;
  return isScalar(key) ? key : undefined;
}

function mapAbove(document: Document.Parsed, path: readonly string[]): unknown {
  const above = path.slice(0, -1);
  return above.length === 0 ? document.contents : document.getIn(above);
}

function parsed(file: string, text: string): Document.Parsed {
  const document = parseDocument(text, { prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = text.slice(0, error.pos[0]).split('\n').length;
    throw new UsageError(`${file}:${line}: this is no YAML: ${error.message}`);
  }
  if (document.contents !== null && !isMap(document.contents)) {
    throw new UsageError(`${file} must hold settings as "key: value".`);
  }
  return document;
}

function plainOf(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (cause) {
    throw new UsageError(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

type Issue = {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly keys?: readonly string[];
  readonly message: string;
};

/** The first thing that is wrong, in words: key, value and range. */
function faultOf(file: string, value: unknown, issue: Issue | undefined): string {
  if (issue === undefined) return `${file} holds no settings.`;
  const path = issue.path.map(String);
  const setting = SETTING_KEYS.find((each) => each.path.every((part, at) => path[at] === part));
  if (setting === undefined) return unknownIn(file, [...path, ...(issue.keys ?? []).slice(0, 1)].join('.'), issue);
  const found = at(value, setting.path);
  return `${file}: ${outOfRange(setting, found)}`;
}

/** What is wrong with a value, naming key, value and range. */
export function outOfRange({ key, takes }: SettingKey, value: unknown): string {
  return `${key} is ${shown(value)}; it takes ${takes}.`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function unknownIn(file: string, name: string, issue: Issue): string {
  if (issue.code !== 'unrecognized_keys') return `${file}: ${name} must be a mapping.`;
  return `${file}: ${unknownSetting(name)}`;
}

/** That there is no setting of a name, with the one that may be meant. */
function unknownSetting(name: string): string {
  const near = nearKey(name);
  const meant = near === undefined ? 'epitome config list shows what there is' : `did you mean ${near}?`;
  return `There is no setting ${JSON.stringify(name)}; ${meant}${near === undefined ? '.' : ''}`;
}

/** The setting of a name, or an error that suggests the one that may be meant. */
export function requireSetting(name: string): SettingKey {
  const setting = settingNamed(name);
  if (setting === undefined) throw new UsageError(unknownSetting(name));
  return setting;
}

function forbid(file: string, value: unknown): void {
  const foreign = SETTING_KEYS.find(({ scope, path }) => scope === 'user' && at(value, path) !== undefined);
  if (foreign === undefined) return;
  throw new UsageError(
    `${file}: ${foreign.key} may stand in your own settings only, because a project must not start programs or decide where data goes.`,
  );
}

/** What stands at a path of a value. */
export function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, part) ? Reflect.get(inner, part) : undefined,
    value,
  );
}
