import { countingLines } from '../facts/verdict.ts';
import type { Act, Item } from './acts.ts';
import { outputLines, squeezed } from './clean.ts';
import { type Group, isScratch } from './drafts.ts';
import { failedName, GIVEN_BACK, readHeading, TAKEN_BACK } from './heading.ts';
import { LAST_CHANGE, LAST_CHECK, LAST_STEP, REJECTED, UNRESOLVED } from './labels.ts';
import { placeOf } from './places.ts';
import { answerWithin, type Room } from './quote.ts';
import { withOwners } from './records.ts';
import { type Reply, withReplies } from './replies.ts';
import { isGreeting, isIntent } from './request.ts';
import { sentencesOf, shortened, splitFences, type Unit } from './units.ts';

/** What was done, and what was said last. */
type Course = {
  readonly items: readonly Item[];
  readonly groups: readonly Group[];
  readonly root: string;
  readonly lastSaid: string;
};

/** Where things stand, from what was done last. */
export function standingOf({ items, groups, root, lastSaid }: Course): readonly string[] {
  const acts = items.flatMap((item) => (item.kind === 'act' ? [item.act] : []));
  const changes = acts.filter(
    ({ nature, failure, result, done }) =>
      failure === '' && (done.some(({ verb }) => verb !== GIVEN_BACK) || (nature === 'deed' && result !== undefined)),
  );
  const change = changes.findLast(isLasting) ?? changes.at(-1);
  const check = acts.findLast(
    ({ nature, result, stop }) => nature === 'check' && result !== undefined && stop === undefined,
  );
  // What was said after it says more.
  const newest = items.findLast(({ kind }) => kind === 'act' || kind === 'answer');
  const step = newest?.kind === 'act' && newest.act.action.kind !== 'todos' ? newest.act : undefined;
  const last = step?.stop === undefined ? step : undefined;
  const newestOf = (state: Group['failure']): readonly Group[] =>
    groups.filter(({ failure }) => failure === state).sort((left, right) => right.last - left.last);
  const [open, stopped] = [newestOf('open'), newestOf('stopped')];
  const changed = change === undefined ? reportedChange(groups) : changeOf(change, root);
  return [
    ...(changed === '' ? [] : [`${LAST_CHANGE}${changed}`]),
    ...(check === undefined
      ? []
      : [`${LAST_CHECK}${shortened(placeOf(check, root).heading, 120)}: ${outcomeOf(check)}${sinceOf(check, acts)}`]),
    ...(last === undefined || last === change || last === check ? [] : [`${LAST_STEP}${stepOf(last, root, lastSaid)}`]),
    ...(stopped.length === 0 ? [] : [`${REJECTED}${stopped.slice(0, 2).map(stoppedName).join(NEXT)}`]),
    ...(open.length === 0 ? [] : [`${UNRESOLVED}${open.slice(0, 3).map(nameOf).join(NEXT)}`]),
  ];
}

/** What a program reported last of changes that no call made. */
function reportedChange(groups: readonly Group[]): string {
  const files = groups.filter(
    ({ section, isChange, last }) => isChange && last >= 0 && section === 'file_system_state',
  );
  const newest = files.reduce((latest, { last }) => Math.max(latest, last), -1);
  return files
    .filter(({ last }) => last === newest)
    .slice(0, 4)
    .map(({ header }) => {
      const { heading, verbs } = readHeading(header.text);
      return `${verbs.has(TAKEN_BACK) ? 'taken back' : 'changed'} ${shortened(heading, 120)}`;
    })
    .join(', ');
}

/** It did more than to put scratch away. */
const isLasting = ({ done, nature }: Act): boolean =>
  nature === 'deed' || done.some(({ verb, draft }) => verb !== GIVEN_BACK && !isScratch(draft.place.heading));

/** Parts one failure from the next. */
export const NEXT = '; ';

