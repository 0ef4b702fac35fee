import type { Decision, Policy } from 'epitome';
import { costsOf } from './costs.ts';
import { fixedOf, fixedTextOf } from './fixed.ts';
import { type Metered, meterOf } from './meter.ts';
import { type Sending, shownTo } from './sending.ts';

/** What a policy says of a turn as it would go out now. */
export function decideOn(sending: Sending, policy: Policy): Decision {
  return meterFor(sending, policy).compactor.decide(nativesOf(sending), 'automatic', sending.branch.attempts);
}

/** The meter of a turn under a policy. */
export function meterFor({ branch, tree, ask }: Sending, policy: Policy): Metered {
  return meterOf(tree, {
    format: ask.dialect,
    policy,
    fixedText: fixedTextOf(ask.reading),
    readFixed: () => fixedOf(ask.reading),
    costs: costsOf(ask, branch.ids.length),
  });
}

/** What the meter counts of a turn: its view, without what another request may have added to the branch. */
export function nativesOf(sending: Sending): readonly unknown[] {
  const { branch } = sending;
  const shown = shownTo(sending);
  return shown === branch.shown ? branch.natives : branch.natives.slice(0, shown.length);
}
