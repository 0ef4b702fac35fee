import { BLANK_RECORD, type CompactionRecord, NOTHING_SPENT, type Spent } from '../model/record.ts';
import { newRecordId } from '../record/undo.ts';
import { type Concluded, kept } from './conclude.ts';
import type { Outcome, OutcomeReason } from './outcome.ts';
import type { World } from './ports.ts';
import type { Request } from './request.ts';

/** How an attempt ended that changed nothing. */
export type Attempt = Pick<CompactionRecord, 'status' | 'findings'> &
  Partial<Pick<CompactionRecord, 'calls' | 'usage' | 'goal'>> & { readonly reason: OutcomeReason };

/** It was due, but the view stays as it is: a record says why. */
export function attempted(concluded: Concluded, world: World, attempt: Attempt): Outcome {
  const { status, reason, findings } = attempt;
  const base = kept(concluded);
  const { tokens, counts } = base;
  const spent = spentOf({ ...NOTHING_SPENT, ...attempt });
  const record = newRecord(concluded.request, world, { ...spent, status, reason, findings, tokens, counts });
  return { ...base, status, reason, record, records: [record], findings };
}

/** What was spent, without what does not belong to that. */
export function spentOf({ calls, usage, findings, goal }: Spent): Spent {
  return { calls, usage, findings, ...(goal === undefined ? {} : { goal }) };
}

type Details = Partial<CompactionRecord> & Pick<CompactionRecord, 'status' | 'reason' | 'tokens' | 'counts'>;

/** A record of this request, as the world dates and names it. */
export function newRecord(request: Request, world: World, details: Details): CompactionRecord {
  const tipId = request.ids.at(-1);
  return {
    ...BLANK_RECORD,
    id: newRecordId(world, request.records),
    at: world.now(),
    preset: request.policy.preset,
    cause: request.cause,
    ...(tipId === undefined ? {} : { tipId }),
    ...details,
  };
}
