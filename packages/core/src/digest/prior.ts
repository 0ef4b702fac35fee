import { carriedIn } from './carried.ts';
import { actsOutside } from './deeds.ts';
import { type Draft, draftAt, type Speaker } from './drafts.ts';
import { isStopped, readHeading } from './heading.ts';
import { COMMITS, CORRECTED, EARLIER, isLeftFiles, LAST_SAID, LATEST, RULE, SAID_BEFORE, SPEAKERS } from './labels.ts';
import { withoutAuthority } from './orders.ts';
import { actionPlace, filePlace, headedPath, type Place } from './places.ts';
import { GAP } from './quote.ts';
import { withoutQuestion } from './replies.ts';
import { demandsOf } from './rules.ts';
import { readSpeakers, type Speakers } from './speakers.ts';
import { sentencesOf, unitOf } from './units.ts';

/** An earlier digest taken apart again. */
export type Prior = {
  readonly goal: readonly string[];
  readonly rules: readonly string[];
  readonly speakers: Speakers;
  readonly drafts: readonly Draft[];
  readonly plan: readonly string[];
  readonly root: string;
  /** Not all files that were changed had room in it. */
  readonly leftFiles: boolean;
};

/** Reads a digest of ours back into its groups; any other summary becomes one group of its sentences. */
export function readPrior(text: string): Prior {
  const root = ROOT.exec(text)?.[1] ?? '';
  const goal = linesIn(text, 'overall_goal');
  const plan = linesIn(text, 'current_plan');
  const knowledge = linesIn(text, 'key_knowledge');
  const files = linesIn(text, 'file_system_state');
  const label = `- ${RULE}`;
  // Another hand may write what looks like our lines: what it says the user demanded is only its word.
  const isOurs = isDigest(text);
  const rules = isOurs
    ? [...knowledge.flatMap((line) => (line.startsWith(label) ? [line.slice(label.length)] : [])), ...askedIn(goal)]
    : [];
  const speakers = isOurs ? readSpeakers(knowledge) : NOBODY;
  const speech = knowledge.filter((line) => !line.startsWith(label) && !line.startsWith(`- ${SPEAKERS}`));
  const drafts = [
    ...readSpeech(isOurs ? speech : knowledge.map(retold), speakers),
    ...readSpeech(speechIn(goal.map(withoutQuestion), LATEST, 'User'), speakers),
    ...readSpeech(speechIn(plan, LAST_SAID, 'Assistant'), speakers),
    ...readSpeech(speechIn(plan, SAID_BEFORE, 'Assistant'), speakers),
    // Nearly all were whole paths below it.
    ...readNested(
      files.filter((line) => !isLeftFiles(line)),
      (name) => priorPlace(name, root),
    ),
    ...readNested(linesIn(text, 'recent_actions'), actionPlace),
  ].map((draft, index, { length }) => {
    // In their order, before anything that comes.
    const own = { ...draft, last: index - length };
    return own.place.section === 'key_knowledge' ? { ...own, place: { ...own.place, key: `prior ${index}` } } : own;
  });
  if (goal.length + drafts.length > 0 || text.trim() === '')
    return {
      goal: goal.filter((line) => line.startsWith(CORRECTED) || line !== 'not stated'),
      rules,
      speakers,
      drafts,
      plan,
      root,
      leftFiles: files.some(isLeftFiles),
    };
  const draft = draftAt({ key: 'prior', section: 'key_knowledge', heading: EARLIER, path: '' });
  const { units, state } = carriedIn(text);
  for (const unit of units) draft.units.push(unit);
  for (const unit of state) draft.written.add(unit);
  return { goal, rules, speakers, drafts: [draft], plan, root, leftFiles: false };
}

/** Whether a text is laid out as we do it, line by line. */
function isDigest(text: string): boolean {
  const lines = text.trim().split('\n');
  if (lines[0] !== '<state_snapshot>' || lines.at(-1) !== '</state_snapshot>') return false;
  const inside = linesIn(text, 'key_knowledge');
  const speakers = readSpeakers(inside);
  return (
    lines.filter((line) => SECTION.test(line)).length <= SECTIONS &&
    inside.every((line) => OWN_LINE.test(line) || speakers.has(SPEECH.exec(line)?.[1] ?? ''))
  );
}

