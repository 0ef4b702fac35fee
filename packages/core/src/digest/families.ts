import { type Draft, draftAt, wasStopped } from './drafts.ts';
import { actionPlace } from './places.ts';
import { type Unit, unitOf } from './units.ts';

/** Drafts with commands of one kind that all went well, such as the tests of thirty packages, as one. */
export function withFamilies(drafts: readonly Draft[]): readonly Draft[] {
  const families = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const name = familyOf(draft);
    const members = families.get(name);
    if (members === undefined) families.set(name, [draft]);
    else members.push(draft);
  }
  return [...families].flatMap(([name, members]) =>
    name === '' || members.length < FEWEST ? members : [familyDraft(members)],
  );
}

const FEWEST = 4;

/** Program and subcommand. */
function familyOf(draft: Draft): string {
  const { place, trouble, isRun } = draft;
  if (!isRun || trouble !== undefined || wasStopped(draft) || !place.heading.startsWith('$ ')) return '';
  const [program = '', ...rest] = place.heading.slice(2).replace(MOVED, '').split(' ');
  // What stands behind an option may be its value.
  const task = rest.find((word, at) => !/^-/.test(word) && !/^-/.test(rest[at - 1] ?? ''));
  return task !== undefined && /^[a-z][\w-]*$/.test(task) ? `${program} ${task}` : program;
}

// Where it ran is not what it does.
const MOVED = /^cd \S+ && /;

function familyDraft(members: readonly Draft[]): Draft {
  const [first = '', last = ''] = [members[0], members.at(-1)].map((member) => uncut(member?.place.heading ?? ''));
  const family = { ...draftAt(actionPlace(`${first} … ${last.split(' ').at(-1) ?? ''}`)), isFamily: true, isRun: true };
  let runs = 0;
  for (const { place, verbs, units, last: seen, isChange } of members) {
    runs += verbs.get('run') ?? 1;
    family.last = Math.max(family.last, seen);
    family.isChange ||= isChange;
    for (const unit of [unitOf(place.heading, 0), ...units]) family.units.push(ordered(unit, family.units.length));
  }
  family.verbs.set('run', runs);
  return family;
}

const uncut = (heading: string): string => heading.replace(/ …$/, '');

const ordered = (unit: Unit, order: number): Unit => ({ ...unit, order });