/** The newest call, whatever it was: what was being done when the conversation was cut. */
function stepOf(act: Act, root: string, lastSaid: string): string {
  const { failure, result } = act;
  // What it is for stands there already.
  const purpose = lastSaid.includes(act.purpose) ? '' : act.purpose;
  const ended = result === undefined ? 'no result yet' : failure;
  const name = `${act.nature === 'read' ? 'read ' : ''}${shortened(placeOf(act, root).heading, 120)}`;
  return `${name}${ended === '' ? '' : ` (${ended})`}${purpose === '' ? '' : `: ${purpose}`}`;
}

/** What a check says nothing of: files that were changed after it. */
function sinceOf(check: Act, acts: readonly Act[]): string {
  const later = acts.slice(acts.indexOf(check) + 1).filter(({ failure }) => failure === '');
  const files = new Set(later.flatMap(({ done }) => done.map(({ draft }) => draft)));
  return files.size === 0 ? '' : ` (${files.size} ${files.size === 1 ? 'file' : 'files'} changed since)`;
}

function changeOf(act: Act, root: string): string {
  if (act.nature === 'deed') return shortened(placeOf(act, root).heading, 120);
  return act.done
    .filter(({ verb }) => verb !== GIVEN_BACK)
    .sort((one, other) => Number(isScratch(one.draft.place.heading)) - Number(isScratch(other.draft.place.heading)))
    .slice(0, 4)
    .map(({ verb, draft }) => `${verb} ${shortened(draft.place.heading, 120)}`)
    .join(', ');
}

const stoppedName = ({ header }: Group): string => shortened(readHeading(header.text).heading, 120);
const nameOf = ({ header }: Group): string => shortened(failedName(header.text), 120);

/** How a check ended, in its own words where it says so. */
function outcomeOf({ failure, result }: Act): string {
  const lines = outputLines(result?.text ?? '', 'result').map(squeezed);
  const counts = countingLines(lines).slice(-COUNTS);
  const verdict =
    counts.length > 0 ? counts.join(', ') : lines.findLast((line) => VERDICT.test(line) && !PACKAGE.test(line));
  // What failed is not told by what went well before that, nor by what its output claims.
  const isOf = failure === '' || counts.length > 0 ? verdict : undefined;
  const said = isOf === undefined || (failure !== '' && !BAD.test(isOf)) ? '' : shortened(isOf, 120);
  return failure === '' ? said || 'ok' : [failure, said].filter((part) => part !== '').join(', ');
}

const BAD = /\b(?:fail|error|problem|issue|violation)/i;
// What passed and what failed may stand on lines of their own.
const COUNTS = 2;
// One package's line says nothing of the others.
const PACKAGE = /^ok \S+[./]\S+/;
const VERDICT =
  /\b\d+ (?:tests? )?(?:passed|passing|failed|failing|errors?|problems?|issues?)\b|^(?:ok(?! \d+ )|PASS|FAIL|BUILD)\b|\b(?:succeeded|successfully)\b/i;

/** What was said last, whether something was changed or checked since, and what the user said since. */
export type LastSaid = {
  readonly units: readonly Unit[];
  readonly isBefore: boolean;
  readonly replies: readonly Reply[];
  /** How things stood before what was done since. */
  readonly overtaken: readonly Unit[];
};

