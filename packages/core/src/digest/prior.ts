import { type Draft, draftAt, type Speaker } from './groups.ts';
import { actionPlace, filePlace, type Place } from './places.ts';
import { sentencesOf, unitOf } from './units.ts';

/** An earlier digest taken apart again. */
export type Prior = {
  readonly goal: readonly string[];
  readonly drafts: readonly Draft[];
  readonly plan: readonly string[];
  readonly root: string;
};

/** Reads a digest of ours back into its groups; any other summary becomes one group of its sentences. */
export function readPrior(text: string): Prior {
  const goal = linesIn(text, 'overall_goal');
  const plan = linesIn(text, 'current_plan');
  const drafts = [
    ...readSpeech(linesIn(text, 'key_knowledge')),
    ...readSpeech(speechIn(goal, LATEST, 'User')),
    ...readSpeech(speechIn(plan, LAST_SAID, 'Assistant')),
    ...readNested(linesIn(text, 'file_system_state'), filePlace),
    ...readNested(linesIn(text, 'recent_actions'), actionPlace),
  ].map((draft, index) =>
    draft.speaker === undefined ? draft : { ...draft, place: { ...draft.place, key: `prior ${index}` } },
  );
  const root = ROOT.exec(text)?.[1] ?? '';
  if (goal.length + drafts.length > 0 || text.trim() === '') return { goal, drafts, plan, root };
  const draft = draftAt({ key: 'prior', section: 'key_knowledge', heading: EARLIER });
  for (const unit of sentencesOf(text, 0)) draft.units.push(unit);
  return { goal, drafts: [draft], plan, root };
}

/** Words in front of the newest prompt and of the newest answer. */
export const LATEST = 'Latest request: ';
export const LAST_SAID = 'Last said: ';
const ROOT = /^\(in (\/\S+\/)\)$/m;

function speechIn(lines: readonly string[], label: string, speaker: Speaker): readonly string[] {
  const line = lines.find((text) => text.startsWith(label));
  return line === undefined ? [] : [`- ${speaker}: ${line.slice(label.length)}`];
}

/** Heading of what another summary said. */
const EARLIER = 'Earlier';

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
function readSpeech(lines: readonly string[]): readonly Draft[] {
  return lines.map((line) => {
    const [, name, body] = SPEECH.exec(line) ?? [];
    const speaker: Speaker | undefined = name === 'User' || name === 'Assistant' ? name : undefined;
    const place: Place = { key: line, section: 'key_knowledge', heading: name ?? EARLIER };
    const draft = draftAt(place, speaker);
    for (const quote of (body ?? line).split(GAP)) {
      // A step in the order stands for what was left out between.
      const from = (draft.units.at(-1)?.order ?? -2) + 2;
      for (const unit of sentencesOf(quote, from)) draft.units.push(unit);
    }
    return draft;
  });
}

const SPEECH = /^- (User|Assistant|Earlier): (.*)$/;

/** Stands where something between two quotes was left out. */
export const GAP = ' … ';

/** `- heading (notes) — purpose`, then quotes indented under it. */
function readNested(lines: readonly string[], placeAt: (heading: string) => Place): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const line of lines) {
    const open = drafts.at(-1);
    if (line.startsWith('- ')) drafts.push(readHeader(line.slice(2), placeAt));
    else if (line.startsWith('  ') && open !== undefined) open.units.push(unitOf(line.trim(), open.units.length));
  }
  return drafts;
}

function readHeader(header: string, placeAt: (heading: string) => Place): Draft {
  const [front = '', purpose = ''] = header.split(' — ');
  const [, heading = front, noted = ''] = NOTED.exec(front) ?? [];
  const draft = draftAt(placeAt(heading));
  draft.purpose = purpose;
  for (const word of noted === '' ? [] : noted.split(', ')) {
    const [tool = '', times = '1'] = word.split(' ×');
    if (OUTCOME.test(word)) draft.outcome = word;
    else draft.notes.set(tool, Number(times) || 1);
  }
  draft.isChange = draft.notes.size > 0 && !/^[Rr]ead/.test(noted);
  return draft;
}

const NOTED = /^(.*) \(([^()]*)\)$/;
const OUTCOME = /^(?:failed|exit \d+|ok after failing)$/;
