import type { Passage } from '../passages.ts';

/** Messages in one format, and the system prompt where it stands outside of them. */
export type Written = { readonly messages: readonly unknown[]; readonly system?: string };

/** Writes passages in one format; one that has `natives` goes out as they are. */
export type Writer = (passages: readonly Passage[]) => Written;

/** How a provider that wants sides by turns takes passages. */
export type Sides<Native> = {
  /** A passage as a message; `undefined` where it says nothing. */
  readonly write: (passage: Passage) => Native | undefined;
  /** Two messages as one; `undefined` where they stand apart. */
  readonly join: (before: Native, next: Native) => Native | undefined;
  /** What the user says where the conversation begins with an answer. */
  readonly opening: Native;
};

/** Messages of passages: the user first, what one side says in a row as one message. */
export function writeSides<Native extends { readonly role: string }>(
  passages: readonly Passage[],
  { write, join, opening }: Sides<Native>,
): readonly unknown[] {
  const messages: unknown[] = [];
  let last: Native | undefined;
  for (const passage of passages) {
    if (passage.natives !== undefined) {
      for (const native of passage.natives) messages.push(native);
      last = undefined;
      continue;
    }
    const native = write(passage);
    if (native === undefined) continue;
    if (messages.length === 0 && native.role !== opening.role) messages.push(opening);
    const joined = last === undefined ? undefined : join(last, native);
    if (joined !== undefined) messages.pop();
    last = joined ?? native;
    messages.push(last);
  }
  return messages;
}

/** JSON text as the object a provider takes; what is none stands under one key. */
export function inputOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
    return { input: value };
  } catch {
    return { input: text };
  }
}

/** JSON text of an object, which is what providers take for arguments: a custom tool's raw text stands under one key. */
export function argumentsOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
  } catch {
    // Written below.
  }
  return JSON.stringify(inputOf(text));
}

/** Names that every provider takes. */
export function nameOf(name: string): string {
  const safe = name.replace(/[^\w-]/g, '_').slice(0, 64);
  return safe === '' ? 'tool' : safe;
}

/** Ids that every provider takes: letters, digits, - and _, at most 40 of them; one id always gives the same. */
export function createIds(): (id: string) => string {
  const given = new Map<string, string>();
  const used = new Set<string>();
  return (id) => {
    const known = given.get(id);
    if (known !== undefined) return known;
    const base = id.replace(/[^\w-]/g, '_').slice(0, 40) || 'call';
    let name = base;
    for (let number = 2; used.has(name); number += 1) name = `${base.slice(0, 34)}_${number}`;
    given.set(id, name);
    used.add(name);
    return name;
  };
}

/** Where the system prompt has a place of its own: the first system texts, and the rest as passages of the user's. */
export function splitSystem(passages: readonly Passage[]): {
  readonly system: string;
  readonly rest: readonly Passage[];
} {
  const first = passages.findIndex(({ kind }) => kind !== 'system');
  const leading = passages.slice(0, first < 0 ? passages.length : first);
  const system = leading.map((passage) => (passage.kind === 'system' ? passage.text : '')).join('\n\n');
  const rest = passages.slice(leading.length).map((passage): Passage => {
    return passage.kind === 'system' ? { kind: 'user', blocks: [{ kind: 'text', text: passage.text }] } : passage;
  });
  return { system, rest };
}

/** What the user says in front of a conversation that begins with an answer. */
export const OPENING = '(The conversation begins with an answer.)';
