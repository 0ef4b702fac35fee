import { isSamePath } from '../facts/paths.ts';
import type { Done } from './acts.ts';
import type { Given } from './asked.ts';
import { isStopped, type Trouble, writeHeading } from './heading.ts';
import { EARLIER } from './labels.ts';
import { type GroupSection, headedPath, type Place } from './places.ts';
import { type Fenced, type Unit, unitOf } from './units.ts';

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
  /** It only looks for something: worth nothing but what it found. */
  readonly isLookup: boolean;
  /** Several commands of one kind. */
  readonly isFamily: boolean;
  /** It failed, and whether that is still so; or the user did not let it happen. */
  readonly failure?: 'open' | 'fixed' | 'stopped';
  readonly units: readonly Unit[];
  /** Lines of what was written, as against what was only seen. */
  readonly written: ReadonlySet<Unit>;
  /** The line that tells what went wrong. */
  readonly telling?: Unit;
  /** Quotes that stand before this order tell of a failure that is settled. */
  readonly settled: number;
};
export type Speaker = 'User' | 'Assistant';

/** A group being filled. */
export type Draft = {
  place: Place;
  /** A file's path, the longest it was called by. */
  path: string;
  readonly speaker?: Speaker;
  /** What was done to a file, or `run`, with how often. */
  readonly verbs: Map<string, number>;
  purpose: string;
  /** How it failed and what became of it. */
  trouble: Trouble | undefined;
  last: number;
  isChange: boolean;
  isLookup: boolean;
  /** A command that does something other than change files. */
  isRun: boolean;
  /** Several commands of one kind. */
  readonly isFamily: boolean;
  readonly units: Unit[];
  readonly written: Set<Unit>;
  telling: Unit | undefined;
  /** Quotes that stand before this order tell of a failure that is settled. */
  settled: number;
  /** Words of the code that failed there, where it was code and no command. */
  code: ReadonlySet<string>;
  /** What a tool was asked with that failed; of an earlier round nobody knows. */
  given?: Given;
  /** Quotes gone through for what later changes replaced. */
  looks: number;
  /** Between which commits it was changed last, and how often; between which it was made. */
  epoch: number;
  fresh: number;
  made: number;
  /** What it was before git took its changes back. */
  stash?: Pick<Draft, 'verbs' | 'units' | 'written' | 'fresh'>;
};

/** A file whose changes are stashed away, with what the call did that did it. */
export type Stashed = { readonly draft: Draft; readonly done: Done[]; readonly isFresh: boolean };

/** All drafts by key, and what was changed last. */
export type Shelf = {
  readonly drafts: Map<string, Draft>;
  /** Drafts of files by the last segment of their paths. */
  readonly files: Map<string, Draft[]>;
  readonly root: string;
  /** The directory that all files with whole paths are in, scratch aside. */
  top: string;
  /** Heading of the file that was changed last, and how many changes there were. */
  lastChange: string;
  changes: number;
  /** What failed last, as far as nothing is known to have ended it. */
  readonly failed: Draft[];
  /** Commits so far. */
  epoch: number;
  /** Files changed since the newest of them, and what each of those that a reset may take back changed. */
  readonly unkept: Set<Draft>;
  readonly local: Local[];
  /** What was deleted last, and files whose changes are stashed away. */
  readonly gone: Draft[];
  readonly stashed: Stashed[];
  /** Files gone through for what happened to whole directories. */
  looks: number;
  /** What the newest summary of another hand said. */
  readonly carried: Draft[];
  /** Code of the newest answer that may have been carried out; `undefined` where nobody reports that. */
  pending: readonly Fenced[] | undefined;
  /** What that answer says beside it. */
  proposal: Draft | undefined;
  /** What was changed by commits that a report tells of. */
  readonly commits: Map<string, Commit>;
};

/** Files that a commit changed, and what it wrote into them: `undefined` for one of an earlier round. */
export type Commit = {
  readonly drafts: readonly Draft[];
  readonly lines: ReadonlySet<string> | undefined;
  /** The answer that proposed it. */
  readonly proposal?: Draft | undefined;
};

/** What a commit of this session holds: files, and how often it changed them. `isKnown`: these and no others. */
export type Local = { readonly hash: string; readonly held: readonly Held[]; readonly isKnown: boolean };
type Held = { readonly draft: Draft; readonly times: number; readonly isNew: boolean };

/** A shelf with what earlier digests hold. */
export function shelfOf(prior: readonly Draft[], root: string): Shelf {
  const failed = prior.filter(({ trouble }) => trouble?.fix === '');
  const shelf: Shelf = {
    drafts: new Map(),
    files: new Map(),
    root,
    top: '',
    lastChange: '',
    changes: 0,
    failed,
    epoch: 0,
    unkept: new Set(),
    local: [],
    gone: prior.filter(({ verbs, path }) => path !== '' && verbs.has('deleted')).slice(-20),
    stashed: [],
    looks: 0,
    carried: prior.filter(({ place, written }) => place.heading === EARLIER && written.size > 0),
    pending: undefined,
    proposal: undefined,
    commits: new Map(),
  };
  const isKept = prior.some(({ place }) => COMMIT.test(place.heading));
  for (const draft of prior) {
    shelve(shelf, draft);
    if (isKept) continue;
    draft.epoch = 0;
    draft.fresh = draft.verbs.get('changed') ?? 0;
    draft.made = draft.verbs.has('created') ? 0 : -1;
  }
  return shelf;
}

const COMMIT = /\bgit commit\b/;

