import { identifiers, occurrences, survival } from './metric.mjs';

/** Identifiers every model knows: found in at least three sources, or names of tools and their arguments (the schemas go out with each request). */
export function commonKnowledge(corpus) {
  const sources = new Map();
  const schema = new Set();
  for (const { source, texts, messages } of corpus) {
    for (const text of texts) {
      for (const key of identifiers(text).keys()) {
        if (!sources.has(key)) sources.set(key, new Set());
        sources.get(key).add(source);
      }
    }
    for (const { parts } of messages) for (const part of parts) if (part.kind === 'tool-call') addSchema(part, schema);
  }
  const isWidespread = (key) => (sources.get(key)?.size ?? 0) >= 3;
  return { isCommon: (key) => schema.has(key) || isWidespread(key), isWidespread };
}

function addSchema({ name, input }, schema) {
  schema.add(name);
  for (const [, key] of input.matchAll(/"(\w+)":/g)) schema.add(key);
}

/** Scores one text kept of one head: per needed identifier whether it is present and whether in context. */
export function score(parts, kept, need) {
  const head = parts.head.join('\n');
  return need.map(({ key, kind }) => ({ key, kind, ...survival(key, head, kept) }));
}

/** Identifiers of a text that its source does not hold. */
export function invented(text, source) {
  const known = identifiers(source);
  return [...identifiers(text).keys()].filter((key) => !known.has(key) && occurrences(source, key, 1).length === 0);
}

const share = (list, field) => list.filter((item) => item[field]).length / list.length;

/** Micro and macro means in per cent of a list of cases, each `{ items }`. */
export function means(cases) {
  const all = cases.flatMap(({ items }) => items);
  const macro = (field) => cases.reduce((sum, { items }) => sum + share(items, field), 0) / cases.length;
  return {
    cases: cases.length,
    items: all.length,
    recall: { micro: 100 * share(all, 'present'), macro: 100 * macro('present') },
    inContext: { micro: 100 * share(all, 'inContext'), macro: 100 * macro('inContext') },
  };
}

/** 95% interval of the macro in-context mean, by resampling conversations (both cuts of one go together). */
export function interval(cases, rounds = 1000) {
  const byId = groupBy(cases, ({ id }) => id);
  let seed = 12345;
  const next = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const values = Array.from({ length: rounds }, () => {
    const sample = Array.from({ length: byId.length }, () => byId[Math.floor(next() * byId.length)]).flat();
    return sample.reduce((sum, { items }) => sum + share(items, 'inContext'), 0) / sample.length;
  }).sort((left, right) => left - right);
  return [100 * values[Math.floor(rounds * 0.025)], 100 * values[Math.floor(rounds * 0.975)]];
}

/** Lists of the items with equal keys. */
export function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
