import { recordTaken } from '../model/errors.ts';
import type { NewRecordRow, Place, RecordHead, RecordRow, Rows, Span } from '../model/rows.ts';
import type { Value } from './driver.ts';
import type { Prepare } from './statements.ts';

type Part = Pick<Rows, 'recordHeads' | 'recordRows' | 'addRecord'>;

const HEAD = `seq, id, kind, state, branch, parent_segment, parent_depth, cutoff_segment, cutoff_depth,
  anchor_segment, anchor_depth, undoes, replaces, covers, has_edits`;
const COLUMNS = `${HEAD.replace('seq, ', '')}, body, details`;

/** Records of one tenant. */
export function recordRows(prepare: Prepare, tenant: string): Part {
  return {
    recordHeads: (key) => {
      const all = prepare(`select ${HEAD} from records where tenant = ? and conversation = ? order by seq`);
      return (all.all(tenant, key) as Stored[]).map(headOf);
    },
    recordRows: (key, ids) => {
      const one = prepare(
        `select ${HEAD}, body, details from records where tenant = ? and conversation = ? and id = ?`,
      );
      const rows = ids.flatMap((id) => one.all(tenant, key, id) as (Stored & Pick<RecordRow, 'body' | 'details'>)[]);
      return rows.map((row) => ({ ...headOf(row), body: row.body, details: row.details }));
    },
    addRecord: (key, row) => {
      prepare("delete from records where tenant = ? and conversation = ? and id = ? and state = 'started'").run(
        ...[tenant, key, row.id],
      );
      const added = prepare(
        `insert into records (tenant, conversation, ${COLUMNS})
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
      ).run(tenant, key, ...valuesOf(row));
      if (Number(added.changes) === 0) throw recordTaken(row.id);
    },
  };
}

type Stored = Pick<RecordHead, 'seq' | 'id' | 'kind' | 'state' | 'branch' | 'undoes'> & {
  readonly parent_segment: number | null;
  readonly parent_depth: number | null;
  readonly cutoff_segment: number | null;
  readonly cutoff_depth: number | null;
  readonly anchor_segment: number | null;
  readonly anchor_depth: number | null;
  readonly replaces: string;
  readonly covers: string;
  readonly has_edits: number;
};

function headOf(row: Stored): RecordHead {
  const { seq, id, kind, state, branch, undoes } = row;
  return {
    ...{ seq, id, kind, state, branch, undoes },
    parent: placeOf(row.parent_segment, row.parent_depth),
    cutoff: placeOf(row.cutoff_segment, row.cutoff_depth),
    anchor: placeOf(row.anchor_segment, row.anchor_depth),
    replaces: JSON.parse(row.replaces) as string[],
    covers: JSON.parse(row.covers) as Span[],
    hasEdits: row.has_edits === 1,
  };
}

function placeOf(segment: number | null, depth: number | null): Place | null {
  return segment === null || depth === null ? null : { segment, depth };
}

function valuesOf(row: NewRecordRow): readonly Value[] {
  const places = [row.parent, row.cutoff, row.anchor].flatMap((place) => [
    place?.segment ?? null,
    place?.depth ?? null,
  ]);
  const lists = [JSON.stringify(row.replaces), JSON.stringify(row.covers)];
  const rest = [row.hasEdits ? 1 : 0, row.body, row.details];
  return [row.id, row.kind, row.state, row.branch, ...places, row.undoes, ...lists, ...rest];
}
