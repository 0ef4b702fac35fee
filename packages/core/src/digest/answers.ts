import type { Group } from './drafts.ts';
import { isGreeting, isIntent } from './request.ts';
import type { Candidate } from './select.ts';
import type { Unit } from './units.ts';

/** Questions with what answered them: neither says much without the other. A turn that comes again word for word counts where it came last. */
export function withAnswers(candidates: readonly Candidate[], all: readonly Group[]): readonly Candidate[] {
  const turns = candidates.filter(({ group }) => group.speaker !== undefined);
  const last = new Map(turns.map(({ group, unit }) => [unit.text, group]));
  const own = new Map<Group, Candidate[]>();
  for (const candidate of turns) {
    const known = own.get(candidate.group);
    if (known === undefined) own.set(candidate.group, [candidate]);
    else known.push(candidate);
  }
  const spoken = all.filter(({ speaker }) => speaker !== undefined).sort((left, right) => left.last - right.last);
  const answers = answersOf(spoken, own);
  const replies = repliesTo(spoken);
  return candidates.flatMap((candidate) => {
    const { group, unit } = candidate;
    if (group.speaker === undefined) return [candidate];
    if (last.get(unit.text) !== group) return [];
    const isQuestion = QUESTION.test(unit.text);
    const isAsked = group.speaker === 'User' ? isQuestion || isShort(group) : isQuestion && unit === group.units.at(-1);
    const answer = isAsked ? (group.speaker === 'User' ? answers : replies).get(group) : undefined;
    const isSaid = answer === undefined || (!isQuestion && answer.every((one) => isGreeting(one.unit.text)));
    return [isSaid ? candidate : { ...candidate, with: answer, isQuestion }];
  });
}

const isShort = ({ units }: Group): boolean => units.length === 1 && (units[0]?.text.length ?? 0) < 80;
const QUESTION = /[?？]["')\]*`]{0,2}$/;

/** By prompt: the sentences that answer it, as the last reply in front of the next prompt has them. */
function answersOf(
  groups: readonly Group[],
  own: ReadonlyMap<Group, readonly Candidate[]>,
): ReadonlyMap<Group, readonly Candidate[]> {
  const answers = new Map<Group, readonly Candidate[]>();
  let prompt: Group | undefined;
  for (const group of groups) {
    if (group.speaker === 'User') prompt = group;
    else if (prompt !== undefined) {
      const telling = tellingOf(own.get(group) ?? []);
      if (telling.length > 0) answers.set(prompt, telling);
      else if (!answers.has(prompt)) answers.set(prompt, shortReply(group));
    }
  }
  return answers;
}

/** By what the assistant ended with a question: the few words the user answered it with. */
function repliesTo(groups: readonly Group[]): ReadonlyMap<Group, readonly Candidate[]> {
  const replies = new Map<Group, readonly Candidate[]>();
  for (const [at, group] of groups.entries()) {
    const next = groups[at + 1];
    if (group.speaker !== 'Assistant' || next?.speaker !== 'User' || !isReply(next)) continue;
    replies.set(
      group,
      next.units.map((unit) => ({ group: next, unit, bonus: 0, weight: 1, most: Number.POSITIVE_INFINITY })),
    );
  }
  return replies;
}

function isReply({ units }: Group): boolean {
  return units.length > 0 && units.length < 3 && units.every(({ text }) => text.length < 80 && !QUESTION.test(text));
}

/** `Yes.` says little, but more than a question alone. */
function shortReply(group: Group): readonly Candidate[] {
  const unit = group.units.find(({ text }) => !isIntent(text));
  return unit === undefined ? [] : [{ group, unit, bonus: 0, weight: 1, most: Number.POSITIVE_INFINITY }];
}

/** The first sentence that says something; a verdict in front of it belongs to it. */
function tellingOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const at = candidates.findIndex(({ unit }) => isTelling(unit));
  const first = candidates[at];
  if (first === undefined) return [];
  const before = candidates[at - 1];
  const verdict = before !== undefined && VERDICT.test(before.unit.text) ? [before] : [];
  return [...verdict, first];
}

function isTelling({ text, keys, words }: Unit): boolean {
  if (/[:：?？]$/.test(text) || isIntent(text) || isGreeting(text)) return false;
  return keys.length > 0 || words.length > 2 || words.some((word) => word.length > 12);
}

const VERDICT =
  /^\W*(?:yes|no|nope|not|right|wrong|correct|partly|ja|nein|doch|oui|non|sí|no|si|はい|いいえ)\b[^.!]{0,30}[.!]$/i;
