/** A value of JSON, or `undefined` where a text is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object out of JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** A value as an object, empty where it is none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** The members of a list that are objects. */
export function objectsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** A text, empty where it is none. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A figure, or `undefined`. */
export function figure(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
