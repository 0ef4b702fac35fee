import { type CompactInput, compact, type Outcome, type Ports } from 'epitome';
import { bytesOf } from './bytes.ts';
import { noting, spentOn } from './calls.ts';
import type { Plane, TurnAsk } from './plane.ts';

/** Messages that are compacted by themselves, for whom, and by what. */
export type Alone = {
  readonly ask: Pick<TurnAsk, 'caller' | 'span'>;
  readonly input: CompactInput;
  /** The messages as the client wrote them. */
  readonly texts: readonly string[];
  readonly ports: Ports;
};

/** `written`: the texts of the messages that are left, where they are fewer. */
export type Made = { readonly outcome: Outcome; readonly written?: readonly string[] };

/** Compacts messages of which nothing is kept. Like any compaction it is told, and what it took counts for its caller. */
export async function compactAlone(plane: Plane, { ask, ports, ...alone }: Alone, signal: AbortSignal): Promise<Made> {
  const { input, texts } = alone;
  const { summarizer } = plane;
  const { caller, span } = ask;
  const noted = noting(ports);
  const startedAt = Date.now();
  const started = performance.now();
  let outcome: Outcome;
  try {
    outcome = await compact(input, noted.ports, signal);
  } finally {
    // What was asked for is spent, whoever went meanwhile.
    plane.spend({ caller, model: summarizer.model, usage: spentOn(noted.calls) });
  }
  const written = textsLeft(outcome, input.messages, texts);
  const bytes = bytesOf(texts, written ?? texts);
  plane.observer.compactionEnded(
    {
      ...{ caller, outcome, startedAt, summarizer, bytes, calls: noted.calls },
      trigger: input.cause === 'manual' ? 'manual' : 'threshold',
      // Whoever asked has it: nobody else could have been faster.
      published: written === undefined ? 'nothing' : 'published',
      durationMs: performance.now() - started,
    },
    span,
  );
  return { outcome, ...(written === undefined ? {} : { written }) };
}

/** The texts of a smaller view, `undefined` where there is none: what was not changed keeps its characters. */
function textsLeft(
  { status, messages }: Outcome,
  before: readonly unknown[],
  texts: readonly string[],
): readonly string[] | undefined {
  if (status !== 'compressed' && status !== 'truncated') return undefined;
  const places = new Map(before.map((native, at) => [native, at]));
  return messages.map((native) => texts[places.get(native) ?? -1] ?? JSON.stringify(native));
}
