/** Runs of consecutive numbers as pairs of first and last. The numbers ascend. */
export function rangesOf(indexes: readonly number[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const index of indexes) {
    const open = ranges.at(-1);
    if (open !== undefined && open[1] === index - 1) open[1] = index;
    else ranges.push([index, index]);
  }
  return ranges;
}
