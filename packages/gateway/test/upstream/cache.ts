import { createHash } from 'node:crypto';
import type { Dialect, Unit } from './types.ts';

/** What a prompt cache says of a request. */
type Cached = { readonly read: number; readonly write: number };

/** A provider's prompt cache: prefixes it has seen, by key and model. */
export type PromptCache = (dialect: Dialect, owner: string, units: readonly Unit[]) => Cached;

const SMALLEST = 1024;

/** A cache of prefixes; Anthropic's keeps what is marked, the others keep everything. */
export function promptCache(): PromptCache {
  const seen = new Set<string>();
  return (dialect, owner, units) => {
    let chain = `${dialect} ${owner}`;
    let tokens = 0;
    let read = 0;
    let marked = 0;
    const fresh: string[] = [];
    const last = dialect === 'anthropic' ? units.findLastIndex(({ isCacheMark }) => isCacheMark) : units.length - 1;
    for (const unit of units.slice(0, last + 1)) {
      // A mark moves on with each request and is no part of what is kept.
      const text = unit.isCacheMark ? unit.text.replace(/,?"cache_control":\{[^}]*\}/g, '') : unit.text;
      chain = createHash('sha256').update(chain).update(text).digest('base64');
      tokens += unit.tokens;
      if (seen.has(chain)) read = tokens;
      else fresh.push(chain);
      marked = tokens;
    }
    for (const each of fresh) seen.add(each);
    if (marked < SMALLEST) return { read: 0, write: 0 };
    return { read, write: dialect === 'anthropic' ? marked - read : 0 };
  };
}
