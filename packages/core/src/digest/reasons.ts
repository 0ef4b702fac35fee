import type { Group } from './drafts.ts';
import { PURPOSE, reasonOf, withReason } from './heading.ts';
import { askOf, isIntent } from './request.ts';
import { shortened, type Unit, unitOf } from './units.ts';

/** Groups whose files stand with what they were touched for: a purpose that says nothing is none, and on pages of room the sentence last said of a changed file takes its place. */
export function withReasons(groups: readonly Group[], maxTokens: number): readonly Group[] {
  const said = maxTokens < PAGES ? NOTHING : sentencesByFile(groups);
  return groups.map((group) => {
    const { section, header, isChange } = group;
    if (section !== 'file_system_state') return group;
    const reason = reasonOf(header.text);
    if (reason !== '' && maxTokens >= LITTLE && !saysNothing(reason)) return group;
    const bare = reason === '' ? header.text : header.text.slice(0, -reason.length - PURPOSE.length);
    const name = FILE.exec(bare)?.[1] ?? '';
    const sentence = name === '' || !isChange ? undefined : said.get(name.slice(name.lastIndexOf('/') + 1));
    if (sentence === undefined) return reason === '' ? group : { ...group, header: { ...unitOf(bare, -1), words: [] } };
    const text = withReason(bare, shortened(sentence.text.replace(BULLET, ''), WIDEST));
    return { ...group, header: { ...unitOf(text, -1), words: sentence.words } };
  });
}

/** True for what would go with any file: `Let me fix it`. */
function saysNothing(reason: string): boolean {
  return unitOf(reason, 0).keys.length === 0 && unitOf(reason, 0).words.every((word) => EMPTY.has(word));
}

const EMPTY: ReadonlySet<string> = new Set(
  (
    'let me now first next then also again go going fix add address update change edit modify adjust improve read check look see view ' +
    'open make write rewrite create remove run try review file files code issue issues problem problems error errors one more same properly ' +
    'need needs want all both some it that this docs too back'
  ).split(' '),
);

// In less, one file's purpose would be another file's name.
const LITTLE = 700;
// On less it would take the place of quotes that tell more.
const PAGES = 5000;
const NOTHING: ReadonlyMap<string, Unit> = new Map();
const WIDEST = 110;
const FILE = /^(\S*\.\w{1,8})(?= \(|$)/;
const BULLET = /^(?:[-*+] |\d{1,2}[.)] |#{1,6} )/;

/** What was last said of one file alone, by its name; not what only announces a look at it. */
function sentencesByFile(groups: readonly Group[]): ReadonlyMap<string, Unit> {
  const said = new Map<string, Unit>();
  for (const { speaker, units } of groups) {
    if (speaker === undefined) continue;
    for (const unit of units) {
      if (unit.words.length < FEWEST || unit.text.length > LONGEST || isIntent(unit.text) || askOf(unit.text) < 0)
        continue;
      const names = new Set(Array.from(unit.text.matchAll(NAMED), ([, name = '']) => name));
      if (names.size === 1) for (const name of names) said.set(name, unit);
    }
  }
  return said;
}

const FEWEST = 3;
const LONGEST = 240;
const NAMED = /(?<![\w@.-])([\w@-][\w@.-]{0,80}\.[a-z]\w{0,7})(?![\w@-])/gi;
