import type { Usage } from '../model/item.ts';

/** The sum of two usages. */
export function addUsage(one: Usage, other: Usage): Usage {
  return {
    prompt: one.prompt + other.prompt,
    output: one.output + other.output,
    cached: (one.cached ?? 0) + (other.cached ?? 0),
    written: (one.written ?? 0) + (other.written ?? 0),
  };
}