/** The draft at a place; a new one where there is none. */
export function draftOf(shelf: Shelf, place: Place, speaker?: Speaker): Draft {
  const known = knownDraft(shelf, place);
  if (known !== undefined) return known;
  const draft = draftAt(place, speaker);
  shelve(shelf, draft);
  return draft;
}

/** The draft at a place where there is one: of a file also under a shorter or a longer path. */
export function knownDraft(shelf: Shelf, place: Place): Draft | undefined {
  const known = draftNamed(shelf, place);
  // What is called by its whole path later is told by that.
  if (known !== undefined && place.heading.includes('/') && BARE.test(known.place.heading) && !BARE.test(place.heading))
    known.place = { ...known.place, heading: place.heading };
  return known;
}

const BARE = /^[^/]*(?: in .*)?$/;

function draftNamed({ drafts, files, root, top }: Shelf, { key, path, heading }: Place): Draft | undefined {
  const exact = drafts.get(key);
  if (exact !== undefined || path === '') return exact;
  const below = path.startsWith('/') ? path : `${root}${headedPath(heading)}`;
  const namesakes = (files.get(endOf(path)) ?? []).slice(-NAMESAKES);
  const alike = namesakes.filter((draft) => draft.path === below || isNamedAlike(draft.path, path));
  const [draft] = alike;
  // Where all of a session is in one directory, its commands run there.
  const [one, ...more] = path.includes('/') ? [] : namesakes;
  if (alike.length === 0 && more.length === 0 && one?.isChange === true && one.path === `${top}${path}`) return one;
  // Which of several it is nobody can tell.
  if (draft === undefined || alike.length > 1) return alike.find((other) => other.path === below);
  if (path.length > draft.path.length) draft.path = path;
  return draft;
}

/** A file's name alone is that of many. */
function isNamedAlike(one: string, other: string): boolean {
  return one.includes('/') && other.includes('/') && isSamePath(one, other);
}

/** Puts a draft on the shelf. */
function shelve(shelf: Shelf, draft: Draft): void {
  const { drafts, files } = shelf;
  const { key, path } = draft.place;
  drafts.set(key, draft);
  if (path === '') return;
  if (path.startsWith('/') && !SCRATCH.test(path)) shelf.top = sharedBy(shelf.top, path);
  const end = endOf(path);
  const others = files.get(end);
  if (others === undefined) files.set(end, [draft]);
  else others.push(draft);
}

/** What nobody means to keep. */
export const SCRATCH: RegExp = /^\/(?:private\/)?(?:tmp|var\/folders|var\/tmp)\//;

/** True for the heading of a file that nobody means to keep. */
export function isScratch(heading: string): boolean {
  return SCRATCH.test(heading.replace(/^[^/\s]+ in /, ''));
}

/** The directory, with its slash, that another one and a file share; the file's own where there is no other. */
function sharedBy(directory: string, path: string): string {
  if (directory === '') return path.slice(0, path.lastIndexOf('/') + 1);
  let shared = 0;
  for (let at = 0; at < directory.length && directory[at] === path[at]; at += 1)
    if (directory[at] === '/') shared = at + 1;
  return directory.slice(0, shared);
}

const NAMESAKES = 20;

const endOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** An empty group. */
export function draftAt(place: Place, speaker?: Speaker): Draft {
  return {
    place,
    path: place.path,
    ...(speaker === undefined ? {} : { speaker }),
    verbs: new Map(),
    purpose: '',
    trouble: undefined,
    last: -1,
    isChange: false,
    isLookup: false,
    isRun: false,
    isFamily: false,
    units: [],
    written: new Set(),
    telling: undefined,
    settled: 0,
    looks: 0,
    epoch: -1,
    fresh: 0,
    made: -1,
    code: new Set(),
  };
}

/** A draft with its heading written. */
export function finished(draft: Draft): Group {
  const { place, speaker, purpose, trouble, last, isChange, isLookup, isFamily, units, written, telling, settled } =
    draft;
  const header = writeHeading({ ...draft, heading: place.heading });
  return {
    section: place.section,
    // What we say of it explains none of its names.
    header: { ...unitOf(header, -1), words: unitOf(`${place.heading} ${purpose}`, -1).words },
    ...(speaker === undefined ? {} : { speaker }),
    last,
    isChange,
    isLookup,
    isFamily,
    ...(trouble === undefined ? stopped(draft) : { failure: trouble.fix === '' ? 'open' : 'fixed' }),
    units,
    written,
    settled,
    ...(telling === undefined ? {} : { telling }),
  };
}

function stopped(draft: Draft): Pick<Group, 'failure'> {
  return wasStopped(draft) ? { failure: 'stopped' } : {};
}

/** True where the user did not let happen what was meant last. */
export function wasStopped({ verbs }: Draft): boolean {
  return [...verbs.keys()].some(isStopped);
}

/** It was let happen after all. */
export function allow({ verbs }: Draft): void {
  for (const verb of verbs.keys()) if (isStopped(verb)) verbs.delete(verb);
}

/** Counts one more of what was done there. */
export function count({ verbs }: Draft, verb: string): void {
  verbs.set(verb, (verbs.get(verb) ?? 0) + 1);
}

/** The order of what comes next in a draft. */
export function nextOrder({ units }: Draft): number {
  return (units.at(-1)?.order ?? -1) + 1;
}

/** Puts units into a draft. */
export function add(draft: Draft, source: number, units: readonly Unit[]): void {
  draft.last = source;
  for (const unit of units) draft.units.push(unit);
}
