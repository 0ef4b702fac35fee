import { type CompactInput, type Ports, preview } from 'epitome';
import { costModel } from 'epitome/economics';
import { withMessages } from '../dialects/reading.ts';
import type { Resolved } from '../model/policy.ts';
import type { TurnReport } from '../model/report.ts';
import { compactAlone } from './alone.ts';
import { inputOf } from './input.ts';
import type { Plane, TurnAsk } from './plane.ts';

/** A request that is compacted by itself: it belongs to no conversation, and nothing is kept of it. */
export type OnceAsk = Pick<TurnAsk, 'caller' | 'dialect' | 'reading' | 'resolved' | 'span'> & {
  /** `due`: only where a policy would. */
  readonly when: 'now' | 'due';
};

/** What came of it; without a body the request stays as it came. */
export type Once = { readonly report: TurnReport; readonly body?: string };

/** Compacts a request by itself, as far as its policy lets it. */
export async function compactOnce(plane: Plane, ask: OnceAsk, signal: AbortSignal): Promise<Once> {
  const { resolved, reading } = ask;
  if (resolved.mode === 'off') return { report: { status: 'passed', reason: 'off' } };
  if (reading.passes !== undefined) return { report: { status: 'passed', reason: reading.passes } };
  const texts = reading.messages ?? [];
  const input = inputOf(ask, texts, ask.when === 'due' && !resolved.force ? 'automatic' : 'manual');
  const ports = portsOf(plane, resolved, texts.length);
  if (resolved.mode === 'dry-run') return planned(input, ports);
  const { outcome, written } = await compactAlone(plane, { ask, input, texts, ports }, signal);
  const { tokens, record, payback } = outcome;
  const report: TurnReport = {
    status: written === undefined ? 'kept' : 'compacted',
    reason: outcome.reason,
    tokensBefore: tokens.before,
    tokensAfter: tokens.after,
    ...(record === undefined || written === undefined ? {} : { recordId: record.id }),
    ...(payback === undefined ? {} : { netCost: payback.netCost }),
  };
  return { report, ...(written === undefined ? {} : { body: withMessages(reading, written) }) };
}

function portsOf(plane: Plane, { prices }: Resolved, messages: number): Ports {
  const engine = plane.engine();
  if (prices === undefined) return engine;
  // Nobody knows how the conversation goes on; as long again is the usual guess.
  return { ...engine, costs: costModel({ prices, callsLeft: Math.ceil(messages / 2) }) };
}

function planned(input: CompactInput, ports: Ports): Once {
  const { status, reason, tokens } = preview(input, ports);
  return { report: { status: status === 'compressed' ? 'planned' : 'kept', reason, tokensBefore: tokens.before } };
}
