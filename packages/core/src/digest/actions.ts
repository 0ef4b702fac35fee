import type { Action } from '../facts/calls.ts';
import { tellingLines } from '../facts/outcome.ts';
import type { Stop } from '../facts/stopped.ts';
import { countingLines, testsIn, testVerdictOf } from '../facts/verdict.ts';
import { isObject } from '../formats/native.ts';
import type { Act } from './acts.ts';
import { givenIn } from './asked.ts';
import { hitsOf, outputLines, squeezed } from './clean.ts';
import { runsMore } from './commands.ts';
import { actsOutside } from './deeds.ts';
import { directoryOf, isElsewhere } from './directories.ts';
import { add, count, type Draft, draftOf, knownDraft, nextOrder, type Shelf } from './drafts.ts';
import { type Edit, editsOf } from './edits.ts';
import { countEffects } from './effects.ts';
import { OK } from './heading.ts';
import type { TextKind } from './json.ts';
import { commandPlace, filePlace, foundFile, marked, type Place, placeOf, searchedFile } from './places.ts';
import { codeOf, type Settling, settledBy, suspectsIn } from './resolved.ts';
import { clear, renew, strike, takeBack } from './struck.ts';
import { linesOf, shortened, unitOf } from './units.ts';
import { heredocsIn, newLines, patchedLines } from './written.ts';

/** Puts a call and what came of it under the file or command it is about. */
export function addAct(act: Act, shelf: Shelf): void {
  if (act.action.kind === 'todos') return;
  const draft = draftOf(shelf, placeOf(act, shelf.root));
  draft.last = act.source;
  if (act.stop !== undefined) {
    addStop(act, act.stop, draft);
    return;
  }
  draft.purpose = act.purpose || draft.purpose;
  // What a command did to files stands with them.
  draft.isLookup = act.nature === 'lookup' || (act.action.kind === 'command' && isOnlyChange(act));
  draft.isChange ||= act.failure === '' && isDeed(act);
  draft.isRun = act.nature === 'check' || act.nature === 'run' || (act.action.kind === 'command' && !draft.isLookup);
  if (act.failure === '') {
    addWritten(act, draft, shelf);
    countEffects(act, draft, shelf);
    // What no file tells of is told by the command.
    if (act.action.kind === 'command' && isOnlyChange(act) && act.done.length === 0) draft.isLookup = false;
  }
  addResult(act, draft, shelf);
}

function isDeed({ action, nature }: Act): boolean {
  return nature === 'deed' || (action.kind === 'command' && actsOutside(action.command));
}

/** What the user did not let happen: told as that, with what was said where that is no prompt. */
function addStop({ action, purpose, result, source }: Act, { status, said }: Stop, draft: Draft): void {
  draft.purpose ||= purpose;
  draft.isLookup = false;
  count(draft, action.kind === 'files' ? `change ${status}` : status);
  // Quoted as any result is: a server may have made it up.
  const quoted = squeezed(outputLines(said, 'result').join(' '));
  if (quoted === '') return;
  draft.telling = unitOf(shortened(`${result?.isError === true ? USER_SAID : ''}${quoted}`, 400), nextOrder(draft));
  add(draft, source, [draft.telling]);
}

const USER_SAID = 'the user said: ';

/** True where nothing was done but a change of files. */
function isOnlyChange({ action, nature }: Act): boolean {
  return nature === 'change' && !(action.kind === 'command' && runsMore(action.command));
}

function addWritten(act: Act, draft: Draft, shelf: Shelf): void {
  strikeReplaced(act, draft, shelf);
  const patched = act.call.text.includes('*** Begin Patch') ? patchedLines(act.call.text) : new Map();
  if (patched.size < 2) write(draft, newLines(act.call), { act, shelf });
  const { action } = act;
  // The same file as the command's words name it.
  for (const [path, lines] of action.kind === 'command' ? heredocsIn(action.command) : [])
    write(draftOf(shelf, placeAt(action, path, shelf.root)), lines, { act, shelf });
  for (const [path, lines] of patched.size < 2 ? [] : patched)
    write(draftOf(shelf, filePlace(path, shelf.root)), lines, { act, shelf });
}

