import { type CompactInput, type Outcome, type OutcomeReason, type Ports, type Preview, preview } from 'epitome';

/** Why an outcome is what it is: the engine's reason, or that the provider holds a part of the conversation. */
export type Reason = OutcomeReason | 'server-state';

/** An outcome of the engine, or one that came about without it. */
export type Ended = Omit<Outcome, 'reason'> & { readonly reason: Reason };

/** A dry run of the engine, or one that came about without it. */
export type Foreseen = Omit<Preview, 'reason'> & { readonly reason: Reason };

/** What is said of a request that the provider holds a part of: it stays as it is, whatever its size. */
export function passed(input: CompactInput, ports: Ports): Ended {
  const { decision, tokens } = preview({ ...input, cause: 'automatic' }, ports);
  const { messages } = input;
  const count = messages.length;
  return {
    status: 'noop',
    reason: 'server-state',
    messages,
    tokens: { ...tokens, after: tokens.before },
    counts: { before: count, after: count, compressed: 0, preserved: count },
    method: 'none',
    degraded: false,
    records: [],
    findings: [],
    decision: { ...decision, compact: false },
  };
}

/** The same ahead of a run. */
export function passedAhead(input: CompactInput, ports: Ports): Foreseen {
  const { decision, tokens, state } = preview({ ...input, cause: 'automatic' }, ports);
  const seen = { decision: { ...decision, compact: false }, tokens, ...(state === undefined ? {} : { state }) };
  return { status: 'noop', reason: 'server-state', ...seen };
}
