import { askedIn } from '../dialects/asked.ts';
import { RULES } from '../dialects/index.ts';
import type { Refusal } from '../model/call.ts';
import type { Hold } from '../model/parts.ts';
import type { TurnReport, Usage } from '../model/report.ts';
import type { TurnAsk } from '../turn/plane.ts';
import type { Relayed } from '../upstream/relay.ts';
import type { Watch } from '../upstream/watch.ts';
import type { TurnRoute } from './ask.ts';
import type { Serving } from './context.ts';

/** What was read of a request whose budget is looked after. */
export type Held = Pick<TurnAsk, 'reading' | 'model' | 'resolved'> & { readonly bytes: number };

// Of an answer that no request limits. Few are longer.
const USUAL_OUTPUT = 4096;
// A little below what most texts have, so that the first guess is rather too high.
const BYTES_PER_TOKEN = 3.5;

/** Sets aside of its caller's budget what a request may take. */
export function holdFor({ context, call }: Serving, route: TurnRoute, held: Held): Hold | Refusal | undefined {
  // A question about a size takes no tokens.
  if (route.kind === 'count') return undefined;
  const { model, resolved, bytes } = held;
  // No more than the window goes out, however long the request is.
  const input = Math.min(Math.ceil(bytes / BYTES_PER_TOKEN), resolved.policy.window);
  const estimate = (): Usage => withOutput(held, route, input);
  return context.guard.budget.hold?.({ caller: call.caller, model, estimate });
}

/** A request's input with the longest answer to be reckoned with. */
export function withOutput({ reading }: Pick<Held, 'reading'>, { dialect }: TurnRoute, input: number): Usage {
  return { input, output: askedIn(reading, RULES[dialect]).maxTokens ?? USUAL_OUTPUT };
}

/** Tokens of the request that went out, where they were measured: a plan changes nothing. */
export function sentTokens({ status, tokensBefore, tokensAfter }: TurnReport): number | undefined {
  return status === 'planned' ? tokensBefore : tokensAfter;
}

/** An answer that was passed on, and what its provider reported of it. */
type Passed = Relayed & { readonly watching: Watch; readonly usage: Usage | undefined };

/**
 * What an answer took that reported it not, or not to its end; `undefined` where the provider's figures say all, nothing came, or
 * nobody's budget is charged.
 */
export function spentOn({ end, bytes, watching, usage }: Passed, hold: Hold, report: TurnReport): Usage | undefined {
  const held = hold.held?.();
  if (held === undefined || (usage !== undefined && end === 'complete')) return undefined;
  const { output, isFailure } = watching.came();
  // Figures at the start of a stream that was cut off know nothing of what was written since.
  if (usage !== undefined) return { ...usage, output: Math.max(usage.output ?? 0, output) };
  const cameToNothing = end === 'incomplete' && bytes === 0;
  return isFailure || cameToNothing ? undefined : { input: sentTokens(report) ?? held.input, output };
}
