import type { Turn } from '../turns.ts';

/** Messages in one format, and the system prompt where it stands outside of them. */
export type Written = { readonly messages: readonly unknown[]; readonly system?: string };

/** Writes turns in one format; a turn that has `natives` goes out as they are where `keeps` is set. */
export type Writer = (turns: readonly Turn[], keeps: boolean) => Written;

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

/** Where the system prompt has a place of its own: the first system texts, and the rest as turns of the user's. */
export function splitSystem(turns: readonly Turn[]): { readonly system: string; readonly rest: readonly Turn[] } {
  const first = turns.findIndex(({ kind }) => kind !== 'system');
  const leading = turns.slice(0, first < 0 ? turns.length : first);
  const system = leading.map((turn) => (turn.kind === 'system' ? turn.text : '')).join('\n\n');
  const rest = turns.slice(leading.length).map((turn): Turn => {
    return turn.kind === 'system' ? { kind: 'user', blocks: [{ kind: 'text', text: turn.text }] } : turn;
  });
  return { system, rest };
}

/** Providers that want the user to speak first get this where the conversation begins with an answer. */
export const OPENING = '(The conversation begins with an answer.)';
