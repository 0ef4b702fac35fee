import fc from 'fast-check';
import { expect } from 'vitest';
import {
  type Compactor,
  createCompactor,
  type FormatName,
  formatNamed,
  isCompactionError,
  type LogRecord,
} from '../../src/index.ts';
import { renderScript, soundScriptArbitrary } from '../../src/testing/index.ts';
import { holdLaws } from '../support/harness.ts';
import { inputOf, portsOf } from '../support/run.ts';
import { type SessionCase, sessionArbitrary } from '../support/session.ts';

type Move = { readonly kind: 'compact' | 'undo' | 'redo' | 'undo-named'; readonly which: number };
type Given = { readonly session: SessionCase; readonly moves: readonly (readonly Move[])[] };

/** A view after a move, and what each of its messages was written behind. */
type Seen = {
  readonly format: FormatName;
  readonly view: readonly unknown[];
  readonly before: readonly unknown[];
  readonly messages: readonly unknown[];
  readonly fronts: ReadonlyMap<unknown, string>;
  readonly isRefused: boolean;
  /** The view before the one compaction that this undo takes back, where nothing was said in between. */
  readonly earlier?: readonly unknown[];
};

holdLaws(
  { name: 'undo', given: movedSessions, run: moved, runs: 150, formats: ['anthropic', 'ai-sdk', 'openai-chat'] },
  [
    {
      name: 'law 21: after compactions, undo and redo no bound thinking stands behind what it was not written behind',
      check: (all: readonly Seen[]) => {
        for (const { format, view, fronts } of all) {
          for (const [at, native] of view.entries()) {
            const front = fronts.get(native);
            if (isBound(format, native) && front !== undefined) expect(frontOf(view, at)).toBe(front);
          }
        }
      },
    },
    {
      name: 'law 31: an undo before anything new is said brings back the very view there was',
      check: (all) => {
        for (const { view, earlier } of all) if (earlier !== undefined) expect(view).toEqual(earlier);
      },
    },
    {
      name: 'law 1: no provider rule is broken that neither the messages nor the view before it broke',
      check: (all) => {
        for (const { format, view, before, messages } of all) {
          const known = new Set([...errorsIn(format, messages), ...errorsIn(format, before)]);
          for (const rule of errorsIn(format, view)) expect(known).toContain(rule);
        }
      },
    },
    {
      name: 'what is refused changes nothing',
      check: (all) => {
        for (const { view, before, isRefused } of all) if (isRefused) expect(view).toEqual(before);
      },
    },
  ],
);

function movedSessions(format: FormatName): fc.Arbitrary<Given> {
  const move = fc.record({
    kind: fc.constantFrom<Move['kind']>('compact', 'compact', 'undo', 'undo', 'redo', 'undo-named'),
    which: fc.nat({ max: 20 }),
  });
  return fc.record({
    session: sessionArbitrary(format, { script: soundScriptArbitrary({ maxSteps: 30 }) }),
    moves: fc.array(fc.array(move, { maxLength: 4 }), { minLength: 5, maxLength: 5 }),
  });
}

async function moved({ session: given, moves }: Given): Promise<readonly Seen[]> {
  const rendered = renderScript(given.script, given.format);
  const { messages: all, cause: _cause, goal: _goal, focus: _focus, ...constants } = inputOf(given, rendered);
  const compactor = createCompactor(constants, portsOf(given, 0).ports);
  const fronts = new Map<unknown, string>();
  const seen: Seen[] = [];
  for (const [step, stop] of given.stops.entries()) {
    const messages = all.slice(0, stop);
    let before = compactor.view(messages);
    for (const [at, native] of before.entries()) if (!fronts.has(native)) fronts.set(native, frontOf(before, at));
    let earlier: readonly unknown[] | undefined;
    for (const move of moves[step] ?? []) {
      const known = compactor.records().length;
      const isRefused = await isRefusedBy(compactor, move, messages);
      const view = compactor.view(messages);
      const common = { format: given.format, view, before, messages, fronts: new Map(fronts), isRefused };
      seen.push({ ...common, ...(move.kind === 'undo' && earlier !== undefined ? { earlier } : {}) });
      const made = compactor.records().slice(known).filter(isCommitted);
      earlier = move.kind === 'compact' && made.length === 1 ? before : undefined;
      before = view;
    }
  }
  return seen;
}

async function isRefusedBy(
  compactor: Compactor,
  { kind, which }: Move,
  messages: readonly unknown[],
): Promise<boolean> {
  const records = compactor.records();
  try {
    if (kind === 'compact') await compactor.compact(messages);
    else if (kind === 'redo') compactor.redo();
    else compactor.undo(kind === 'undo' ? undefined : (records[which % Math.max(1, records.length)]?.id ?? ''));
    return false;
  } catch (error) {
    expect(isCompactionError(error) && error.code).toMatch(/^(unknown-record|bound-reasoning)$/);
    return true;
  }
}

function isBound(format: FormatName, native: unknown): boolean {
  return formatNamed(format)
    .decode(native, [])
    .parts.some((part) => part.kind === 'reasoning' && part.bound);
}

function isCommitted(record: LogRecord): boolean {
  return record.kind === 'compaction' && (record.status === 'compressed' || record.status === 'truncated');
}

function errorsIn(format: FormatName, natives: readonly unknown[]): readonly string[] {
  const errors = formatNamed(format).validate(natives);
  return errors.flatMap(({ severity, rule }) => (severity === 'error' ? [rule] : []));
}

function frontOf(view: readonly unknown[], at: number): string {
  return JSON.stringify(view.slice(0, at));
}
