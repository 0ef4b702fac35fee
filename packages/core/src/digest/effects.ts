import { remakes } from '../facts/remade.ts';
import { type FileEffect, stepsOf } from '../facts/shell.ts';
import type { Act } from './acts.ts';
import { allow, count, type Draft, draftOf, knownDraft, SCRATCH, type Shelf, type Stashed } from './drafts.ts';
import { moveHead } from './head.ts';
import { GIVEN_BACK, TAKEN_BACK } from './heading.ts';
import { filePlace } from './places.ts';
import { clear, giveBack, takeBack } from './struck.ts';

/** Notes with each file what a call that went well did to it. */
export function countEffects(act: Act, draft: Draft, shelf: Shelf): void {
  const { action } = act;
  if (action.kind !== 'files' && action.kind !== 'command') return;
  allow(draft);
  if (draft.place.section !== 'file_system_state') count(draft, 'run');
  if (action.kind === 'command') notice(act, action.command, shelf);
  for (const effect of [...action.effects, ...cleaned(act)]) {
    setBack(act, effect, shelf);
    if (effect.isTree !== true) countEffect(act, effect, { draft, shelf });
    else if (effect.status === 'deleted')
      for (const target of fitting(effect.path, shelf)) noteDeletion(act, target, shelf);
  }
}

/** What `git clean` says that it removed. */
function cleaned({ action, result }: Act): readonly FileEffect[] {
  if (action.kind !== 'command' || !CLEAN.test(action.command)) return [];
  const lines = (result?.text ?? '').slice(0, LONGEST).split('\n');
  return lines.flatMap((line) => {
    const path = REMOVING.exec(line)?.[1];
    return path === undefined ? [] : [{ path, status: 'deleted' as const }];
  });
}

const CLEAN = /\bgit clean\b/;
const REMOVING = /^Removing (.{1,300}?)\/?\r?$/;
const LONGEST = 20_000;

type At = { readonly draft: Draft; readonly shelf: Shelf };

function countEffect(act: Act, { path, status, name }: FileEffect, { draft, shelf }: At): void {
  if (status === 'taken back' || status === 'given back') return;
  const place = filePlace(path, shelf.root, name);
  const known = knownDraft(shelf, place);
  if (act.action.kind === 'command' && status === 'read' && known !== draft) return;
  const target = known ?? draftOf(shelf, place);
  const verb = status === 'created' && wasThere(target, act) ? 'changed' : status;
  if (verb !== 'deleted') isThere(target, shelf);
  target.last = act.source;
  if (verb === 'read') {
    count(target, verb);
    return;
  }
  // It changes the time of a file that is there.
  if (verb === 'changed' && act.action.kind === 'command' && TOUCH.test(act.action.command)) return;
  if (verb === 'deleted') {
    noteDeletion(act, target, shelf);
    return;
  }
  noteChange(target, verb, shelf);
  if (target !== draft && target.trouble?.fix === '') target.trouble = { ...target.trouble, fix: 'then ok' };
  act.done.push({ verb, draft: target });
}

const TOUCH = /(?:^|[;&|]\s*)touch /;

function noteDeletion(act: Act, target: Draft, shelf: Shelf): void {
  target.last = act.source;
  noteChange(target, 'deleted', shelf);
  goneBelow(target, shelf);
  if (target.trouble?.fix === '') target.trouble = { ...target.trouble, fix: 'then ok' };
  act.done.push({ verb: 'deleted', draft: target });
}

/** Files that were read or written and that a pattern of the shell fits. */
function fitting(pattern: string, shelf: Shelf): readonly Draft[] {
  const folder = /^(?:[^*?]*\/)?/.exec(pattern)?.[0] ?? '';
  const fits = fitOf(pattern.slice(folder.length));
  if (fits === undefined) return [];
  const directory = folder.replace(/(?<=.)\/$/, '');
  return below(directory, shelf).filter(
    (draft) => !draft.verbs.has('deleted') && fits.test(restBelow(draft, directory, shelf) ?? '/'),
  );
}