/** What a change replaced is no longer in its file. */
function strikeReplaced({ action, call, nature }: Act, draft: Draft, shelf: Shelf): void {
  if (action.kind !== 'command' && (action.kind !== 'files' || nature !== 'change')) return;
  const edits = action.kind === 'files' ? editsOf(call) : [];
  for (const edit of edits) {
    const { path } = edit;
    strike(path === '' ? draft : draftOf(shelf, filePlace(path, shelf.root)), markedEdit(edit, shelf.root));
  }
  if (edits.length > 0 || (action.kind === 'command' && TOUCH.test(action.command))) return;
  for (const { path, name, status, isTree } of action.effects) {
    if (isTree === true) continue;
    const written = knownDraft(shelf, filePlace(path, shelf.root, name));
    if (written !== undefined && status === 'created') clear(written);
    if (written !== undefined && status === 'changed' && action.kind === 'command' && GIT_BACK.test(action.command))
      takeBack(written);
  }
}

const GIT_BACK = /\bgit (?:-C \S+ )?(?:checkout|restore) /;
const TOUCH = /(?:^|[;&|]\s*)touch /;

/** The place of a path as the effects of its action name it, from where the command runs. */
function placeAt(action: Action, path: string, root: string): Place {
  const effects = action.kind === 'command' ? action.effects : [];
  const effect = effects.find((one) => one.path === path || one.name === path || one.path.endsWith(`/${path}`));
  return filePlace(effect?.path ?? path, root, effect?.name);
}

function markedEdit(edit: Edit, root: string): Edit {
  const mark = (lines: readonly string[]): readonly string[] => lines.map((line) => marked(line, root));
  return { ...edit, old: mark(edit.old), next: mark(edit.next) };
}

function write(
  draft: Draft,
  lines: readonly string[],
  { act, shelf }: { readonly act: Act; readonly shelf: Shelf },
): void {
  const units = linesOf(
    lines.map((line) => marked(line, shelf.root)).filter((line) => !draft.place.heading.includes(squeezed(line))),
    nextOrder(draft),
  );
  if (act.action.kind === 'command' ? draft.path !== '' : act.nature === 'change')
    for (const unit of units) draft.written.add(unit);
  add(draft, act.source, units);
}

function addResult(act: Act, draft: Draft, shelf: Shelf): void {
  const { result, failure } = act;
  if (result === undefined) return;
  const lines = outputLines(marked(result.text, shelf.root), textKind(act));
  if (failure === '' && act.nature === 'read' && isWholeRead(act)) renew(draft, lines);
  if (failure === '') {
    if (act.nature === 'check' && draft.place.section === 'recent_actions') draft.verbs.set(OK, 1);
    for (const solved of [draft, ...linksOf(act, shelf)]) resolve(act, solved, shelf);
    settleOthers(draft, settlingOf(act, draft, lines), shelf);
    // How things stand now takes the place of how they stood.
    if (act.action.kind === 'command' && STATE.test(act.base)) clear(draft);
    // A change's result repeats the change.
    if (isOnlyChange(act)) return;
    const { hits, others } = hitsOf(lines, searchedFile(act));
    for (const [path, found] of hits)
      addSeen(draftOf(shelf, filePlace(foundFile(act, path), shelf.root, path)), result.source, found);
    add(draft, result.source, linesOf(others, nextOrder(draft)));
    return;
  }
  if (act.nature !== 'lookup' && act.nature !== 'read' && !isQuestion(act)) addTrouble(act, draft, { lines, shelf });
  if (act.action.kind === 'command') add(draft, result.source, linesOf(lines, nextOrder(draft)));
}

function addTrouble(
  act: Act,
  draft: Draft,
  { lines, shelf }: { readonly lines: readonly string[]; readonly shelf: Shelf },
): void {
  draft.verbs.delete(OK);
  const failure = act.action.kind === 'files' ? `change ${act.failure}` : act.failure;
  const verdict = act.action.kind === 'command' ? testVerdictOf(lines.join('\n')) : '';
  const left = suspectsIn(draft.place.heading, verdict);
  const times = (draft.trouble?.times ?? 0) + 1;
  const tests = verdict === 'red' ? testsIn(lines.join('\n')) : 0;
  const directory = directoryOf(act);
  draft.trouble = {
    failure,
    times,
    fix: '',
    changes: shelf.changes,
    ...(left === undefined ? {} : { left }),
    ...(tests === 0 ? {} : { tests }),
    directory,
  };
  const told = tellingOf(verdict === 'green' ? behindCount(lines) : lines, act);
  // Among lines of its file it would read as one of them.
  const isAmong = draft.place.section === 'file_system_state' && told !== '';
  draft.telling = unitOf(isAmong ? `${failure}: ${told}` : told, nextOrder(draft));
  add(draft, act.result?.source ?? act.source, [draft.telling]);
  draft.code = codeOf(act);
  draft.given = givenIn(act);
  remember(draft, shelf.failed);
}

