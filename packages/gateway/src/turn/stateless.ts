import { preview } from 'epitome';
import { withMessages } from '../dialects/reading.ts';
import { compactAlone } from './alone.ts';
import { inputOf } from './input.ts';
import { policyFor } from './limits.ts';
import { type Taking, type Turn, untouched } from './plane.ts';

/** A turn whose store failed. Nothing is kept of it. */
export async function withoutStore({ plane, ask }: Taking, reason: string, signal: AbortSignal): Promise<Turn> {
  const { texts } = ask.chain;
  const policy = policyFor(plane, ask);
  const input = { ...inputOf(ask, texts, ask.resolved.force ? 'manual' : 'automatic'), policy };
  const ports = plane.engine();
  const { decision, tokens } = preview(input, ports);
  const tokensBefore = tokens.before;
  if (ask.kind === 'count') return untouched({ status: 'kept', reason: decision.reason, tokensBefore });
  if (!decision.compact) return untouched({ status: 'failed', reason, tokensBefore });
  const { outcome, written } = await compactAlone(plane, { ask, input, texts, ports }, signal);
  if (written === undefined) return untouched({ status: 'failed', reason, tokensBefore });
  const report = { status: 'compacted', reason, tokensBefore, tokensAfter: outcome.tokens.after } as const;
  return { ...untouched(report), body: withMessages(ask.reading, written) };
}
