import { sentencesOf, type Unit } from './units.ts';

/** What a summary of another hand says. `state`: what it tells of what is pending, current or next. */
export type Carried = { readonly units: readonly Unit[]; readonly state: ReadonlySet<Unit> };

/** Reads such a summary: a heading stands with the first item below it or not at all. */
export function carriedIn(text: string): Carried {
  const units: Unit[] = [];
  const state = new Set<Unit>();
  let title = '';
  let above = 0;
  let open = Number.POSITIVE_INFINITY;
  for (const raw of text.slice(0, LONGEST).split('\n')) {
    const line = raw.trim();
    if (line === '') continue;
    const isHeading = line.length <= LONGEST_HEADING && HEADING.test(line);
    const level = levelOf(raw);
    if (isHeading && level <= open) open = STATE.test(line) ? level : Number.POSITIVE_INFINITY;
    if (isHeading) {
      const isBelow = title !== '' && level > above && title.length + line.length <= LONGEST_TITLE;
      title = isBelow ? `${title} ${line}` : line;
      above = level;
      continue;
    }
    const isState = open < Number.POSITIVE_INFINITY || STATE.test(LABEL.exec(line)?.[0] ?? '');
    for (const unit of sentencesOf(title === '' ? line : `${title} ${line}`, units.length)) {
      units.push(unit);
      if (isState && state.size < MOST_STATE) state.add(unit);
    }
    title = '';
  }
  return { units, state };
}

const LONGEST = 400_000;
const LONGEST_HEADING = 80;
const LONGEST_TITLE = 120;
// A page of plans is no state.
const MOST_STATE = 16;
const HEADING = /^(?:#{1,6} \S.*|\*\*[^*]+\*\*:?|(?:[-*+] )?(?:\d{1,2}[.)] )?[^.!?:]*(?:\.\w+[^.!?:]*)?:\**)$/;
const LABEL = /^[^:]{1,60}:/;
const STATE =
  /\b(?:pending|remaining|current(?:ly)? (?:work|state|status|task|step|focus)|next (?:steps?|tasks?|actions?)|open (?:items?|questions?|tasks?|issues?|points?)|in progress|not (?:yet )?(?:done|verified|committed)|to-?dos?|blockers?|blocked|unresolved|unfinished)\b|\b(?:offene?|ausstehend|nächste)\b|\b(?:en attente|à faire|pendientes?)\b|待办|待辦|下一步|残り|未完了/iu;

/** How deep a line stands: `#` before all others. */
function levelOf(raw: string): number {
  const marks = /^#{1,6}(?= )/.exec(raw)?.[0].length;
  return marks === undefined ? raw.length - raw.trimStart().length : marks - DEEPEST;
}

const DEEPEST = 10;