/** Where the tests of a line went well, what failed comes behind their count. */
function behindCount(lines: readonly string[]): readonly string[] {
  const last = countingLines(lines).at(-1);
  const rest = last === undefined ? [] : lines.slice(lines.lastIndexOf(last) + 1);
  return tellingLines(rest.join('\n')).length > 0 ? rest : lines;
}

function textKind(act: Act): TextKind {
  if (act.nature === 'read') return 'file';
  return searchedFile(act) === '' ? 'result' : 'search';
}

/** True where a file was read from its start to its end. */
function isWholeRead({ action, call: { input } }: Act): boolean {
  if (action.kind === 'command') return /^cat [^|;&]*$/.test(action.command);
  return isObject(input) && Object.values(input).every((value) => typeof value === 'string');
}

/** What a search shows of a file stands with that file; it is not read by that. */
function addSeen(draft: Draft, source: number, lines: readonly string[]): void {
  if (draft.verbs.size === 0) draft.isLookup = true;
  add(draft, Math.max(draft.last, source), linesOf(lines, nextOrder(draft)));
}

const STATE = /^git (?:status|stash list)(?![^&|;]*[&|;])/;

/** What a chain of commands ran: all of it went well where the chain did. */
function linksOf({ action, base, where }: Act, { drafts, root }: Shelf): readonly Draft[] {
  if (action.kind !== 'command' || /\|\||;/.test(base)) return [];
  const links = base.split('&&');
  return links.length < 2 ? [] : links.flatMap((link) => drafts.get(commandPlace(link, root, where).key) ?? []);
}

/** Only the same action on the same thing ends a failure: reading a file does not make a failed edit good. */
function resolve(act: Act, draft: Draft, { lastChange, changes }: Shelf): void {
  const { trouble, place } = draft;
  if (trouble === undefined || trouble.fix !== '') return;
  if (place.section === 'file_system_state' && act.nature !== 'change') return;
  if (isElsewhere(directoryOf(act), trouble.directory)) return;
  draft.settled = nextOrder(draft);
  const isOther = changes > trouble.changes && lastChange !== place.heading;
  draft.trouble = { ...trouble, fix: isOther ? `then ok after changing ${lastChange}` : 'then ok' };
}

/** A question that had no answer leaves nothing broken. */
function isQuestion({ action, call: { tool = '' } }: Act): boolean {
  return action.kind === 'other' && /^(?:get|read|lookup|query|describe|show|view)[_A-Z]/.test(tool);
}

function remember(draft: Draft, failed: Draft[]): void {
  const at = failed.indexOf(draft);
  if (at >= 0) failed.splice(at, 1);
  failed.push(draft);
  if (failed.length > REMEMBERED) failed.shift();
}

const REMEMBERED = 40;

/** The same thing may be called otherwise: a broader run of the same tests, an order's update with other arguments. */
function settleOthers(own: Draft, done: Settling, { failed }: Shelf): void {
  for (const draft of [...failed]) {
    if (draft !== own) draft.trouble = settledBy(done, draft) ?? draft.trouble;
    if (draft.trouble?.fix === '') continue;
    draft.settled = nextOrder(draft);
    failed.splice(failed.indexOf(draft), 1);
  }
}

function settlingOf(act: Act, { place }: Draft, lines: readonly string[]): Settling {
  const isGreen = act.nature === 'check' && act.action.kind === 'command';
  const tests = isGreen ? testsIn(lines.join('\n')) : 0;
  return { heading: place.heading, code: codeOf(act), tests, directory: directoryOf(act), given: givenIn(act) };
}

/** The line of a failed result that tells most: an exception's or a compiler's, else the last one. */
function tellingOf(lines: readonly string[], { action }: Act): string {
  const telling = tellingLines(lines.join('\n'));
  const best =
    telling.findLast((line) => /^[\w.]*(?:Error|Exception)\b/.test(line)) ??
    telling.findLast((line) => /\b(?:FATAL|CRITICAL)\b/.test(line)) ??
    telling[0];
  // An editor says first what is wrong, then shows where.
  const rest = lines.filter((text) => text.trim().length > 2);
  const line = best ?? (action.kind === 'files' ? rest[0] : rest.at(-1)) ?? '';
  return shortened(squeezed(line.replace(/<\/?\w*error>/g, '')), 220);
}