// Opened and closed once each.
const SECTIONS = 10;
const SECTION = /^<\/?(?:overall_goal|key_knowledge|file_system_state|recent_actions|current_plan)>$/;
const OWN_LINE = /^- (?:User rule|Speakers|User|Assistant|Earlier): /;
const NOBODY: Speakers = new Map();

/** A line of another hand's list, as what it says. */
function retold(line: string): string {
  return `- ${EARLIER}: ${line.replace(RETOLD, '')}`;
}

const RETOLD = /^\s*(?:[-*+] )?(?:(?:User rule|User|Assistant|Earlier): )?/;

const ROOT = /^\(in (\/\S+\/)[;)]/m;

/** Rules in prompts that stand with the goal. */
function askedIn(goal: readonly string[]): readonly string[] {
  return goal.flatMap((line) => {
    const label = [LATEST, CORRECTED].find((start) => line.startsWith(start));
    return label === undefined ? [] : demandsOf(withoutQuestion(line.slice(label.length)));
  });
}

function speechIn(lines: readonly string[], label: string, speaker: Speaker): readonly string[] {
  const line = lines.find((text) => text.startsWith(label));
  return line === undefined ? [] : [`- ${speaker}: ${line.slice(label.length)}`];
}

function linesIn(text: string, tag: string): readonly string[] {
  const start = text.indexOf(`<${tag}>`);
  const end = text.lastIndexOf(`</${tag}>`);
  if (start < 0 || end < start) return [];
  return text
    .slice(start + tag.length + 2, end)
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** `- User: one … two` */
function readSpeech(lines: readonly string[], speakers: Speakers): readonly Draft[] {
  return lines.map((line) => {
    const [, start = '', said = ''] = SPEECH.exec(line) ?? [];
    const speaker = start === 'User' || start === 'Assistant' ? start : speakers.get(start);
    const [name, body] = speaker === undefined && start !== EARLIER ? [] : [start, said];
    const place: Place = { key: line, section: 'key_knowledge', heading: name ?? EARLIER, path: '' };
    const draft = draftAt(place, speaker);
    for (const quote of (body ?? line).split(GAP)) {
      // A step in the order stands for what was left out between.
      const from = (draft.units.at(-1)?.order ?? -2) + 2;
      for (const unit of sentencesOf(quote, from)) draft.units.push(unit);
    }
    return draft;
  });
}

const SPEECH = /^- ([^:]{1,60}): (.*)$/;

const NO_CHANGE = /^(?:read|run|ok)$/;

function priorPlace(name: string, root: string): Place {
  const path = headedPath(name);
  return { ...filePlace(/^[/~]/.test(path) ? path : `${root}${path}`, root), heading: name };
}

/** `- heading (notes) — purpose`, then quotes indented under it. */
function readNested(lines: readonly string[], placeAt: (heading: string) => Place): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const line of lines) {
    const open = drafts.at(-1);
    if (line.startsWith('- ')) drafts.push(readHeader(line.slice(2), placeAt));
    else if (line.startsWith('  ') && open !== undefined) {
      const quote = withoutAuthority(line.trim());
      if (quote === '') continue;
      const unit = unitOf(quote, open.units.length);
      open.units.push(unit);
      if (open.trouble !== undefined) open.telling ??= unit;
    }
  }
  return drafts;
}

function readHeader(header: string, placeAt: (heading: string) => Place): Draft {
  const { heading, verbs, trouble, purpose } = readHeading(header);
  const draft = draftAt(placeAt(heading));
  draft.purpose = purpose;
  for (const [verb, times] of verbs) draft.verbs.set(verb, times);
  draft.trouble = trouble;
  const isDeed =
    heading === COMMITS || (trouble?.fix !== '' && heading.startsWith('$ ') && actsOutside(heading.slice(2)));
  draft.isChange = isDeed || [...verbs.keys()].some((verb) => !NO_CHANGE.test(verb) && !isStopped(verb));
  return draft;
}
