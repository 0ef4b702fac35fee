import { CompactionError } from './errors.ts';

/** A value or an example of one, by its fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Throws for the first thing that is not of the kind of its example: that is misuse. One entry of a list stands for all. */
export function checkLike(value: unknown, example: unknown, where = ''): void {
  const kind = kindOf(example);
  if (kindOf(value) !== kind) misuse(`\`${where || 'input'}\` must be ${kind}, not ${kindOf(value)}.`);
  if (!isObject(value) || !isObject(example)) return;
  const isList = Array.isArray(value);
  for (const key in isList && '0' in example ? value : example) {
    checkLike(value[key], example[isList ? '0' : key], isList ? `${where}[${key}]` : pathTo(where, key));
  }
}

/** As `checkLike`, for fields that may be missing. */
export function checkGiven(value: Fields, examples: Fields, where = ''): void {
  for (const key in examples) if (value[key] !== undefined) checkLike(value[key], examples[key], pathTo(where, key));
}

function pathTo(where: string, key: string): string {
  return where === '' ? key : `${where}.${key}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  const isNone = value === undefined || value === null || (typeof value === 'number' && !Number.isFinite(value));
  return isNone ? String(value) : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`;
}

/** True for an object of any kind: its fields can be looked at. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** Throws for what a caller did wrong. */
export function misuse(message: string): never {
  throw new CompactionError('bad-input', message);
}
