import type { Item } from './acts.ts';
import type { Group } from './drafts.ts';
import { headedPath } from './places.ts';
import type { Candidate } from './select.ts';
import type { Unit } from './units.ts';

/** What a document asks for that the user named as the task, or that the assistant began by reading: its points in their order. */
export function taskOf(groups: readonly Group[], items: readonly Item[]): readonly Candidate[] {
  const named = namedIn(items);
  const begun = begunWith(items);
  return groups
    .filter(({ section, header }) => section === 'file_system_state' && isTask(header.text, named, begun))
    .slice(-MOST)
    .flatMap((group) =>
      group.units.filter(isPoint).map((unit) => ({ group, unit, most: Number.POSITIVE_INFINITY, bonus: 0, weight: 1 })),
    );
}

const MOST = 2;

function isTask(header: string, named: ReadonlySet<string>, begun: string): boolean {
  const path = DOCUMENT.exec(header)?.[0] ?? '';
  const name = baseOf(headedPath(path));
  if (name === '' || NO_TASK.test(name)) return false;
  return named.has(name) || (TASK.test(name) && begun.includes(name));
}

/** Documents by their names that a prompt tells to work by. */
function namedIn(items: readonly Item[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const item of items) {
    if (item.kind !== 'asked') continue;
    for (const line of item.text.slice(0, LONGEST).split('\n'))
      for (const { 0: path } of WORK.test(line) ? line.matchAll(DOCUMENTS) : []) names.add(baseOf(path));
  }
  return names;
}

/** The first calls, before anything was changed. */
function begunWith(items: readonly Item[]): string {
  const acts = items.flatMap((item) => (item.kind === 'act' ? [item.act] : [])).slice(0, FIRST);
  const change = acts.findIndex(({ nature }) => nature === 'change');
  return (change < 0 ? acts : acts.slice(0, change)).map(({ call }) => call.text.slice(0, 400)).join('\n');
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A heading, a point that is not done, or a sentence that says what must be. */
function isPoint({ text }: Unit): boolean {
  return POINT.test(text) && !DONE.test(text);
}

const LONGEST = 20_000;
const FIRST = 4;
const DOCUMENT = /^[^\s(][^(]{0,200}?\.(?:md|markdown|txt|rst|adoc|org)\b/;
const DOCUMENTS = /[\w@./-]{1,200}\.(?:md|markdown|txt|rst|adoc|org)\b/g;
// To write a document or to mend it is not to work by it.
const WORK =
  /\b(?:implement\w*|follow\w*|execute|carry out|complete|solve|do|work (?:through|on|off|by)|according to|as per|(?:described|specified|laid out|listed|written|defined) in|tasks?|plan|spec\w*|requirements?|steps?)\b/i;
const TASK = /plan|task|todo|spec|requirement|issue|prd|brief|rfc|ticket|story|playbook/i;
const NO_TASK = /^(?:readme|changelog|license|contributing|agents|claude|gemini|copilot-instructions)\b/i;
const POINT =
  /^(?:(?:\[tool output\] )?(?:#{1,6} |[-*+] |\d{1,3}[.)] ))|\b(?:must|shall|should|required|has to|have to)\b/im;
const DONE = /^(?:[-*+] |\d{1,3}[.)] )\[[xX]\]/;
