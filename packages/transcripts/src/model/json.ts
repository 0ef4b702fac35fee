/** A JSON object of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: not an array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value if it is an array, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}

/** The value if it is a text, else an empty one. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value if it is a finite number, else zero. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** JSON text of a value; a text stays as it is. What cannot be written (nested too deep) is an empty text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/** An object without the keys whose value is undefined. */
export function defined<T extends object>(value: T): Defined<T> {
  const result: Record<string, unknown> = {};
  // Not by entries: this runs for every record of a file.
  for (const key in value) if (value[key] !== undefined) result[key] = value[key];
  return result as Defined<T>;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Milliseconds of a time written as ISO text or as a number of seconds or milliseconds. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value > 1e11 ? value : value * 1000;
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
