import { isDemand } from '../facts/demand.ts';
import { GAP } from './quote.ts';
import { isIntent } from './request.ts';

/**
 * Prose of which the points of a list that give a value stand in one line with what they are about, and with each other:
 * `- Price: $98` alone may be anybody's.
 */
export function withOwners(prose: string): string {
  if (!LISTED.test(prose)) return prose;
  const lines: string[] = [];
  let owners: readonly Owner[] = [];
  // The values that stand in the last line are those of a list so far in.
  let open = CLOSED;
  for (const line of prose.split('\n')) {
    const text = line.trim();
    if (text === '') continue;
    const indent = POINT.test(line) ? line.length - line.trimStart().length : OUTSIDE;
    owners = owners.filter((owner) => owner.indent < indent && !(NUMBERED.test(line) && TITLE.test(owner.text)));
    if (indent !== OUTSIDE && (owners.length > 0 || LABELLED.test(text)) && isValue(text)) {
      addValue(lines, text, { owners, isNext: open === indent });
      open = indent;
    } else {
      open = CLOSED;
      lines.push(text);
    }
    if (text.length < LONGEST_OWNER && (indent !== OUTSIDE || leads(text))) owners = [...owners, { text, indent }];
  }
  return lines.join('\n');
}

/** What points of a list are about: the line above that leads to them, and how far in it stands. */
type Owner = { readonly text: string; readonly indent: number };

type Where = { readonly owners: readonly Owner[]; readonly isNext: boolean };

function addValue(lines: string[], text: string, { owners, isNext }: Where): void {
  const last = lines.at(-1) ?? '';
  const owner = owners.at(-1)?.text ?? '';
  const isFirst = owner !== '' && last.endsWith(owner);
  const isSame = (isNext || isFirst) && last.length + text.length < WIDEST;
  const about = ownersOf(owners);
  if (isSame) lines[lines.length - 1] = `${last === owner ? about : last} ${text}`;
  else lines.push(about === '' ? text : `${about}${GAP}${text}`);
}

const leads = (text: string): boolean => TITLE.test(text) || (LEADS.test(text) && !isIntent(text));
const ownersOf = (owners: readonly Owner[]): string =>
  owners
    .slice(-DEEPEST)
    .map(({ text }) => text)
    .join(GAP);

function isValue(text: string): boolean {
  return VALUE.test(text) && !SENTENCES.test(text) && !CODE.test(text) && !isDemand(text);
}

const LISTED = /^[ \t]*[-*+•] /m;
const POINT = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])\s+\S/;
// A label in plain words and what it is, or a few words with a figure. What has a name of its own in code is no such thing.
const VALUE =
  /^[-*+•]\s+(?:\*{0,2}\p{L}[\p{L}\d ()'’/-]{0,40}(?::\*{0,2}|\*{2}:)\s+[^\s`][^`]{0,100}|(?=[^\d`]{0,49}\d)[^`]{1,50})$/u;
const LABELLED = /^[^:]{1,50}:/;
// A path says by itself what it is.
const CODE = /[a-z]\/\w|\w\.[a-z]{2,5}\b/i;
const SENTENCES = /[.!?]\s+\S|[.!?]$/;
const LEADS = /[:：]\*{0,2}$|^#{1,6} \S/;
// What stands under the first of several numbers is no title of the next.
const TITLE = /^\*\*[^*]+\*\*$/;
const NUMBERED = /^[ \t]*\d{1,3}[.)]\s/;
const LONGEST_OWNER = 90;
const DEEPEST = 2;
// Of a line that is still one quote.
const WIDEST = 270;
const OUTSIDE = -1;
const CLOSED = -2;
