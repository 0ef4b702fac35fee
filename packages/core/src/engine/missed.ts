import { wholeTokens } from '../model/count.ts';
import type { Finding } from '../model/finding.ts';
import type { Floor } from './floor.ts';
import type { SizeLimit } from './limits.ts';

/** A finding for each limit that a request of this size still exceeds; of the policy's own aim, where nothing could meet it. */
export function missed(limits: readonly SizeLimit[], request: number, floor: () => Floor): readonly Finding[] {
  return limits
    .filter(({ tokens, force }) => request > tokens && (force !== 'aim' || tokens < floor().tokens))
    .map(({ what, tokens }) => ({
      code: 'unshrinkable',
      detail: `${what} allows ${Math.floor(tokens)} of ${wholeTokens(request)} tokens; ${describeFloor(floor())}`,
    }));
}

function describeFloor({ tokens, fixed, livePrompt, summaries }: Floor): string {
  const others = Math.max(tokens - fixed - livePrompt - summaries, 0);
  const made = [
    ['the system prompt and tools', fixed],
    ['the live prompt', livePrompt],
    ['the summary so far', summaries],
    ['pending calls and what else may not go', others],
  ] as const;
  const told = made.filter(([, size]) => size >= 1).map(([what, size]) => `${wholeTokens(size)} of ${what}`);
  return `${wholeTokens(tokens)} always stay${told.length === 0 ? '' : `: ${told.join(', ')}`}`;
}
