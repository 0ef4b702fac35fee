import type { Policy } from 'epitome';
import type { Overflow, Plane, TurnAsk } from './plane.ts';
import { within } from './window.ts';

/** A request that a provider refused as too long: whose, of what size by our own estimate, and what the provider said. */
export type TooLong = {
  readonly ask: TurnAsk;
  readonly conversation: string;
  readonly tokens: number;
  readonly told: Overflow;
};

const MOST_LIMITS = 1000;
// No model in use has a smaller window: a smaller request was refused for another reason.
const LEAST_FOUND = 1024;

/** Remembers a window that is smaller than the policy thinks. */
export function learn({ limits }: Pick<Plane, 'limits'>, refused: TooLong): void {
  const { ask, conversation, told } = refused;
  if (limits.size >= MOST_LIMITS) limits.clear();
  // What nobody said is found out for one conversation: in another one the estimate may be off by other things.
  if (told.limit === undefined) limits.set(keyOf(ask, conversation), Math.max(boundOf(refused), LEAST_FOUND));
  else limits.set(keyOf(ask), told.limit);
}

/** The policy of a request, within the smallest window that is known for it and for its conversation, where it is of one. */
export function policyFor({ limits }: Pick<Plane, 'limits'>, ask: TurnAsk, conversation?: string): Policy {
  const { policy } = ask.resolved;
  if (limits.size === 0) return policy;
  const known = [keyOf(ask), keyOf(ask, conversation)].flatMap((key) => limits.get(key) ?? []);
  // biome-ignore lint/plugin: two keys.
  return within(policy, known.length === 0 ? undefined : Math.min(...known));
}

/**
 * The policy for the one retry. Where the provider named no window, the real one is smaller than what it refused, and nobody
 * knows by how much: half of that is likely to fit.
 */
export function retryPolicy(policy: Policy, refused: TooLong): Policy {
  const bound = boundOf(refused);
  const smaller = within(policy, bound);
  if (refused.told.limit !== undefined) return smaller;
  const half = Math.max(1, Math.floor(bound / 2));
  return { ...smaller, target: Math.min(smaller.target ?? smaller.aim ?? half, half) };
}

/** What was refused did not fit: the window is no larger. */
function boundOf({ tokens, told: { limit, requested } }: TooLong): number {
  return limit ?? Math.max(2, Math.floor(requested ?? tokens));
}

// Accounts of one provider have different windows for the same model: what one tenant is told holds for no other.
function keyOf({ caller, upstream, model }: TurnAsk, conversation = ''): string {
  return JSON.stringify([caller.tenant, upstream, model, conversation]);
}
