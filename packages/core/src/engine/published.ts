import { addSpent, NOTHING_SPENT } from '../model/record.ts';
import { withLateMessages } from '../record/late.ts';
import { attempted, spentOf } from './attempt.ts';
import type { Outcome } from './outcome.ts';
import type { World } from './ports.ts';
import type { Request } from './request.ts';
import type { Session } from './session.ts';
import { currentState } from './state.ts';

/** How a compaction of a request ended, now that more may stand behind it. */
export function outcomeNow(made: Outcome, session: Session, request: Request): Outcome {
  return published(made, session, request.ids.length) ?? withdrawn(made, request, session.world);
}

/** A compaction that may not be published: what it took, and the view as it is. */
function withdrawn({ decision, records }: Outcome, request: Request, world: World): Outcome {
  const spent = spentOf(records.reduce(addSpent, NOTHING_SPENT));
  const concluded = { request, state: currentState(request), decision };
  return attempted(concluded, world, { ...spent, status: 'noop', reason: 'bound-reasoning' });
}

/** An outcome as it may be published now; `undefined` where what came after it had read so many messages forbids that. */
export function published(outcome: Outcome, { originals }: Session, seen: number): Outcome | undefined {
  if (originals.messages.length === seen) return outcome;
  const ids = originals.ids();
  const late = originals.messages.slice(seen).map((message, at) => ({ message, id: ids[seen + at] ?? '' }));
  const records = withLateMessages(outcome.records, late);
  if (records === undefined) return undefined;
  const record = records.find(({ id }) => id === outcome.record?.id);
  return { ...outcome, records, ...(record === undefined ? {} : { record }) };
}
