/** Something with a rank; the highest comes out first. */
export type Rated = { readonly ratio: number };

/** Puts an item into a binary heap. */
export function push<T extends Rated>(heap: T[], item: T): void {
  let index = heap.push(item) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || above.ratio >= item.ratio) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = item;
}

/** Takes the highest item out of a binary heap. */
export function pop<T extends Rated>(heap: T[]): T | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return top;
  let index = 0;
  for (;;) {
    const left = 2 * index + 1;
    const child = (heap[left + 1]?.ratio ?? -1) > (heap[left]?.ratio ?? -1) ? left + 1 : left;
    const below = heap[child];
    if (below === undefined || below.ratio <= last.ratio) break;
    heap[index] = below;
    index = child;
  }
  heap[index] = last;
  return top;
}