/** The last answer that says something, as whole sentences within a budget. */
export function lastAnswer(items: readonly Item[], room: Room): LastSaid {
  let left = LOOK_BACK;
  let best = { units: [] as readonly Unit[], isBefore: false, isLead: false, isEnd: false };
  let isBefore = false;
  let call = -1;
  let isRefused = false;
  const replies: Reply[] = [];
  const told = (units: readonly Unit[]): readonly Unit[] =>
    withReplies({ all: units, shown: answerWithin(units, room) }, replies, room);
  let next = '';
  for (const [at, item] of [...items.entries()].toReversed()) {
    // An answer to an earlier prompt is not the last word on anything once a later one was answered.
    if ((item.kind === 'asked' && best.units.length > 0) || left === 0) break;
    if (item.kind === 'asked') {
      replies.unshift({ asked: item.text, answer: next });
      next = '';
    }
    if (item.kind === 'act') {
      call = item.source;
      isBefore ||= isEvent(item.act);
      isRefused = item.act.stop !== undefined;
    }
    if (item.kind !== 'answer') continue;
    // It announced what the user then did not let happen.
    if (isRefused && item.source === call) continue;
    left -= 1;
    next = item.text;
    const units = substance(sentencesOf(withOwners(splitFences(item.text).prose), 0));
    // What is said in front of a call often tells that call only; a few words that stand alone tell an outcome.
    const isOutcome = units.some(({ text }) => OUTCOME.test(text) && !isIntent(text));
    const enough = item === items.at(-1) ? LEAST : item.source === call && !isOutcome ? ENOUGH : FEW;
    // What it announced was done since, and a few words tell so.
    if (best.isEnd && !best.isLead && isBefore && items[at + 1]?.kind === 'act' && isAnnounced(units))
      return { ...best, replies, overtaken: units.filter(({ text }) => OVERTAKEN.test(text)) };
    if (units.reduce((sum, { words, keys }) => sum + words.length + keys.length, 0) >= enough && !isLeadIn(units))
      return { units: told(units), isBefore, replies, overtaken: [] };
    if (best.units.length === 0)
      best = { units: told(units), isBefore, isLead: isLeadIn(units), isEnd: call < 0 && units.length > 0 };
  }
  // What was announced and then done is no last word.
  return { units: call >= 0 && best.isLead ? [] : best.units, isBefore: best.isBefore, replies, overtaken: [] };
}

/** It ends in what is done next. */
const isAnnounced = (units: readonly Unit[]): boolean =>
  units.slice(-1).some(({ text }) => isIntent(text) || ANNOUNCED.test(text));

const ANNOUNCED =
  /^\W*(?:(?:now|next|so|then|first),? )?(?:(?:i|we)(?:['’](?:ll|m going to|re going to)| will| am going to| are going to)\b|let me\b|ich (?:werde|mache|starte|installiere)\b|je vais\b|voy a\b|vou\b|\w{2,20}ing\b[^.!?]{0,40}[.!]$)/i;
const OVERTAKEN =
  /\b(?:not|no|nothing|\p{L}+n['’]t|missing|still|yet|down|wrong|broken|fails?|noch|kein\w*|nicht|pas|falta)\b/iu;

const OUTCOME = /\b(?:tests?|checks?|build|lint|types?|suite)\b.{0,30}\b(?:pass|fail|green|red|clean|succe|broke)/i;
const LOOK_BACK = 8;
const ENOUGH = 6;
const FEW = 3;
// Nothing came behind it.
const LEAST = 2;

const isEvent = ({ nature, action, result, stop, failure }: Act): boolean =>
  (nature === 'change' ||
    nature === 'deed' ||
    nature === 'check' ||
    (nature === 'run' && action.kind === 'command' && failure === '')) &&
  result !== undefined &&
  stop === undefined;

const isLeadIn = (units: readonly Unit[]): boolean => units.every(({ text }) => /:$/.test(text) || isIntent(text));

/** Without interjections and greetings, and without a lead-in to something that is not quoted unless it is all there is. */
function substance(sentences: readonly Unit[]): readonly Unit[] {
  const said = sentences.filter(({ text }) => !INTERJECTION.test(text) && !isGreeting(text));
  const last = said.findLastIndex(({ text }) => !text.endsWith(':'));
  return last < 0 ? said : said.slice(0, last + 1);
}

const INTERJECTION =
  /^\W*(?:(?:good|great|excellent|nice|perfect|fair|awesome) (?:catch|question|point|idea|find|news)|perfect|great|excellent|done|ok(?:ay)?|sure|certainly|absolutely|got it|you'?re (?:absolutely )?right|hm+)\W*$/i;
