import type { BranchRow, NewRecordRow, Place, RecordHead, Span } from './rows.ts';

/** Columns of a record's head, in the order both databases ask for them. */
export const HEAD_COLUMNS: string = `seq, id, kind, state, branch, scope, parent_segment, parent_depth, cutoff_segment, cutoff_depth,
  anchor_segment, anchor_depth, undoes, replaces, covers, has_edits`;

/** Columns of a whole record without its number, in the order of `columnsOf`. */
export const RECORD_COLUMNS: string = `${HEAD_COLUMNS.replace('seq, ', '')}, body, details`;

/** The head of a record as a table holds it. */
export type StoredHead = Pick<RecordHead, 'seq' | 'id' | 'kind' | 'state' | 'branch' | 'scope' | 'undoes'> & {
  readonly parent_segment: number | null;
  readonly parent_depth: number | null;
  readonly cutoff_segment: number | null;
  readonly cutoff_depth: number | null;
  readonly anchor_segment: number | null;
  readonly anchor_depth: number | null;
  readonly replaces: string;
  readonly covers: string;
  readonly has_edits: boolean | number;
};

/** A stored head as a head. */
export function headOf(row: StoredHead): RecordHead {
  const { seq, id, kind, state, branch, scope, undoes } = row;
  return {
    ...{ seq, id, kind, state, branch, scope, undoes },
    parent: placeOf(row.parent_segment, row.parent_depth),
    cutoff: placeOf(row.cutoff_segment, row.cutoff_depth),
    anchor: placeOf(row.anchor_segment, row.anchor_depth),
    replaces: JSON.parse(row.replaces) as string[],
    covers: JSON.parse(row.covers) as Span[],
    hasEdits: Boolean(row.has_edits),
  };
}

/** A branch as a table holds it. */
export type StoredBranch = Omit<BranchRow, 'lineage'> & { readonly lineage: string };

/** A stored branch as a branch. */
export function branchOf({ name, segment, depth, tip, lineage }: StoredBranch): BranchRow {
  return { name, segment, depth, tip, lineage: JSON.parse(lineage) as BranchRow['lineage'] };
}

/** The values of a new record. */
export function columnsOf<Flag>(
  row: NewRecordRow,
  flag: (value: boolean) => Flag,
): readonly (string | number | null | Flag)[] {
  const places = [row.parent, row.cutoff, row.anchor].flatMap((place) => [
    place?.segment ?? null,
    place?.depth ?? null,
  ]);
  const lists = [JSON.stringify(row.replaces), JSON.stringify(row.covers)];
  const { id, kind, state, branch, scope, undoes, body, details } = row;
  return [id, kind, state, branch, scope, ...places, undoes, ...lists, flag(row.hasEdits), body, details];
}

function placeOf(segment: number | null, depth: number | null): Place | null {
  return segment === null || depth === null ? null : { segment, depth };
}
