import type { Policy } from '../model/policy.ts';
import type { LogRecord } from '../model/record.ts';
import type { Outcome } from './outcome.ts';
import type { Request } from './request.ts';

/** A compaction that is prepared while the conversation goes on, and the state it was begun in. */
export type Preparation = {
  readonly records: readonly LogRecord[];
  readonly seen: number;
  /** Id of the newest message it has seen; ids are a hash chain, so it stands for all of them. */
  readonly tip: string | undefined;
  /** How it ended; `undefined` where it was stopped. */
  readonly outcome: Promise<Outcome | undefined>;
  readonly stop: AbortController;
};

/** Whether a request has come so near its trigger that a summary is worth preparing. */
export function isNear(tokens: number, { prepareAt }: Policy): boolean {
  return prepareAt !== undefined && tokens >= prepareAt;
}

/** Begins a compaction in the background. */
export function begin(request: Request, run: (request: Request, signal: AbortSignal) => Promise<Outcome>): Preparation {
  const stop = new AbortController();
  // Due now, whatever the trigger says; what it has to meet is the policy's target all the same.
  const trigger = {
    measure: 'messages',
    limit: { count: 0 },
    fires: 'reached',
    reason: 'prepared',
    force: 'plain',
  } as const;
  const early: Request = { ...request, policy: { ...request.policy, triggers: [trigger] } };
  const { ids, records } = request;
  // Only a stop makes it throw, and then nobody waits for it any more.
  const outcome = run(early, stop.signal).catch(() => undefined);
  return { records, seen: ids.length, tip: ids.at(-1), outcome, stop };
}

/** Whether nobody has changed the log, nor the messages a preparation has seen. */
export function isCurrent(
  { records, seen, tip }: Preparation,
  now: { readonly records: readonly LogRecord[]; readonly originals: { readonly ids: () => readonly string[] } },
): boolean {
  return records === now.records && now.originals.ids()[seen - 1] === tip;
}
