import { FORMAT_NAMES } from 'epitome';
import { StoreError } from '../model/errors.ts';
import type { Line } from './export.ts';

/** Reads a line of an export; what is no such line is refused with its number and what is wrong with it. */
export function lineOf(text: string, number: number): Line {
  const bad = (why: string, cause?: unknown): StoreError =>
    new StoreError('bad-import', `Line ${number} of the import ${why}; nothing of it was taken in.`, { cause });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw bad('is no JSON', cause);
  }
  if (!isObject(value) || typeof value['kind'] !== 'string' || !Object.hasOwn(FIELDS, value['kind'])) {
    throw bad('is no line of an export');
  }
  if (value['kind'] === 'conversation' && value['epitome'] !== 1) throw bad('is of a newer kind of export');
  const wrong = wrongField(value, FIELDS[value['kind'] as Line['kind']]);
  if (wrong !== undefined) throw bad(`has no usable "${wrong}"`);
  return value as Line;
}

type Fields = Readonly<Record<string, (value: unknown) => boolean>>;

const text = (value: unknown): boolean => typeof value === 'string';
const name = (value: unknown): boolean => typeof value === 'string' && value !== '' && !value.includes('\0');
const number = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const optional =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || check(value);
const orNull =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || check(value);
const oneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);
const listOf =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(check);

const INHERITED: Fields = { branch: name, upTo: name };
const UNDO: Fields = {
  id: name,
  at: number,
  undoes: name,
  tipId: optional(name),
  edits: optional(listOf(isObject)),
};
const COMPACTION: Fields = {
  id: name,
  at: number,
  status: text,
  covers: listOf(name),
  replaces: listOf(name),
  inserts: listOf(isObject),
  edits: listOf(isObject),
  text,
  parentId: optional(name),
  lastSummarizedId: optional(name),
  anchorId: optional(name),
  tokens: isObject,
  counts: isObject,
  usage: isObject,
  calls: number,
};

const FIELDS: Readonly<Record<Line['kind'], Fields>> = {
  conversation: { id: name, format: oneOf(...FORMAT_NAMES), createdAt: number, settings: optional(text) },
  message: { conversation: name, id: name, parent: orNull(name), native: text },
  branch: {
    conversation: name,
    name,
    tip: orNull(name),
    lineage: optional(listOf((value) => isObject(value) && wrongField(value, INHERITED) === undefined)),
  },
  record: {
    conversation: name,
    branch: name,
    state: oneOf('started', 'completed', 'failed', 'superseded', 'undone'),
    scope: optional(oneOf('tree', 'branch')),
    parentMessageId: optional(name),
    details: isObject,
    record: isRecord,
  },
};

function isRecord(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (value['kind'] === 'undo') return wrongField(value, UNDO) === undefined;
  return value['kind'] === 'compaction' && wrongField(value, COMPACTION) === undefined;
}

function wrongField(value: Readonly<Record<string, unknown>>, fields: Fields): string | undefined {
  return Object.entries(fields).find(([field, check]) => !check(value[field]))?.[0];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
