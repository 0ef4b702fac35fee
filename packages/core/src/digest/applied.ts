import { isSamePath } from '../facts/paths.ts';
import type { Item } from './acts.ts';
import { count, type Draft, draftOf, nextOrder, type Shelf } from './drafts.ts';
import { TAKEN_BACK } from './heading.ts';
import { filePlace } from './places.ts';
import { strike, takeOut } from './struck.ts';
import { type Fenced, linesOf, type Unit } from './units.ts';

/** True where a program reports what it made of the changes that answers hold: then only what it reports is one. */
export function isReported(items: readonly Item[]): boolean {
  return items.some((item) => item.kind === 'output' && item.block.path === '' && REPORT.test(item.block.text));
}

const REPORT =
  /^(?:Applied edit to \S|Did not apply edit to \S|# \d+ SEARCH\/REPLACE blocks? failed to match|\^C (?:again to exit|KeyboardInterrupt)|Removed: [0-9a-f]{7,40} )/m;

/** Does what a report tells: a change that was carried out is one, and one whose commit was removed is taken back. */
export function carryOut(report: string, source: number, shelf: Shelf): void {
  let done = new Set<Draft>();
  let written: Unit[] = [];
  for (const [, applied = '', commit = '', removed = ''] of report.slice(0, LONGEST).matchAll(EVENT)) {
    if (applied !== '') {
      const draft = draftOf(shelf, filePlace(applied.trim(), shelf.root));
      if (!done.has(draft)) change(draft, source, shelf);
      done.add(draft);
      for (const { lines, edits } of takePending(applied.trim(), shelf)) {
        for (const edit of edits) strike(draft, edit);
        for (const unit of linesOf(lines, nextOrder(draft))) {
          draft.units.push(unit);
          draft.written.add(unit);
          written.push(unit);
        }
      }
    } else if (commit !== '' && done.size > 0) {
      // What a linter commits behind it is its own.
      shelf.commits.set(commit, { drafts: [...done], lines: new Set(written.flatMap(({ text }) => text.split('\n'))) });
      [done, written] = [new Set(), []];
    } else if (removed !== '') remove(removed, source, shelf);
  }
  if (APPLIED_OTHERS.test(report))
    for (const path of othersIn(report, shelf)) change(draftOf(shelf, filePlace(path, shelf.root)), source, shelf);
  // What it says nothing of did not come about.
  if (REPORT.test(report)) shelf.pending = [];
}

const LONGEST = 400_000;
const EVENT = /^(?:Applied edit to (\S.{0,400})|Commit ([0-9a-f]{7,40}) .*|Removed: ([0-9a-f]{7,40}) .*)$/gm;
const APPLIED_OTHERS = /^# The other \d+ SEARCH\/REPLACE blocks? (?:was|were) applied/m;

/** The code that was meant for a file; it is carried out once. */
function takePending(path: string, shelf: Shelf): readonly Fenced[] {
  const [taken, left]: [Fenced[], Fenced[]] = [[], []];
  for (const code of shelf.pending ?? []) (isSamePath(code.path, path) ? taken : left).push(code);
  shelf.pending = left;
  return taken;
}

/** Files whose blocks all matched, or all of them: which ones of a file did not nobody says. */
function othersIn(report: string, { pending }: Shelf): readonly string[] {
  const paths = [...new Set((pending ?? []).map(({ path }) => path))];
  const others = paths.filter((path) => !report.includes(`match lines in ${path}`));
  return others.length > 0 ? others : paths;
}

function change(draft: Draft, source: number, shelf: Shelf): void {
  draft.verbs.delete(TAKEN_BACK);
  count(draft, 'changed');
  draft.isChange = true;
  draft.last = source;
  shelf.lastChange = draft.place.heading;
  shelf.changes += 1;
}

function remove(hash: string, source: number, { commits }: Shelf): void {
  const commit = commits.get(hash);
  commits.delete(hash);
  for (const draft of commit?.drafts ?? []) {
    takeOut(draft, commit?.lines ?? new Set());
    const left = (draft.verbs.get('changed') ?? 0) - 1;
    if (left > 0) draft.verbs.set('changed', left);
    else {
      draft.verbs.delete('changed');
      draft.verbs.set(TAKEN_BACK, 1);
    }
    draft.last = source;
  }
}
