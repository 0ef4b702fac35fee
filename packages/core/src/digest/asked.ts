import { isObject } from '../formats/native.ts';
import type { Act } from './acts.ts';

/** What a tool was asked with, by name, or by place where only a heading tells it. */
export type Given = ReadonlyMap<string, string>;

/** A call's arguments by their names; of a command none. */
export function givenIn({ action, call: { input } }: Act): Given {
  if (action.kind === 'command' || !isObject(input)) return new Map();
  return new Map(Object.entries(input).map(([name, value]) => [name, spelled(value)]));
}

const spelled = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, LONGEST);
const LONGEST = 4000;

type Call = { readonly heading: string; readonly given: Given };
type Failed = { readonly heading: string; readonly given: Given | undefined; readonly telling: string };

/**
 * What a call that went well is called behind one that failed, with what was mended in it; `undefined` where it asks for
 * something else. Only what the failure names was mended, such as `method` behind `payment method not found`: with any other
 * argument that differs, it is another wish.
 */
export function correctedBy(done: Call, failed: Failed): string | undefined {
  if (!isSameResource(done.heading, failed.heading)) return undefined;
  const [later, before] =
    failed.given === undefined ? [headed(done.heading), headed(failed.heading)] : [done.given, failed.given];
  if (later.size === 0 || before.size === 0) return undefined;
  const names = [...new Set([...before.keys(), ...later.keys()])].filter(
    (name) => before.get(name) !== later.get(name),
  );
  const said = new Set(wordsOf(failed.telling));
  const isMended = (name: string): boolean =>
    wordsOf(`${name} ${before.get(name) ?? ''}`).some((word) => said.has(word));
  return names.every(isMended) ? shortly(done.heading, later, new Set(names)) : undefined;
}

/** The same tool on what its first argument names, such as an order's id. */
function isSameResource(done: string, failed: string): boolean {
  const one = RESOURCE.exec(done)?.[0];
  return one !== undefined && one === RESOURCE.exec(failed)?.[0];
}

const RESOURCE = /^[\w.-]+ [^\s,]*[\d_#@][^\s,]*(?=,|$)/;

/** What an earlier digest's heading tells of a call's arguments; nothing where it was shortened. */
function headed(heading: string): Given {
  const values = heading.includes('…') ? [] : heading.slice(heading.indexOf(' ') + 1).split(', ');
  return new Map(values.map((value, at) => [String(at), value]));
}

const wordsOf = (text: string): readonly string[] =>
  text
    .slice(0, LONGEST)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/\p{L}{4,}|\d{3,}/gu) ?? [];

/** A call by what it is about and the arguments in which it differs. */
function shortly(heading: string, given: Given, changed: ReadonlySet<string>): string {
  const shown = [...given].slice(1).map(([name, value]) => (changed.has(name) ? plain(value) : '…'));
  const kept = shown.filter((value, at) => value !== '…' || shown[at - 1] !== '…');
  return [RESOURCE.exec(heading)?.[0] ?? '', ...kept].join(', ');
}

// As a heading is read back.
const plain = (value: string): string => value.replace(/[()]/g, '').replace(/\s+/g, ' ').slice(0, NAMED);
const NAMED = 60;
