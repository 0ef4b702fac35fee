import { withLateMessages } from '../record/late.ts';
import type { Outcome } from './outcome.ts';
import type { Session } from './session.ts';

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
