import { type Calibration, createCompactor, type FormatName, type Policy, preview } from 'epitome';
import type { Shown } from './branch.ts';
import { meterFor, nativesOf } from './measured.ts';
import type { Decided, Sending } from './sending.ts';

/**
 * Estimated tokens of a request as it came: of what goes out, and of what records leave out of that. The latter is counted once for
 * a view, and corrected anew by what providers have reported since.
 */
export function tokensAsItCame(sending: Sending, { policy, decision }: Pick<Decided, 'policy' | 'decision'>): number {
  const left = leftOutOf(sending, policy);
  if (left === 0) return Math.ceil(decision.tokens);
  const calibration = meterFor(sending, policy).compactor.calibration();
  return Math.ceil(decision.tokens + left * correctionOf(policy, calibration));
}

/** What a view leaves out of a history, and who counts it. */
export type LeavingOut = {
  readonly format: FormatName;
  readonly policy: Policy;
  /** Native values. */
  readonly shown: readonly unknown[];
};

/** Tokens by which a view is smaller than the history it is of, uncorrected. */
export function tokensLeftOut(texts: readonly string[], { format, policy, shown }: LeavingOut): number {
  const tokensOf = (messages: readonly unknown[]): number =>
    createCompactor({ format, policy: still(policy) }).decide(messages).tokens;
  return tokensOf(texts.map((text): unknown => JSON.parse(text))) - tokensOf(shown);
}

type Counted = { readonly meter: string; readonly tokens: number };

// A view that was read anew is another list; what is said since stands in it as it came.
const counted = new WeakMap<readonly Shown[], Counted>();

function leftOutOf(sending: Sending, policy: Policy): number {
  const { branch, ask } = sending;
  const { texts } = ask.chain;
  if (branch.recordId === undefined) return 0;
  const meter = JSON.stringify(policy.meter);
  const known = counted.get(branch.shown);
  if (known?.meter === meter) return known.tokens;
  const tokens = tokensLeftOut(texts, { format: ask.dialect, policy, shown: nativesOf(sending) });
  // Whoever knows less of the branch than it holds counts for themselves alone.
  if (texts.length === branch.ids.length) counted.set(branch.shown, { meter, tokens });
  return tokens;
}

const ONE = { role: 'user', content: 'What one message more comes to tells how messages are corrected.' };

/** What a token is corrected to. The engine knows how; it is asked what one message more comes to. */
function correctionOf(policy: Policy, calibration: Calibration | undefined): number {
  if (calibration === undefined) return 1;
  const oneMore = (learnt: { readonly calibration?: Calibration }): number => {
    const [two = 0, one = 0] = [[ONE, ONE], [ONE]].map(
      (messages) => preview({ format: 'openai-chat', messages, policy: still(policy), ...learnt }).decision.tokens,
    );
    return two - one;
  };
  return oneMore({ calibration }) / oneMore({});
}

/** A policy that counts, and never compacts. */
function still(policy: Policy): Policy {
  return { ...policy, triggers: [] };
}
