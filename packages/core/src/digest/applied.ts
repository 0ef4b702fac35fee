import { isSamePath } from '../facts/paths.ts';
import type { Item } from './acts.ts';
import { squeezed } from './clean.ts';
import { type Commit, count, type Draft, draftOf, nextOrder, type Shelf } from './drafts.ts';
import { TAKEN_BACK } from './heading.ts';
import { COMMITS } from './labels.ts';
import { withoutAuthority } from './orders.ts';
import { actionPlace, filePlace } from './places.ts';
import { clear, strike, takeOut } from './struck.ts';
import { type Fenced, linesOf, shortened, type Unit, unitOf } from './units.ts';

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
  for (const [, applied = '', commit = '', message = '', removed = ''] of report.slice(0, LONGEST).matchAll(EVENT)) {
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
    } else if (commit !== '') {
      // What a linter commits behind it is its own.
      const lines = new Set(written.flatMap(({ text }) => text.split('\n')));
      if (done.size > 0) shelf.commits.set(commit, { drafts: [...done], lines, proposal: shelf.proposal });
      tellCommit({ hash: commit, message, drafts: [...done] }, source, shelf);
      [done, written] = [new Set(), []];
    } else if (removed !== '') remove(removed, source, shelf);
  }
  if (APPLIED_OTHERS.test(report))
    for (const path of othersIn(report, shelf)) change(draftOf(shelf, filePlace(path, shelf.root)), source, shelf);
  // What it says nothing of did not come about.
  if (REPORT.test(report)) shelf.pending = [];
}

const LONGEST = 400_000;
const EVENT = /^(?:Applied edit to (\S.{0,400})|Commit ([0-9a-f]{7,40}) (.*)|Removed: ([0-9a-f]{7,40}) .*)$/gm;
const APPLIED_OTHERS = /^# The other \d+ SEARCH\/REPLACE blocks? (?:was|were) applied/m;

type Told = { readonly hash: string; readonly message: string; readonly drafts: readonly Draft[] };

/** A commit stands with its files: all that a later round may have of it. */
function tellCommit({ hash, message, drafts }: Told, source: number, shelf: Shelf): void {
  const told = draftOf(shelf, actionPlace(COMMITS));
  const said = withoutAuthority(shortened(squeezed(message), WIDEST));
  const files = drafts.slice(0, MOST_FILES).map(({ place }) => place.heading);
  const text = [`${hash} ${said}`.trim(), ...(files.length === 0 ? [] : [files.join(', ')])].join(OF);
  told.units.push(unitOf(text, nextOrder(told)));
  told.isChange = true;
  told.last = source;
}

const WIDEST = 120;
const MOST_FILES = 6;
const OF = ' — ';

/** The commits that an earlier digest tells of. */
export function priorCommits(prior: readonly Draft[]): ReadonlyMap<string, Commit> {
  const commits = new Map<string, Commit>();
  for (const { text } of prior.find(({ place }) => place.heading === COMMITS)?.units ?? []) {
    const at = text.lastIndexOf(OF);
    const names = new Set(at < 0 ? [] : text.slice(at + OF.length).split(', '));
    const drafts = prior.filter(({ place, path }) => path !== '' && names.has(place.heading));
    const [hash = ''] = text.split(' ');
    if (drafts.length > 0) commits.set(hash, { drafts, lines: undefined });
  }
  return commits;
}

/** True for a line of a report that is told with its file or its commit. */
export function isToldElsewhere(line: string): boolean {
  return TOLD.test(line);
}

const TOLD =
  /^(?:Applied edit to \S|Commit [0-9a-f]{7,40} |Removed: [0-9a-f]{7,40} |(?:Now at|HEAD is): |You can use \/undo |Use \/help <|Aider v\d|Git repo: |Repo-map: )/;

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

function remove(hash: string, source: number, shelf: Shelf): void {
  const commit = shelf.commits.get(hash);
  shelf.commits.delete(hash);
  const told = draftOf(shelf, actionPlace(COMMITS));
  const at = told.units.findIndex(({ text }) => text.startsWith(`${hash} `));
  if (at >= 0) told.units.splice(at, 1);
  if (told.units.length === 0) told.isChange = false;
  told.isLookup = !told.isChange;
  // What was said of it holds no longer either.
  if (commit?.proposal !== undefined) commit.proposal.units.length = 0;
  for (const draft of commit?.drafts ?? []) {
    // Which of an earlier round's lines it wrote nobody knows.
    if (commit?.lines === undefined) clear(draft);
    else takeOut(draft, commit.lines);
    const left = (draft.verbs.get('changed') ?? 0) - 1;
    if (left > 0) draft.verbs.set('changed', left);
    else {
      draft.verbs.delete('changed');
      draft.verbs.set(TAKEN_BACK, 1);
    }
    draft.last = source;
  }
}