/** A pattern of the shell with one star; nobody need follow more. */
function fitOf(pattern: string): RegExp | undefined {
  const name = pattern.replace(/^\*\*\//, '').replace(/\/\*\*$/, '');
  if ((name.match(/\*/g) ?? []).length > 1) return undefined;
  const own = name.replace(/[.+]/g, '\\$&').replace('*', '[^/]*').replaceAll('?', '[^/]');
  const before = pattern.startsWith('**/') ? '(?:.*/)?' : '(?!\\.)';
  return new RegExp(`^${before}${own}${pattern.endsWith('/**') ? '(?:/.*)?' : ''}$`);
}

/** True for a file that a write did not make: it was seen before, or the result says so. */
function wasThere({ verbs }: Draft, { action, result }: Act): boolean {
  if (verbs.has('deleted')) return false;
  if (['created', 'changed', 'read', TAKEN_BACK].some((verb) => verbs.has(verb))) return true;
  return action.kind === 'files' && UPDATED.test(result?.text.slice(0, 300) ?? '');
}

const UPDATED = /\b(?:(?:has been|was|successfully) (?:updated|overwritten|replaced)|overw(?:rote|ritten))\b/i;

function noteChange(draft: Draft, verb: 'created' | 'changed' | 'deleted', shelf: Shelf): void {
  draft.verbs.delete(TAKEN_BACK);
  count(draft, verb);
  draft.isChange = true;
  if (draft.epoch !== shelf.epoch) draft.fresh = 0;
  draft.epoch = shelf.epoch;
  draft.fresh += 1;
  shelf.unkept.add(draft);
  if (verb === 'created') draft.made = shelf.epoch;
  shelf.lastChange = draft.place.heading;
  shelf.changes += 1;
}

/** What a command tells of the files that earlier ones changed: a commit keeps them, a build makes what was deleted. */
function notice(act: Act, command: string, shelf: Shelf): void {
  if (GIT.test(command)) moveHead(act, command, shelf);
  if (COMMIT.test(command)) {
    shelf.epoch += 1;
    shelf.unkept.clear();
    for (const draft of shelf.carried) outdate(draft, UNCOMMITTED);
  }
  if (PUSH.test(command)) for (const draft of shelf.carried) outdate(draft, UNPUSHED);
  if (shelf.gone.length === 0) return;
  const steps = stepsOf(command);
  for (const draft of [...shelf.gone]) if (steps.some((step) => remakes(step, draft.path))) isThere(draft, shelf);
}

const GIT = /\bgit (?:-C \S+ )?(?:commit|reset|revert|checkout|switch|rebase|merge|pull|am|cherry-pick)\b/;
const COMMIT = /\bgit (?:-C \S+ )?commit\b/;
const PUSH = /\bgit (?:-C \S+ )?push\b/;

/** What another hand's summary says is still to do, and was done since. */
function outdate({ units, written }: Draft, said: RegExp): void {
  for (const unit of [...written]) {
    if (!said.test(unit.text)) continue;
    written.delete(unit);
    units.splice(units.indexOf(unit), 1);
  }
}

const UNCOMMITTED = /\b(?:not|n['’]t)\b[^.;:]{0,40}\bcommitted\b|\buncommitted\b/i;
const UNPUSHED = /\b(?:not|n['’]t)\b[^.;:]{0,40}\bpushed\b|\bunpushed\b/i;

/** It is not gone, nor is the directory it is in. */
function isThere(target: Draft, { gone }: Shelf): void {
  target.verbs.delete('deleted');
  for (const draft of [...gone]) {
    if (draft !== target && !target.path.startsWith(`${draft.path}/`)) continue;
    gone.splice(gone.indexOf(draft), 1);
    draft.verbs.delete('deleted');
    if (draft.verbs.size > 0) continue;
    draft.isChange = false;
    draft.isLookup = true;
  }
}

/** With a directory goes what was written in it. */
function goneBelow(target: Draft, shelf: Shelf): void {
  shelf.gone.push(target);
  if (shelf.gone.length > REMEMBERED) shelf.gone.shift();
  if (/[^/.]\.\w+$/.test(target.path)) return;
  for (const draft of below(target.path, shelf))
    if (draft !== target && (draft.verbs.has('created') || draft.verbs.has('changed'))) draft.verbs.set('deleted', 1);
}

const REMEMBERED = 20;

/** What git sets back is no longer as it was written; what it gives back is. */
function setBack(act: Act, { path, status, name, isTree }: FileEffect, shelf: Shelf): void {
  if (status !== 'taken back' && status !== 'given back') return;
  if (status === 'given back') {
    for (const stashed of shelf.stashed.splice(0)) restore(act, stashed);
    return;
  }
  const isStash = act.action.kind === 'command' && /\bgit (?:-C \S+ )?stash\b/.test(act.action.command);
  const place = filePlace(path, shelf.root, name);
  const drafts = isTree === true ? below(path, shelf) : [knownDraft(shelf, place) ?? draftOf(shelf, place)];
  for (const draft of drafts) {
    const isFresh = draft.epoch === shelf.epoch && draft.fresh > 0;
    // Of a whole tree only what git knows is set back: not what was made since the last commit.
    if (isTree === true && (!isFresh || draft.made === shelf.epoch)) continue;
    if (isFresh) undo(draft);
    if (isStash) shelf.stashed.push({ draft, done: act.done, isFresh });
    draft.verbs.delete('deleted');
    draft.verbs.set(TAKEN_BACK, 1);
    draft.last = act.source;
    act.done.push({ verb: 'taken back', draft });
  }
}

/** What comes back was never taken away: what stands is the change itself. A check between the two did not see it. */
function restore({ done }: Act, { draft, done: before, isFresh }: Stashed): void {
  if (isFresh) giveBack(draft);
  else draft.verbs.delete(TAKEN_BACK);
  const at = before.findIndex((one) => one.draft === draft && one.verb === 'taken back');
  if (at >= 0) before.splice(at, 1);
  if (before !== done) done.push({ verb: GIVEN_BACK, draft });
}

function undo(draft: Draft): void {
  const { verbs, units, written, fresh } = draft;
  draft.stash = { verbs: new Map(verbs), units: [...units], written: new Set(written), fresh };
  if (written.size > 0) takeBack(draft);
  else clear(draft);
  const kept = (verbs.get('changed') ?? 0) - fresh;
  if (kept > 0) verbs.set('changed', kept);
  else verbs.delete('changed');
  draft.fresh = 0;
}

/** The files of a directory, or of all that is not scratch; none where a session has too many to go through them again. */
function below(directory: string, shelf: Shelf): readonly Draft[] {
  const found: Draft[] = [];
  for (const drafts of shelf.files.values()) {
    shelf.looks += drafts.length;
    if (shelf.looks > MOST_LOOKS) return [];
    for (const draft of drafts) if (restBelow(draft, directory, shelf) !== undefined) found.push(draft);
  }
  return found;
}

const MOST_LOOKS = 400_000;

/** A file's path from a directory that it is in; `undefined` where it is elsewhere, or nobody can tell. */
function restBelow({ path, place }: Draft, directory: string, { root, top }: Shelf): string | undefined {
  if (directory === '') return SCRATCH.test(path) ? undefined : path;
  const isWhole = directory.startsWith('/');
  const own = isWhole && !path.startsWith('/') ? `${root}${path}` : isWhole ? path : place.heading;
  if (own === directory) return '';
  const start = directory.endsWith('/') ? directory : `${directory}/`;
  if (own.startsWith(start)) return own.slice(start.length);
  if (isWhole) return undefined;
  if (start.startsWith('~/')) {
    const homed = path.replace(HOME, '~/');
    return homed.startsWith(start) ? homed.slice(start.length) : undefined;
  }
  // It runs in a directory that all files are in, or so it seems.
  const at = path.startsWith('/') ? path.indexOf(`/${start}`) + 1 : 0;
  return at > 0 && top.startsWith(path.slice(0, at)) ? path.slice(at + start.length) : undefined;
}

const HOME = /^\/(?:home|Users)\/[^/]+\//;
