import { compact, preview } from 'epitome';
import type { Shown } from './branch.ts';
import { textsOf } from './bytes.ts';
import { tokensLeftOut } from './came.ts';
import { withCosts } from './costs.ts';
import { inputOf } from './input.ts';
import { policyFor } from './limits.ts';
import { type Taking, type Turn, untouched } from './plane.ts';

/** What is in force of a conversation: what is shown of it. */
export type InForce = { readonly conversation: string; readonly shown: readonly Shown[] };

/**
 * Says what would be done with a request, and does nothing. What it would come to is told by a summary without a model: nobody
 * is asked, and nothing is kept.
 */
export async function dryRun(taking: Taking, inForce: InForce | undefined, signal: AbortSignal): Promise<Turn> {
  const { plane, ask } = taking;
  const { chain } = ask;
  const texts = inForce === undefined ? chain.texts : textsOf(inForce.shown, ask);
  const policy = policyFor(plane, ask, inForce?.conversation);
  const input = { ...inputOf(ask, texts, ask.resolved.force ? 'manual' : 'automatic'), policy };
  const { summarizer: _, ...engine } = plane.engine();
  const ports = withCosts(engine, ask, chain.ids.length);
  const { status, reason, tokens } = preview(input, ports);
  const counting = { format: ask.dialect, policy, shown: input.messages };
  const leftOut = inForce === undefined ? 0 : tokensLeftOut(chain.texts, counting);
  const tokensBefore = Math.ceil(tokens.before + leftOut);
  if (status !== 'compressed') return untouched({ status: 'kept', reason, tokensBefore, tokensAfter: tokens.before });
  const { tokens: made, payback } = await compact(input, ports, signal);
  return untouched({
    status: 'planned',
    reason,
    tokensBefore,
    tokensAfter: made.after,
    ...(payback === undefined ? {} : { netCost: payback.netCost }),
  });
}
