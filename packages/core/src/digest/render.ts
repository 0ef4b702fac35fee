import type { Frame } from './frame.ts';
import type { Group } from './groups.ts';
import type { GroupSection } from './places.ts';
import { GAP } from './prior.ts';
import type { Candidate } from './select.ts';
import type { Unit } from './units.ts';

/** The digest's text: its frame, and the chosen quotes under their headings in the order of the conversation. */
export function renderDigest({ goal, plan, root }: Frame, chosen: readonly Candidate[]): string {
  const groups = new Map<Group, Unit[]>();
  for (const { group, unit } of chosen) {
    const units = groups.get(group);
    if (units === undefined) groups.set(group, [unit]);
    else units.push(unit);
  }
  const quoted = (section: GroupSection): readonly string[] =>
    [...groups]
      .filter(([group]) => group.section === section)
      .sort(([left], [right]) => left.last - right.last)
      .map(([group, units]) => renderGroup(group, units));
  const files = quoted('file_system_state');
  const sections = [
    section('overall_goal', goal),
    section('key_knowledge', quoted('key_knowledge')),
    section('file_system_state', root === '' || files.length === 0 ? files : [`(in ${root})`, ...files]),
    section('recent_actions', quoted('recent_actions')),
    section('current_plan', plan),
  ];
  return `<state_snapshot>\n${sections.filter((text) => text !== '').join('\n')}\n</state_snapshot>`;
}

function section(tag: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<${tag}>\n${lines.join('\n').replace(CLOSING_TAG, '<\\/$1>')}\n</${tag}>`;
}

// No quote may close a section, this one or another.
const CLOSING_TAG = /<\/(state_snapshot|overall_goal|key_knowledge|file_system_state|recent_actions|current_plan)>/g;

function renderGroup({ section: place, header }: Group, units: readonly Unit[]): string {
  const quotes = units.filter(({ text }) => text !== '').sort((left, right) => left.order - right.order);
  if (place !== 'key_knowledge') return [`- ${header.text}`, ...quotes.map(({ text }) => text)].join('\n  ');
  const speech = quotes.map(({ text, order }, index) => {
    const isNext = quotes[index - 1]?.order === order - 1;
    return `${index === 0 ? '' : isNext ? ' ' : GAP}${text}`;
  });
  return `- ${header.text}: ${speech.join('')}`;
}
