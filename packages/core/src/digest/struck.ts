import { squeezed } from './clean.ts';
import type { Draft } from './drafts.ts';
import type { Edit } from './edits.ts';
import { isBlockName } from './owners.ts';
import { piecesOf, withoutOpening } from './shown.ts';
import { lineText, type Unit, unitOf } from './units.ts';

/** Takes the quotes of a file out that a later change replaced. */
export function strike(draft: Draft, edit: Edit): void {
  const next = new Set(edit.next.map(plain));
  const gone = edit.old.filter((line) => plain(line) !== '' && !next.has(plain(line)));
  if (gone.length === 0) return;
  const lines = new Set(gone.map(plain));
  const text = gone.map(squeezed).join('\n');
  const isPart = edit.isWhole ? () => false : partOf(edit.old.map(squeezed), next);
  keepLines(draft, ({ line, bare }) => {
    if (lines.has(bare) || isPart(line) || isMade(bare, lines)) return false;
    return !(isCut(line) && text.includes(uncut(line)));
  });
}

/** Takes the quotes of a file out that are not in its text as it stands now. */
export function renew(draft: Draft, now: readonly string[]): void {
  if (isTooMuch(draft)) {
    clear(draft);
    return;
  }
  const lines = new Set(now.map(plain));
  const known = draft.units.flatMap(linesIn);
  const kept = known.filter(({ bare }) => lines.has(bare)).length;
  // A note that nothing changed, or a part of a long file, is not the file.
  if (kept * OVERLAP < known.length) return;
  keepLines(
    draft,
    ({ line, bare }) => isCut(line) || lines.has(bare) || piecesOf(bare).every((piece) => lines.has(plain(piece))),
  );
}

const OVERLAP = 3;

/** Takes all quotes of a file out: it was written anew. */
export function clear(draft: Draft): void {
  keepLines(draft, () => false);
}

/** Takes out of a file what was written into it: that was taken back. */
export function takeBack(draft: Draft): void {
  const written = new Set([...draft.written].flatMap((unit) => linesIn(unit).map(({ bare }) => bare)));
  keepLines(draft, ({ bare }) => !written.has(bare));
}

/** Takes lines out of a file that were written into it. */
export function takeOut(draft: Draft, lines: ReadonlySet<string>): void {
  const written = new Set([...lines].map(plain));
  keepLines(draft, ({ bare }) => !written.has(bare));
}

/** Puts back what was stashed away. */
export function giveBack(draft: Draft): void {
  const { stash } = draft;
  if (stash === undefined) return;
  draft.units.length = 0;
  for (const unit of stash.units) draft.units.push(unit);
  draft.written.clear();
  for (const unit of stash.written) draft.written.add(unit);
  draft.verbs.clear();
  for (const [verb, times] of stash.verbs) draft.verbs.set(verb, times);
  draft.fresh = stash.fresh;
}

type Line = { readonly line: string; readonly bare: string };

function keepLines(draft: Draft, isKept: (line: Line) => boolean): void {
  const isKnown = !isTooMuch(draft);
  const units = draft.units.flatMap((unit) => {
    if (unit === draft.telling) return [unit];
    const lines = linesIn(unit);
    // A file changed so often that nobody can follow: better nothing than what may be gone.
    const kept = isKnown ? lines.filter(isKept) : [];
    if (kept.length === lines.length) return [unit];
    const text = kept.map(({ line }) => line).join('\n');
    const rest = kept.every(({ line }) => isBlockName(line))
      ? []
      : [{ ...unitOf(text, unit.order), shape: unit.shape }];
    if (draft.written.delete(unit)) for (const one of rest) draft.written.add(one);
    return rest;
  });
  draft.units.length = 0;
  for (const unit of units) draft.units.push(unit);
}

/** Whether the lines of a file were looked at too often; as long as they were not, counts one look more at each. */
function isTooMuch(draft: Draft): boolean {
  if (draft.looks < MOST_LOOKS) for (const unit of draft.units) draft.looks += linesIn(unit).length;
  return draft.looks >= MOST_LOOKS;
}

const MOST_LOOKS = 1_000_000;

function linesIn(unit: Unit): readonly Line[] {
  const known = read.get(unit);
  if (known !== undefined) return known;
  const lines = unit.text.split('\n').map((line) => ({ line, bare: plain(line) }));
  read.set(unit, lines);
  return lines;
}

// A file is gone through at each of its changes.
const read = /* @__PURE__ */ new WeakMap<Unit, readonly Line[]>();

/** A line without what is left off where it is quoted. */
function plain(line: string): string {
  return withoutOpening(lineText(line));
}

/** True for a line that an earlier digest put together from lines that are gone. */
function isMade(bare: string, gone: ReadonlySet<string>): boolean {
  const pieces = piecesOf(bare);
  const hit = pieces.map(plain).filter((piece) => gone.has(piece));
  return hit.length > 0 && pieces.length > 1 && (hit.length * 2 >= pieces.length || hit.some(isTelling));
}

// A setting is one however short it is; a lone name stands in many lines.
const isTelling = (piece: string): boolean => piece.length >= TELLING || /[:=]/.test(piece);

const isCut = (line: string): boolean => line.startsWith('… ') || line.endsWith(' …');
const uncut = (line: string): string => line.replace(/^… | …$/g, '');

/** Tells lines that a replaced text is a part of: one line anywhere, several from their first one's end to their last one's start. */
function partOf(old: readonly string[], next: ReadonlySet<string>): (line: string) => boolean {
  const [first = '', ...rest] = old;
  const last = rest.at(-1);
  if (last === undefined) return (line) => line.includes(first);
  const isIn = (part: string): boolean => part.length >= TELLING && !next.has(plain(part));
  const [isFirst, isLast] = [isIn(first), isIn(last)];
  return (line) => (isFirst && line.endsWith(first)) || (isLast && line.startsWith(last));
}

// A bracket ends many lines.
const TELLING = 8;
