/** The words of a text that say something, roughly reduced to their stems; scripts without spaces by pairs of letters. */
export function stemsOf(text: string): ReadonlySet<string> {
  const stems = new Set<string>();
  for (const [run] of text.slice(0, LONGEST).matchAll(WORD)) {
    if (UNSPACED.test(run)) for (let at = 0; at + 1 < run.length; at += 1) stems.add(run.slice(at, at + 2));
    else addWord(run, stems);
  }
  return stems;
}

/** How much of what one text says another one says too, from 0 to 1. */
export function shareOf(stems: ReadonlySet<string>, known: ReadonlySet<string>): number {
  let found = 0;
  for (const stem of stems) if (known.has(stem)) found += 1;
  return stems.size === 0 ? 1 : found / stems.size;
}

// Nobody writes prompts of this length; what is longer was pasted.
const LONGEST = 50_000;
// An identifier counts once, however many words it is made of.
const WORD = /[\p{L}\p{N}_$@#][\p{L}\p{N}_$@#./\\:'’-]*/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function addWord(run: string, stems: Set<string>): void {
  const word = run.toLowerCase().replace(/[./\\:'’-]+$/, '');
  if (/[/\\_.:]|\d/.test(word)) {
    stems.add(word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1) || word);
    return;
  }
  for (const part of word.split(/['’-]/)) {
    const stem = stemOf(part);
    if (stem.length > 1 && !STOP.has(part) && !STOP.has(stem)) stems.add(stem);
  }
}

/** A word without its ending, at most six letters of it. */
function stemOf(word: string): string {
  if (word.length < 4) return word;
  const bare = word.replace(/(?:ations?|ments?|ions?|ings?|ers?|ors?|ies|ied|ed|es|ly|s|e|y)$/, '');
  const stem = bare.length < 2 ? word : bare.replace(/([bdfgklmnprstz])\1$/, '$1');
  return stem.slice(0, 6);
}

// Words that say nothing by themselves, and those any account of a conversation is made of.
const STOP: ReadonlySet<string> = new Set(
  (
    'a an the and or but if then so as at by for from in into of off on onto out over to up with without about after ' +
    'again all also any are be been being both can could did do does doing done down each every few had has have having ' +
    'he her here hers him his how i is it its just like may me might more most must my no nor not now only other our ' +
    'own same she should some such than that their them there these they this those through too under until very was ' +
    'we were what when where which while who whom why will would you your yours us am been via per etc already still ' +
    'user users human customer want wants wanted ask asks asked request requests requested confirm confirms confirmed ' +
    'approve approves approved agree agreed agrees accept accepted say says said tell told need needs needed please ' +
    'like make makes made get gets got let lets go goes going use uses used using new one two first next thing things ' +
    'way work works working assistant agent explicitly clearly specifically yes ok okay fine sure happy give gave given'
  ).split(' '),
);
