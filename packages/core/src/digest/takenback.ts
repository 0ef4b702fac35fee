/** What the user said, in order, and whether it is a rule. */
export type Ruling = { readonly text: string; readonly isRule: boolean };

/**
 * The rules that stand, in order: of several in the same words the newest, and none that a newer sentence takes back in so many
 * words. Where that is not certain both stand.
 */
export function standingRules(said: readonly Ruling[]): readonly string[] {
  const rules: Known[] = [];
  for (const { text, isRule } of said) {
    const words = wordsOf(text);
    const isBack = CORRECTING.test(text) && rules.length < MOST;
    const gone = isBack ? rules.filter((rule) => takesBack({ text, words }, rule)) : [];
    for (const rule of gone) rules.splice(rules.indexOf(rule), 1);
    if (isRule || gone.length > 0) rules.push({ text, words });
  }
  const newest = new Map(rules.map(({ text }, at) => [keyOf(text), at]));
  return rules.map(({ text }) => text).filter((text, at) => keyOf(text) === '' || newest.get(keyOf(text)) === at);
}

/** Whether a sentence of a prompt may take back a rule. */
export function isRevision(sentence: string): boolean {
  return sentence.length < LONGEST && CORRECTING.test(sentence);
}

type Known = { readonly text: string; readonly words: ReadonlySet<string> };

const MOST = 200;
const LONGEST = 240;

function takesBack(newer: Known, older: Known): boolean {
  // What forbids something is not lifted by a guess.
  if (FORBIDDING.test(older.text) || !scopeOf(newer.text, newer.words, older.words)) return false;
  const out = OUT.exec(newer.text)?.[1];
  const named = out === undefined ? undefined : wordsOf(out);
  if (named !== undefined && named.size > 0 && within(named, older.words))
    return within(older.words, newer.words) && newer.words.size <= older.words.size + NEW_WORDS;
  return ALTERNATIVES.some(({ names, about }) => {
    const [before, ...more] = [...older.words].filter((word) => names.test(word));
    const [after, ...others] = [...newer.words].filter((word) => names.test(word));
    if (before === undefined || after === undefined || before === after || more.length + others.length > 0)
      return false;
    const rest = [...older.words].filter((word) => word !== before && !newer.words.has(word) && !about.test(word));
    return rest.length === 0;
  });
}

/** Whether a newer sentence holds wherever the older one does: it names no place or case that the older one does not. */
function scopeOf(text: string, words: ReadonlySet<string>, known: ReadonlySet<string>): boolean {
  if (CONDITION.test(text)) return false;
  for (const [, place = ''] of text.matchAll(SCOPE)) {
    // `in B instead of A`: the place is what is changed.
    if (SWAPPED.test(place)) continue;
    const own = [...wordsOf(place)].filter((word) => words.has(word) && !known.has(word) && !isNamed(word));
    if (own.length > 0) return false;
  }
  return true;
}

const isNamed = (word: string): boolean =>
  ALTERNATIVES.some(({ names, about }) => names.test(word) || about.test(word));

// What is taken back must be named, or be one of few of which there is only one at a time.
const CORRECTING =
  /\b(?:instead|rather than|no longer|any ?more|after all|on second thoughts?|scrap that|forget (?:that|what i said))\b|\bchanged my mind\b|^\W*(?:no|nope|actually|wait|correction|sorry)\b[,.:! ]|, not \w/i;
const OUT =
  /\b(?:instead of|rather than|no longer(?: use)?|(?:,|and) not)\s+((?:[\w'’-]+ ?){1,3}?)(?=\s*(?:[.,;!]|$|\b(?:to|for|in|on|and|as)\b))/i;
const FORBIDDING = /\b(?:not?|never|don['’]?t|nothing|nobody|without|avoid|stop|only|leave|must)\b/i;
const CONDITION = /\b(?:if|when|unless|until|except|this (?:once|time)|here|there)\b/i;
const SCOPE = /\b(?:in|for|on|under|within|inside|with)\s+((?:[\w'’./-]+ ?){1,3})/gi;
const SWAPPED = /^[\w'’./-]+ (?:instead of|rather than)\b/i;
const NEW_WORDS = 3;

type Alternatives = { readonly names: RegExp; readonly about: RegExp };

const ALTERNATIVES: readonly Alternatives[] = [
  { names: /^(?:tabs?|spaces?)$/, about: /^(?:indent\w*|code|files?)$/ },
  { names: /^(?:npm|pnpm|yarn|bun)$/, about: /^(?:packages?|dependencies|install\w*|manager)$/ },
  { names: /^(?:single|double)$/, about: /^(?:quotes?|strings?)$/ },
  { names: /^(?:camelcase|snake_?case|kebab-?case|pascalcase)$/, about: /^(?:names?|naming|variables?|functions?)$/ },
  { names: /^(?:merge|rebase|squash)$/, about: /^(?:commits?|branch|prs?)$/ },
  { names: /^(?:jest|vitest|mocha|pytest|unittest)$/, about: /^(?:tests?|testing|unit)$/ },
  {
    names:
      /^(?:german|english|french|spanish|italian|portuguese|dutch|russian|chinese|japanese|korean|polish|turkish)$/,
    about: /^(?:answers?|answering|reply|replies|respond|write|speak|talk|language)$/,
  },
];

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(wordsIn(text).filter((word) => !EMPTY.test(word)));
}

/** All words in small letters; `No, ` in front only says that something is corrected. */
function wordsIn(text: string): readonly string[] {
  const plain = text
    .toLowerCase()
    .replace(/^\W*(?:no|nope)[,.!] /, '')
    .replace(/n['’]t\b/g, ' not')
    .replace(/\bcannot\b/g, 'can not');
  return plain.match(/[\p{L}\d][\p{L}\d_./-]*(?<![./-])/gu) ?? [];
}

// Manners, articles and what says that something is corrected.
const MANNERS = /^(?:please|kindly|the|a|an|and|so|also|just|now|ok|okay|again|then|well|remember)$/;
const EMPTY =
  /^(?:please|kindly|the|a|an|and|so|also|just|now|ok|okay|again|then|well|actually|wait|sorry|correction|instead|rather|of|than|i|we|you|my|changed|mind|to|in|for|do|use|using|want|should|would|like|after|all|longer|anymore|on|second|thought|thoughts|as|said|remember|from)$/;

/** A rule as it is said whatever the manners. */
const keyOf = (text: string): string =>
  wordsIn(text)
    .filter((word) => !MANNERS.test(word))
    .join(' ');

const within = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...words].every((word) => others.has(word));
