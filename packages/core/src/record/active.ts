import type { Reuse } from '../model/policy.ts';
import type { CompactionRecord, LogRecord, RecordedEdit, UndoRecord } from '../model/record.ts';

/** A record in force, with all it covers and edits, what it inherited included. */
export type ActiveRecord = {
  readonly record: CompactionRecord;
  readonly covers: readonly string[];
  readonly edits: readonly RecordedEdit[];
};

/**
 * The records in force on a branch, in log order: committed, not undone, applicable, and not replaced by another one in
 * force. Where two that do not know of each other overlap, the one with the deepest cutoff stands.
 */
export function activeRecords(
  ids: readonly string[],
  records: readonly LogRecord[],
  reuse: Reuse,
): readonly ActiveRecord[] {
  if (records.length === 0) return [];
  const position = positionsOf(ids, records);
  const undone = undoneIds(records);
  const byId = new Map<string, CompactionRecord>();
  const standing: CompactionRecord[] = [];
  for (const record of records) {
    if (record.kind === 'undo') continue;
    byId.set(record.id, record);
    if (isCommitted(record) && !undone.has(record.id) && appliesTo(record, position, reuse)) standing.push(record);
  }
  const replaced = new Set(standing.flatMap(({ replaces }) => replaces));
  const candidates = standing.filter(({ id }) => !replaced.has(id)).map((record) => withInherited(record, byId));
  return withoutOverlaps(candidates, position);
}

/** Where the messages stand by which records are placed. */
function positionsOf(ids: readonly string[], records: readonly LogRecord[]): ReadonlyMap<string, number> {
  const named = new Set<string | undefined>();
  for (const record of records) {
    if (record.kind === 'undo') continue;
    named.add(record.parentId).add(record.lastSummarizedId).add(record.anchorId);
  }
  const position = new Map<string, number>();
  ids.forEach((id, index) => {
    if (named.has(id)) position.set(id, index);
  });
  return position;
}

/** Ids of records taken back; an undo that is itself undone does not count. */
export function undoneIds(records: readonly LogRecord[]): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const record of [...records].reverse()) {
    if (record.kind === 'undo' && !undone.has(record.id)) undone.add(record.undoes);
  }
  return undone;
}

/** Undos in force. */
export function undosInForce(records: readonly LogRecord[]): readonly UndoRecord[] {
  const undone = undoneIds(records);
  return records.filter((record) => record.kind === 'undo').filter(({ id }) => !undone.has(id));
}

/** Whether a record changed the view. */
export function isCommitted({ status }: CompactionRecord): boolean {
  return status === 'compressed' || status === 'truncated';
}

function appliesTo(record: CompactionRecord, position: ReadonlyMap<string, number>, reuse: Reuse): boolean {
  const { parentId, lastSummarizedId, anchorId, covers, replaces } = record;
  // A record that only masks has no cutoff.
  const hasCutoff = covers.length + replaces.length > 0;
  if (hasCutoff && (lastSummarizedId === undefined || !position.has(lastSummarizedId))) return false;
  if (anchorId === undefined || !position.has(anchorId)) return false;
  return reuse === 'shared-cutoff' || (parentId !== undefined && position.has(parentId));
}

function withInherited(record: CompactionRecord, byId: ReadonlyMap<string, CompactionRecord>): ActiveRecord {
  if (record.replaces.length === 0) return { record, covers: record.covers, edits: record.edits };
  const lineage = new Set([record]);
  // A set grows while it is gone through, and takes nothing twice: a log that was edited may go in circles.
  for (const { replaces } of lineage) {
    for (const id of replaces.toReversed()) {
      const earlier = byId.get(id);
      if (earlier !== undefined) lineage.add(earlier);
    }
  }
  const oldestFirst = [...lineage].reverse();
  return {
    record,
    covers: oldestFirst.flatMap(({ covers }) => covers),
    edits: oldestFirst.flatMap(({ edits }) => edits),
  };
}

function withoutOverlaps(
  candidates: readonly ActiveRecord[],
  position: ReadonlyMap<string, number>,
): readonly ActiveRecord[] {
  if (candidates.length < 2) return candidates;
  const cutoff = ({ record }: ActiveRecord): number => position.get(record.lastSummarizedId ?? '') ?? -1;
  const taken = new Set<string>();
  const kept = new Set<ActiveRecord>();
  for (const candidate of [...candidates].sort((a, b) => cutoff(b) - cutoff(a))) {
    if (candidate.covers.some((id) => taken.has(id))) continue;
    for (const id of candidate.covers) taken.add(id);
    kept.add(candidate);
  }
  return candidates.filter((candidate) => kept.has(candidate));
}
