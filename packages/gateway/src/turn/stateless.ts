import { compact, preview } from 'epitome';
import { withMessages } from '../dialects/reading.ts';
import type { Chain } from './chain.ts';
import { fixedOf } from './fixed.ts';
import { textsLeft } from './once.ts';
import { type Plane, type Turn, type TurnAsk, untouched } from './plane.ts';

/** A turn with what it needs. */
export type Taking = { readonly plane: Plane; readonly ask: TurnAsk; readonly chain: Chain };

/** A turn whose store failed. Nothing is kept of it. */
export async function withoutStore({ plane, ask, chain }: Taking, reason: string, signal: AbortSignal): Promise<Turn> {
  const { reading, resolved, dialect } = ask;
  const messages = chain.texts.map((text): unknown => JSON.parse(text));
  const goal = resolved.goal === undefined ? {} : { goal: resolved.goal };
  const input = { format: dialect, messages, ...fixedOf(reading), ...goal, policy: resolved.policy } as const;
  const cause = resolved.force ? 'manual' : 'automatic';
  if (ask.kind === 'count') {
    const { decision, tokens } = preview({ ...input, cause }, plane.engine());
    return untouched({ status: 'kept', reason: decision.reason, tokensBefore: tokens.before });
  }
  const outcome = await compact({ ...input, cause }, plane.engine(), signal);
  const texts = textsLeft(outcome, messages, chain.texts);
  if (texts === undefined) return untouched({ status: 'failed', reason, tokensBefore: outcome.tokens.before });
  return {
    ...untouched({
      status: 'compacted',
      reason,
      tokensBefore: outcome.tokens.before,
      tokensAfter: outcome.tokens.after,
    }),
    body: withMessages(reading, texts),
  };
}
