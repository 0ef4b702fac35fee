/** The word nearest to one that is not known; `undefined` where none is within so many letters. */
export function nearest(word: string, known: readonly string[], most: number): string | undefined {
  const lower = word.toLowerCase();
  const near = known.map((name) => ({ name, distance: distanceOf(lower, name.toLowerCase()) }));
  const [best] = near.sort((one, other) => one.distance - other.distance);
  return best !== undefined && best.distance <= most ? best.name : undefined;
}

/** How many letters must be added, left out, changed or swapped to make one text of the other. */
function distanceOf(one: string, other: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      const isSwapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const change = (row[to - 1] ?? 0) + (isSame ? 0 : 1);
      const swap = isSwapped ? (before[to - 2] ?? 0) + 1 : change;
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, change, swap));
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? other.length;
}
