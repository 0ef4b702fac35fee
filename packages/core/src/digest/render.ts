import { type Group, isScratch } from './drafts.ts';
import type { Frame } from './frame.ts';
import { EARLIER, leftFilesLine } from './labels.ts';
import { type GroupSection, ROOT_MARK } from './places.ts';
import { quoteOf } from './quote.ts';
import type { Candidate } from './select.ts';
import { shownLines } from './shown.ts';
import type { Unit } from './units.ts';

/** The digest's text: its frame, and the chosen quotes under their headings in the order of the conversation. */
export function renderDigest(
  { goal, rules, plan, root, leftFiles }: Frame,
  chosen: readonly Candidate[],
  groups: readonly Group[],
): string {
  const quotes = new Map<Group, Unit[]>();
  for (const { group, unit } of chosen) {
    const units = quotes.get(group);
    if (units === undefined) quotes.set(group, [unit]);
    else units.push(unit);
  }
  const quoted = (name: GroupSection): readonly string[] =>
    groups
      .filter((group) => group.section === name && quotes.has(group))
      .sort((left, right) => Number(isChanged(right)) - Number(isChanged(left)) || left.last - right.last)
      .map((group) => renderGroup(group, quotes.get(group) ?? []));
  const left = groups.filter((group) => isKept(group) && !quotes.has(group)).length;
  const more = left > 0 || leftFiles ? [leftFilesLine(left, leftFiles)] : [];
  const sections = {
    goal: section('overall_goal', goal),
    knowledge: section('key_knowledge', [...rules, ...quoted('key_knowledge')]),
    files: section('file_system_state', [...quoted('file_system_state'), ...more]),
    actions: section('recent_actions', quoted('recent_actions')),
    plan: section('current_plan', plan),
  };
  const body = Object.values(sections).filter((text) => text !== '');
  return `<state_snapshot>\n${named(body.join('\n'), root)}\n</state_snapshot>`;
}

const isChanged = ({ section: place, isChange }: Group): boolean => isChange && place === 'file_system_state';

/** A file that is another one since, and no scratch. */
const isKept = (group: Group): boolean =>
  isChanged(group) && CHANGED.test(group.header.text) && !isScratch(group.header.text);
const CHANGED = / \((?:created|changed|deleted)\b/;

/** Names the root once wherever paths are shortened by it. */
function named(body: string, root: string): string {
  if (root === '') return body;
  const isMarked = body.includes(ROOT_MARK);
  const line = `(in ${root}${isMarked ? `; ${ROOT_MARK} stands for it` : ''})\n`;
  if (RELATIVE_FILE.test(body)) return body.replace(FILES, () => FILES + line);
  // Where no file is named, it stands where the first path does.
  return isMarked ? body.replace(MARKED, (_all, tag: string, rest: string) => `${tag}${line}${rest}`) : body;
}

const FILES = '<file_system_state>\n';
const RELATIVE_FILE = /<file_system_state>\n(?:(?!<\/file_system_state>).*\n)*?- [^/\n]/;
const MARKED = /(<(?:file_system_state|recent_actions|current_plan)>\n)((?:(?!<\/\w+>).*\n)*?.*…\/)/;

function section(tag: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<${tag}>\n${lines.join('\n').replace(OWN_TAG, '<\\$1$2>')}\n</${tag}>`;
}

// No quote may open or close a section, this one or another.
const OWN_TAG = /<(\/?)(state_snapshot|overall_goal|key_knowledge|file_system_state|recent_actions|current_plan)>/g;

function renderGroup({ section: place, header }: Group, units: readonly Unit[]): string {
  const quotes = units.filter(({ text }) => text !== '').sort((left, right) => left.order - right.order);
  if (place === 'key_knowledge') {
    // What another summary said has no order of its own to keep: a bullet for each part.
    const parts = header.text === EARLIER ? partsOf(quotes) : [quotes];
    return parts
      .flatMap(bulletsOf)
      .map((part) => `- ${header.text}: ${quoteOf(part)}`)
      .join('\n');
  }
  // Parts of a file that are alike need not be told twice.
  const lines = new Set(quotes.flatMap(({ text }) => shownLines(text)));
  return [`- ${header.text}`, ...lines].join('\n  ');
}

/** Quotes in bullets that can be read, parted where something is left out if that is near. */
function bulletsOf(quotes: readonly Unit[]): readonly (readonly Unit[])[] {
  const bullets: Unit[][] = [];
  let size = 0;
  for (const quote of quotes) {
    const bullet = bullets.at(-1);
    const isGap = bullet?.at(-1)?.order !== quote.order - 1;
    if (bullet === undefined || size + quote.text.length > (isGap ? READABLE : WIDEST)) {
      bullets.push([quote]);
      size = quote.text.length;
    } else {
      bullet.push(quote);
      size += quote.text.length + 1;
    }
  }
  return bullets;
}

const READABLE = 400;
const WIDEST = 700;

/** Quotes that follow each other, together. */
function partsOf(quotes: readonly Unit[]): readonly (readonly Unit[])[] {
  const parts: Unit[][] = [];
  for (const quote of quotes) {
    const part = parts.at(-1);
    if (part !== undefined && part.at(-1)?.order === quote.order - 1) part.push(quote);
    else parts.push([quote]);
  }
  return parts;
}
