/** Takes items in the given order until the budget (characters over four) is full; the last one is clipped. */
export function fill(items, tokens) {
  let left = tokens * 4;
  const kept = [];
  for (const item of items) {
    if (item === undefined || left <= 1) break;
    const text = item.text.slice(0, left - 1);
    kept.push({ ...item, text });
    left -= text.length + 1;
  }
  return kept;
}

/** The items' texts in the order of the conversation. */
export const inOrder = (items) =>
  items
    .toSorted((left, right) => left.index - right.index)
    .map(({ text }) => text)
    .join('\n');
