import fc from 'fast-check';
import { type CompactInput, compact, type FormatName, type LogRecord, policyNamed } from '../../src/index.ts';
import { type Note, type Rendered, renderScript } from '../../src/testing/index.ts';
import { type Case, type CaseOptions, caseArbitrary } from './case.ts';
import { type Fate, fatesOf } from './fates.ts';
import { viewOf } from './records.ts';
import { deepFreeze, inputOf, portsOf, type Run } from './run.ts';

/** A case that grows: after each share of its messages it is compacted, if its policy says so. */
export type SessionCase = Case & {
  /** `replace`: the result takes the place of the history. `log`: the history stays whole, records are passed. */
  readonly mode: 'replace' | 'log';
  /** How many messages there are at each compaction. */
  readonly stops: readonly number[];
};

/** A session carried out. */
export type Session = { readonly case: SessionCase; readonly rendered: Rendered; readonly steps: readonly Run[] };

/** Sessions in one dialect, with two to five compactions. */
export function sessionArbitrary(format: FormatName, options: CaseOptions = {}): fc.Arbitrary<SessionCase> {
  return fc
    .record({
      case: caseArbitrary(format, options),
      mode: fc.constantFrom('replace' as const, 'log' as const),
      shares: fc.array(fc.integer({ min: 10, max: 99 }), { minLength: 1, maxLength: 4, size: 'max' }),
    })
    .map(({ case: given, mode, shares }) => {
      const { notes } = renderScript(given.script, format);
      const wanted = shares.map((share) => wholeResponse(notes, Math.ceil((notes.length * share) / 100)));
      const stops = [...new Set([...wanted, notes.length])].sort((a, b) => a - b);
      return { ...given, mode, stops };
    });
}

/** The next place where no response of the model is cut in two: its items arrive together, results one by one. */
function wholeResponse(notes: readonly Note[], from: number): number {
  const isInside = (at: number): boolean => {
    const [last, next] = [notes[at - 1], notes[at]];
    return last !== undefined && last.step === next?.step && next.results.length === 0 && !next.isPrompt;
  };
  let stop = from;
  while (isInside(stop)) stop += 1;
  return stop;
}

/** Carries a session out. */
export async function runSession(given: SessionCase): Promise<Session> {
  const rendered = deepFreeze(renderScript(given.script, given.format));
  const steps: Run[] = [];
  for (const [step, stop] of given.stops.entries()) {
    const history = historyAt({ given, rendered, steps }, stop);
    steps.push(await runStep(given, history, step));
  }
  return { case: given, rendered, steps };
}

type History = { readonly rendered: Rendered; readonly records: readonly LogRecord[] };
type Progress = { readonly given: SessionCase; readonly rendered: Rendered; readonly steps: readonly Run[] };

/** What the caller has at a stop: everything so far and the log, or the last result and what came since. */
function historyAt({ given, rendered, steps }: Progress, stop: number): History {
  const last = steps.at(-1);
  const records = steps.flatMap(({ outcome }) => outcome.records);
  if (given.mode === 'log' || last === undefined) {
    return { rendered: upTo(rendered, stop), records: given.mode === 'log' ? records : [] };
  }
  const since = given.stops[steps.length - 1] ?? 0;
  const messages = [...last.outcome.messages, ...rendered.messages.slice(since, stop)];
  const notes = [...last.fates.map((fate) => noteOf(fate, last.rendered.notes)), ...rendered.notes.slice(since, stop)];
  return { rendered: { ...rendered, messages, notes }, records: given.cause === 'agent' ? records : [] };
}

function upTo(rendered: Rendered, stop: number): Rendered {
  return { ...rendered, messages: rendered.messages.slice(0, stop), notes: rendered.notes.slice(0, stop) };
}

function noteOf(fate: Fate, notes: readonly Note[]): Note {
  const known = 'from' in fate ? notes[fate.from] : undefined;
  const plain = { isAside: false, isSystem: false, calls: [], results: [], approvals: [] };
  if (fate.kind === 'said') return { step: notes[fate.of]?.step ?? -1, isPrompt: true, isAnswer: false, ...plain };
  const isAnswer = 'role' in fate && fate.role === 'assistant';
  return known ?? { step: -1, isPrompt: false, isAnswer, ...plain };
}

async function runStep(given: SessionCase, { rendered, records }: History, step: number): Promise<Run> {
  const input: CompactInput = deepFreeze({ ...inputOf(given, rendered), records });
  const policy = policyNamed(given.preset, given.options);
  const { ports, summarizer } = portsOf(given, step);
  const before = records.length === 0 ? input.messages : await viewOf({ input, policy }, records);
  const outcome = await compact(input, ports);
  const fates = fatesOf(rendered, outcome.messages);
  return { case: given, rendered, input, policy, step, before, ports, summarizer, outcome, fates };
}
