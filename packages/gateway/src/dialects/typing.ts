// Three letters may hold one error, six two: of shorter names too many other words would be near.
const LETTERS_PER_ERROR = 3;
const MOST_ERRORS = 2;

/** Whether a word is a name with one or two letters too many, too few, wrong or exchanged, or in other capitals. */
export function isTypingErrorOf(name: string, word: string): boolean {
  const most = Math.min(MOST_ERRORS, Math.floor(name.length / LETTERS_PER_ERROR));
  if (word === name || Math.abs(word.length - name.length) > most) return false;
  return errorsBetween(name.toLowerCase(), word.toLowerCase()) <= most;
}

/** The optimal string alignment distance: two neighbours exchanged are one error. */
function errorsBetween(name: string, word: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: word.length + 1 }, (_, at) => at);
  for (let row = 1; row <= name.length; row += 1) {
    const next: number[] = [row];
    for (let at = 1; at <= word.length; at += 1) {
      const isSame = name[row - 1] === word[at - 1];
      const isExchanged = row > 1 && name[row - 1] === word[at - 2] && name[row - 2] === word[at - 1];
      const exchanged = isExchanged ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      const wrong = (last[at - 1] ?? 0) + (isSame ? 0 : 1);
      next.push(Math.min((next[at - 1] ?? 0) + 1, (last[at] ?? 0) + 1, wrong, exchanged));
    }
    before = last;
    last = next;
  }
  return last[word.length] ?? 0;
}
