import type { Item } from './acts.ts';
import type { Speaker } from './drafts.ts';
import { SPEAKERS } from './labels.ts';

/** Who has which part in the conversation, by name. */
export type Speakers = ReadonlyMap<string, Speaker>;

/** Turns with the names of those who speak; where each turn begins with a name, that name is taken from the text. */
export function withNames(items: readonly Item[]): readonly Item[] {
  const named = items.map((item): Item => {
    if (item.kind !== 'asked' && item.kind !== 'answer') return item;
    const { name = '', ...bare } = item;
    return isName(name) ? item : bare;
  });
  const isPrefixed = { asked: arePrefixed(named, 'asked'), answer: arePrefixed(named, 'answer') };
  return named.map((item) => {
    if ((item.kind !== 'asked' && item.kind !== 'answer') || item.name !== undefined || !isPrefixed[item.kind])
      return item;
    const [prefix = '', name] = PREFIX.exec(item.text) ?? [];
    return name === undefined ? item : { ...item, name, text: item.text.slice(prefix.length) };
  });
}

/** The names of those who speak, and who they are. A name that two of them have tells nobody apart. */
export function speakersIn(items: readonly Item[], known: Speakers): Speakers {
  const speakers = new Map(known);
  for (const item of items) {
    if ((item.kind !== 'asked' && item.kind !== 'answer') || item.name === undefined || speakers.size >= MOST) continue;
    speakers.set(item.name, item.kind === 'asked' ? 'User' : 'Assistant');
  }
  return speakers;
}

/** `- Speakers: Ann (User), Bo (Assistant)` */
export function speakersLine(speakers: Speakers): readonly string[] {
  const names = [...speakers].map(([name, speaker]) => `${name} (${speaker})`);
  return names.length === 0 ? [] : [`- ${SPEAKERS}${names.join(', ')}`];
}

/** Reads that line back. */
export function readSpeakers(lines: readonly string[]): Speakers {
  const line = lines.find((text) => text.startsWith(`- ${SPEAKERS}`)) ?? '';
  const speakers = new Map<string, Speaker>();
  for (const [, name = '', speaker] of line.slice(SPEAKERS.length + 2).matchAll(NAMED))
    if (isName(name)) speakers.set(name, speaker === 'User' ? 'User' : 'Assistant');
  return speakers;
}

const NAMED = /([^,()]{1,40}) \((User|Assistant)\)(?:, |$)/g;
const MOST = 12;

function isName(text: string): boolean {
  return NAME.test(text) && !NO_NAME.test(text);
}

function arePrefixed(items: readonly Item[], kind: 'asked' | 'answer'): boolean {
  const times = new Map<string, number>();
  let turns = 0;
  for (const item of items) {
    if (item.kind !== kind) continue;
    turns += 1;
    const name = PREFIX.exec(item.text)?.[1] ?? '';
    if (isName(name)) times.set(name, (times.get(name) ?? 0) + 1);
  }
  const prefixed = [...times.values()].filter((seen) => seen > 1).reduce((sum, seen) => sum + seen, 0);
  return prefixed > 2 && prefixed * 5 >= turns * 4;
}

const NAME = /^\p{L}[\p{L}\p{N}._'’-]{0,30}(?: \p{Lu}[\p{L}.'’-]{0,20}){0,2}$/u;
const PREFIX = /^(\p{Lu}[\p{L}'’-]{1,20}(?: \p{Lu}[\p{L}.'’-]{0,20}){0,2}): (?=\S)/u;
// Words in front of a colon that name nobody, and those that have a meaning here.
const NO_NAME =
  /^(?:user|assistant|system|human|tool|earlier|user rule|speakers|note|question|answer|task|update|error|warning|info|bug|fix|todo|issue|goal|context|step|next|result|output|input|observation|thought|action|summary|example|default|bot|ai|model)$/i;
