import { addAct } from './actions.ts';
import type { Item } from './acts.ts';
import { carryOut, isReported, isToldElsewhere, priorCommits } from './applied.ts';
import { carriedIn } from './carried.ts';
import { outputLines } from './clean.ts';
import { tellApart } from './directories.ts';
import {
  add,
  count,
  type Draft,
  draftOf,
  finished,
  type Group,
  nextOrder,
  type Shelf,
  type Speaker,
  shelfOf,
} from './drafts.ts';
import { withFamilies } from './families.ts';
import { EARLIER, INSTRUCTIONS, OUTPUT } from './labels.ts';
import { actionPlace, filePlace, marked, type Place } from './places.ts';
import { withOwners } from './records.ts';
import { renew, strike } from './struck.ts';
import { type Fenced, linesOf, sentencesOf, splitFences, type Unit } from './units.ts';

/** Collects items by what they are about, beside what an earlier digest holds already. */
export function groupItems(items: readonly Item[], prior: readonly Draft[], root: string): readonly Group[] {
  const shelf = shelfOf(prior, root);
  if (isReported(items)) shelf.pending = [];
  for (const [hash, commit] of priorCommits(prior)) shelf.commits.set(hash, commit);
  tellApart(items.flatMap((item) => (item.kind === 'act' ? [item.act] : [])));
  for (const item of items) addItem(item, shelf);
  addShown(shelf.pending ?? [], items.at(-1)?.source ?? 0, shelf);
  return withFamilies(withoutDoubles([...shelf.drafts.values()])).map(finished);
}

/** A file under its name alone, where only one is called by it, is that one. */
function withoutDoubles(drafts: readonly Draft[]): readonly Draft[] {
  const named = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const name = nameOf(draft);
    const known = named.get(name);
    if (draft.path !== '' && known === undefined) named.set(name, [draft]);
    else if (draft.path !== '') known?.push(draft);
  }
  const doubles = new Set<Draft>();
  for (const [one, other, ...more] of named.values()) {
    if (one === undefined || other === undefined || more.length > 0) continue;
    const [bare, whole] = one.path.includes('/') ? [other, one] : [one, other];
    if (bare.path.includes('/') || !whole.path.startsWith('/')) continue;
    join(whole, bare);
    doubles.add(bare);
  }
  return doubles.size === 0 ? drafts : drafts.filter((draft) => !doubles.has(draft));
}

function nameOf({ place: { heading }, path }: Draft): string {
  const own = path.slice(path.lastIndexOf('/') + 1);
  return heading.startsWith(`${own} in `) ? own : heading;
}

function join(draft: Draft, other: Draft): void {
  for (const [verb, times] of other.verbs) draft.verbs.set(verb, (draft.verbs.get(verb) ?? 0) + times);
  const from = nextOrder(draft);
  add(
    draft,
    Math.max(draft.last, other.last),
    other.units.map((unit) => ({ ...unit, order: from + unit.order })),
  );
  draft.isChange ||= other.isChange;
  draft.isLookup &&= other.isLookup;
  draft.trouble ??= other.trouble;
  draft.telling ??= other.telling;
}

function addItem(item: Item, shelf: Shelf): void {
  switch (item.kind) {
    case 'asked':
      addSpeech(item, 'User', shelf);
      break;
    // It stands with the goal.
    case 'command':
      break;
    case 'answer':
      addSpeech(item, 'Assistant', shelf);
      break;
    case 'earlier': {
      const draft = draftOf(shelf, {
        key: `earlier ${item.source}`,
        section: 'key_knowledge',
        heading: EARLIER,
        path: '',
      });
      const { units, state } = carriedIn(splitFences(item.text).prose);
      add(draft, item.source, units);
      // An older summary's plans are done or told again.
      for (const older of shelf.carried.splice(0)) older.written.clear();
      for (const unit of state) draft.written.add(unit);
      shelf.carried.push(draft);
      break;
    }
    case 'output': {
      const { path, text } = item.block;
      if (path === '' && shelf.pending !== undefined) carryOut(text, item.source, shelf);
      const draft = draftOf(
        shelf,
        path === ''
          ? actionPlace(item.block.name === 'INSTRUCTIONS' ? INSTRUCTIONS : OUTPUT)
          : filePlace(path, shelf.root),
      );
      const all = outputLines(marked(text, shelf.root), path === '' ? 'result' : 'file');
      const lines = path === '' && shelf.pending !== undefined ? all.filter((line) => !isToldElsewhere(line)) : all;
      if (path !== '') {
        count(draft, 'read');
        renew(draft, lines);
      } else draft.isLookup = true;
      add(draft, item.source, linesOf(lines, nextOrder(draft)));
      break;
    }
    case 'act':
      addAct(item.act, shelf);
      break;
    default:
      item satisfies never;
  }
}

function addSpeech(
  { source, text, name }: { readonly source: number; readonly text: string; readonly name?: string },
  speaker: Speaker,
  shelf: Shelf,
): void {
  const { prose, code } = splitFences(text);
  const place: Place = { key: `${speaker} ${source}`, section: 'key_knowledge', heading: name ?? speaker, path: '' };
  const draft = draftOf(shelf, place, speaker);
  add(draft, source, sentencesOf(withOwners(prose), nextOrder(draft)));
  const isPending = shelf.pending !== undefined && speaker === 'Assistant';
  const pending = isPending ? code.filter(({ path, isSeen }) => path !== '' && isSeen !== true) : [];
  if (isPending) {
    shelf.pending = pending.slice(0, MOST_PENDING);
    shelf.proposal = pending.length > 0 ? draft : undefined;
  }
  for (const { path, lines, edits, isSeen } of code.filter((shown) => !pending.includes(shown))) {
    const shown = draftOf(shelf, path === '' ? actionPlace(`${name ?? speaker} showed`) : filePlace(path, shelf.root));
    if (path !== '' && speaker === 'Assistant') for (const edit of edits) strike(shown, edit);
    const units = linesOf(lines, nextOrder(shown));
    if (path !== '' && speaker === 'Assistant' && isSeen !== true) wrote(shown, units, shelf);
    else shown.isLookup = true;
    add(shown, source, units);
  }
}

// An answer changes a few places.
const MOST_PENDING = 200;

/** What nobody knows to be carried out was shown. */
function addShown(code: readonly Fenced[], source: number, shelf: Shelf): void {
  for (const { lines } of code) {
    const shown = draftOf(shelf, actionPlace('Assistant showed'));
    shown.isLookup = true;
    add(shown, source, linesOf(lines, nextOrder(shown)));
  }
}

function wrote(draft: Draft, units: readonly Unit[], shelf: Shelf): void {
  count(draft, 'changed');
  draft.isChange = true;
  shelf.lastChange = draft.place.heading;
  shelf.changes += 1;
  for (const unit of units) draft.written.add(unit);
}
