import { CountFailure, tryCounting } from '../count/meter.ts';
import { decide } from '../decide/decide.ts';
import { checkedSignal } from './check.ts';
import { unchanged, uncounted } from './conclude.ts';
import { priced } from './costs.ts';
import type { Outcome } from './outcome.ts';
import { type Ports, type World, worldOf } from './ports.ts';
import { type CompactInput, type Request, readRequest } from './request.ts';
import { currentState, situationOf } from './state.ts';

/**
 * Compacts a conversation if its policy says so. Never throws for what data or model do: the outcome says it, and its
 * messages can always be sent. Throws for misuse, and when the signal aborts.
 */
export async function compact(input: CompactInput, ports: Ports = {}, signal?: AbortSignal): Promise<Outcome> {
  const world = worldOf(ports);
  const request = readRequest(input, world);
  const checked = checkedSignal(signal);
  checked.throwIfAborted();
  return compactRequest(request, world, checked);
}

/** As `compact`, for a request that was read already. */
export async function compactRequest(request: Request, world: World, signal: AbortSignal): Promise<Outcome> {
  const { split } = request.policy;
  // Said once: who keeps a log was told with its first record.
  const isTold = request.records.some(({ kind }) => kind === 'compaction');
  const { findings = [] } = isTold ? {} : request.policy;
  const first = await compactOnce(request, world, signal);
  const isRun = split.kind === 'earliest-run' && first.record !== undefined;
  const compactAgain = (rest: Request, maxCalls: number): Promise<Outcome> =>
    compactOnce(rest, { ...world, maxCalls }, signal);
  const using = { maxCalls: world.maxCalls, compactOnce: compactAgain };
  const outcome = isRun ? await (await import('./later.ts')).compactFurther(first, request, using) : first;
  return findings.length === 0 ? outcome : { ...outcome, findings: [...findings, ...outcome.findings] };
}

async function compactOnce(request: Request, world: World, signal: AbortSignal): Promise<Outcome> {
  const state = tryCounting(() => currentState(request));
  if (state instanceof CountFailure) return uncounted(request, state.message);
  const decision = decide(
    priced(situationOf(state, request, world.now()), request.policy, world),
    request.policy,
    request.cause,
  );
  if (!decision.compact) return unchanged({ request, state, decision });
  // Loaded when the first compaction is due: what only decides never needs it.
  const { carryOut } = await import('./later.ts');
  return carryOut({ request, state, decision }, world, signal);
}
