import { actionOf } from '../facts/calls.ts';
import { failureOf } from '../facts/outcome.ts';
import type { Segment } from '../facts/segments.ts';
import { actionPlace, detailsOf, type GroupSection, type Place, placeOf, purposeOf, relative } from './places.ts';
import { linesOf, sentencesOf, type Unit, unitOf } from './units.ts';

/** Quotes under one heading: a prompt, an answer, a file with all that was read and changed of it, a command and its outcome. */
export type Group = {
  readonly section: GroupSection;
  readonly header: Unit;
  /** Who speaks, where it is a prompt or an answer. */
  readonly speaker?: Speaker;
  /** Message it was last seen in; groups stand in this order. */
  readonly last: number;
  /** Something was changed there: worth a line by itself. */
  readonly isChange: boolean;
  readonly units: readonly Unit[];
};
export type Speaker = 'User' | 'Assistant';

/** A group being filled. */
export type Draft = {
  readonly place: Place;
  readonly speaker?: Speaker;
  /** Tools that were used on it, with how often. */
  readonly notes: Map<string, number>;
  purpose: string;
  outcome: string;
  last: number;
  isChange: boolean;
  readonly units: Unit[];
};

/** Collects segments by what they are about, beside what an earlier digest holds already. */
export function groupSegments(segments: readonly Segment[], prior: readonly Draft[], root: string): readonly Group[] {
  const drafts = new Map<string, Draft>(prior.map((draft) => [draft.place.key, draft]));
  const shelf: Shelf = { drafts, calls: new Map(), root, said: { source: -1, text: '' } };
  for (const segment of segments) addSegment(segment, shelf);
  return [...shelf.drafts.values()].map(finished);
}

type Shelf = {
  readonly drafts: Map<string, Draft>;
  readonly calls: Map<string, Draft>;
  readonly root: string;
  /** What the assistant said last: it tells what the calls behind it are for. */
  said: { readonly source: number; readonly text: string };
};

function addSegment(segment: Segment, shelf: Shelf): void {
  const { origin } = segment;
  switch (origin) {
    case 'prompt':
    case 'answer':
      addSpeech(segment, shelf);
      break;
    case 'call':
      addCall(segment, shelf);
      break;
    case 'result':
      addResult(segment, shelf);
      break;
    default:
      origin satisfies never;
  }
}

function addSpeech({ origin, source, text }: Segment, shelf: Shelf): void {
  if (origin === 'answer') shelf.said = { source, text };
  const speaker = origin === 'answer' ? 'Assistant' : 'User';
  const draft = draftOf(shelf, { key: `${origin} ${source}`, section: 'key_knowledge', heading: speaker }, speaker);
  add(draft, source, sentencesOf(text, draft.units.length));
}

function addResult(segment: Segment, shelf: Shelf): void {
  const draft = shelf.calls.get(segment.call ?? '') ?? draftOf(shelf, actionPlace('Results'));
  const failure = failureOf(segment);
  draft.outcome = failure !== '' ? failure : draft.outcome === '' ? '' : 'ok after failing';
  add(draft, segment.source, linesOf(relative(segment.text, shelf.root), draft.units.length));
}

function addCall(segment: Segment, shelf: Shelf): void {
  const action = actionOf(segment);
  if (action.kind === 'todos') return;
  const draft = draftOf(shelf, placeOf(action, segment, shelf.root));
  if (action.kind === 'file') {
    const { tool = '' } = segment;
    draft.notes.set(tool, (draft.notes.get(tool) ?? 0) + 1);
    draft.isChange ||= action.status !== 'read';
  }
  draft.purpose = purposeOf(segment, shelf.said) || draft.purpose;
  shelf.calls.set(segment.call ?? '', draft);
  add(draft, segment.source, linesOf(detailsOf(segment, action), draft.units.length));
}

function draftOf({ drafts }: Shelf, place: Place, speaker?: Speaker): Draft {
  const known = drafts.get(place.key);
  if (known !== undefined) return known;
  const draft = draftAt(place, speaker);
  drafts.set(place.key, draft);
  return draft;
}

/** An empty group. */
export function draftAt(place: Place, speaker?: Speaker): Draft {
  const by = speaker === undefined ? {} : { speaker };
  return { place, ...by, notes: new Map(), purpose: '', outcome: '', last: -1, isChange: false, units: [] };
}

function add(draft: Draft, source: number, units: readonly Unit[]): void {
  draft.last = source;
  for (const unit of units) draft.units.push(unit);
}

function finished({ place, speaker, notes, purpose, outcome, last, isChange, units }: Draft): Group {
  const words = [...notes].map(([word, times]) => (times > 1 ? `${word} ×${times}` : word));
  if (outcome !== '') words.push(outcome);
  const header = `${place.heading}${words.length === 0 ? '' : ` (${words.join(', ')})`}${purpose === '' ? '' : ` — ${purpose}`}`;
  const by = speaker === undefined ? {} : { speaker };
  return { section: place.section, header: unitOf(header, -1), ...by, last, isChange, units };
}
