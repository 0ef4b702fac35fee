import { isStoreError } from '@epitome/store';
import { isCompactionError } from 'epitome';
import type { Refusal } from '../model/call.ts';
import { dryRun } from './dry-run.ts';
import { carryOn } from './known.ts';
import { WouldBranch } from './linear.ts';
import { type Plane, type Turn, type TurnAsk, untouched } from './plane.ts';
import { withoutStore } from './stateless.ts';

/**
 * Makes a request ready to be sent. It never throws but for a client that went away: whatever fails of ours, the client's own
 * request goes out, and the report says so. Refused is only what the client asked to be refused.
 */
export async function takeTurn(plane: Plane, ask: TurnAsk, signal: AbortSignal): Promise<Turn | Refusal> {
  const { mode } = ask.resolved;
  if (mode === 'off') return untouched({ status: 'passed', reason: 'off' });
  if (ask.reading.passes !== undefined) return untouched({ status: 'passed', reason: ask.reading.passes });
  if (ask.chain.ids.length === 0) return untouched({ status: 'passed', reason: 'no-messages' });
  try {
    return await carryOn({ ask, plane }, signal);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof WouldBranch) return cause.refusal;
    return fallBack(plane, ask, { cause, signal });
  }
}

type Fault = { readonly cause: unknown; readonly signal: AbortSignal };

/** Without the store a request that is too long is still made to fit, from memory. */
async function fallBack(plane: Plane, ask: TurnAsk, { cause, signal }: Fault): Promise<Turn> {
  plane.observer.fault('turn', cause);
  const reason = faultName(cause);
  if (!isStoreError(cause)) return untouched({ status: 'failed', reason });
  const taking = { ask, plane };
  try {
    if (ask.resolved.mode === 'dry-run') return await dryRun(taking, undefined, signal);
    return await withoutStore(taking, reason, signal);
  } catch (second) {
    signal.throwIfAborted();
    plane.observer.fault('turn without store', second);
    return untouched({ status: 'failed', reason });
  }
}

/** A fault's short name. */
function faultName(cause: unknown): string {
  if (isStoreError(cause)) return `store-${cause.code}`;
  return isCompactionError(cause) ? cause.code : 'internal';
}
