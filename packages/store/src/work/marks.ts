import { type CompactInput, type CompactionRecord, type Outcome, preview } from 'epitome';
import { EMPTY } from '../log/lineage.ts';

/** Messages a compaction treats otherwise than it would: ids of whole atoms. */
export type Marks = {
  /** They stay in view. */
  readonly pinned: ReadonlySet<string>;
  /** They leave the view, and no summary tells of them. */
  readonly excluded: ReadonlySet<string>;
};

/** What of a conversation a compaction may see. */
export function withoutExcluded<Input extends Stored>(input: Input, { excluded }: Marks): Input {
  const isLeft = (_: unknown, index: number): boolean => !excluded.has(input.ids?.[index] ?? '');
  return { ...input, messages: input.messages.filter(isLeft), ids: input.ids?.filter(isLeft) };
}

type Stored = Pick<CompactInput, 'messages' | 'ids'>;

/** An outcome whose record does what the marks say, too: one record, so that one undo takes all of it back. */
export function markedOutcome(outcome: Outcome, request: CompactInput, { pinned, excluded }: Marks): Outcome {
  const { record = excluded.size === 0 ? undefined : leavingOut(request, outcome) } = outcome;
  const isDone = outcome.status === 'compressed' || outcome.status === 'truncated' || outcome.status === 'noop';
  if (record === undefined || !isDone) return outcome;
  const covered = new Set(record.covers);
  const covers = (request.ids ?? []).filter((id) => !pinned.has(id) && (covered.has(id) || excluded.has(id)));
  const marked = { ...record, covers };
  const others = outcome.records.filter(({ id }) => id !== record.id);
  return counted({ ...outcome, status: 'compressed', record: marked, records: [...others, marked] }, request);
}

/** A record that hides messages and puts nothing in their place. */
function leavingOut({ ids = [] }: CompactInput, { decision, tokens }: Outcome): CompactionRecord | undefined {
  const tip = ids.at(-1);
  if (tip === undefined) return undefined;
  const made = { id: crypto.randomUUID(), at: Date.now(), status: 'compressed', cause: 'manual' } as const;
  const places = { parentId: tip, tipId: tip, anchorId: tip, covers: [], replaces: [], edits: [] };
  return { ...EMPTY, ...made, ...places, reason: decision.reason, tokens };
}

/** Sizes and counts as the marks made them. */
function counted(outcome: Outcome, request: CompactInput): Outcome {
  const { record } = outcome;
  if (record === undefined) return outcome;
  const [before, after] = [request, { ...request, records: [...(request.records ?? []), record] }].map((input) =>
    preview(input),
  );
  const entries = (seen: typeof before): number => seen?.state?.view.entries.length ?? 0;
  const tokens = { ...outcome.tokens, before: before?.tokens.before ?? 0, after: after?.tokens.before ?? 0 };
  const counts = {
    before: entries(before),
    after: entries(after),
    compressed: record.covers.length,
    preserved: entries(before) - record.covers.length,
  };
  const exact: CompactionRecord = { ...record, tokens, counts };
  const records = outcome.records.map((each) => (each.id === exact.id ? exact : each));
  return { ...outcome, tokens, counts, record: exact, records };
}
