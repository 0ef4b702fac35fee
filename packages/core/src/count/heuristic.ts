import { buildAutomaton } from './automaton.ts';
import { classTable } from './classes.ts';
import { TOKEN } from './costs.ts';

const CLASSES = /* @__PURE__ */ classTable();
const { next: NEXT, price: PRICE, end: END } = /* @__PURE__ */ buildAutomaton();

/**
 * Tokens of a text as o200k would count them, within a few per cent on prose, code, JSON and logs; an integer, 0 for
 * `''` and at least 1 for anything else. One pass, no allocation, the same speed whatever the text.
 */
export function estimateTokens(text: string): number {
  const length = text.length;
  if (length === 0) return 0;
  let state = 0;
  let units = 0;
  for (let index = 0; index < length; index += 1) {
    const step = state | (CLASSES[text.charCodeAt(index)] ?? 0);
    units += PRICE[step] ?? 0;
    state = NEXT[step] ?? 0;
  }
  return Math.max(1, Math.round((units + (END[state >> 5] ?? 0)) / TOKEN));
}
