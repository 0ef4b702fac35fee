import { recordTaken } from '../model/errors.ts';
import type { NewRecordRow, Place, RecordHead, RecordRow, Rows, Span } from '../model/rows.ts';
import type { Query } from './transaction.ts';

type Part = Pick<Rows, 'recordHeads' | 'recordRows' | 'addRecord'>;

const HEAD = `seq, id, kind, state, branch, parent_segment, parent_depth, cutoff_segment, cutoff_depth,
  anchor_segment, anchor_depth, undoes, replaces, covers, has_edits`;
const COLUMNS = `${HEAD.replace('seq, ', '')}, body, details`;
const OWN = 'from epitome.records where tenant = $1 and conversation = $2';

/** Records of one tenant. */
export function recordRows(query: Query, tenant: string): Part {
  return {
    recordHeads: async (key) => {
      const rows = await query<Stored>(`select ${HEAD} ${OWN} order by seq`, [tenant, key]);
      return rows.map(headOf);
    },
    recordRows: async (key, ids) => {
      const rows = await query<Stored & Pick<RecordRow, 'body' | 'details'>>(
        `select ${HEAD}, body, details ${OWN} and id = any ($3::text[]) order by seq`,
        [tenant, key, ids],
      );
      return rows.map((row) => ({ ...headOf(row), body: row.body, details: row.details }));
    },
    addRecord: async (key, row) => {
      const [, added] = await Promise.all([
        query(`delete ${OWN} and id = $3 and state = 'started'`, [tenant, key, row.id]),
        query(
          `insert into epitome.records (tenant, conversation, ${COLUMNS})
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
           on conflict do nothing returning id`,
          [tenant, key, ...valuesOf(row)],
        ),
      ]);
      if (added.length === 0) throw recordTaken(row.id);
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
  readonly has_edits: boolean;
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
    hasEdits: row.has_edits,
  };
}

function placeOf(segment: number | null, depth: number | null): Place | null {
  return segment === null || depth === null ? null : { segment, depth };
}

function valuesOf(row: NewRecordRow): readonly unknown[] {
  const places = [row.parent, row.cutoff, row.anchor].flatMap((place) => [
    place?.segment ?? null,
    place?.depth ?? null,
  ]);
  const lists = [JSON.stringify(row.replaces), JSON.stringify(row.covers)];
  return [
    row.id,
    row.kind,
    row.state,
    row.branch,
    ...places,
    row.undoes,
    ...lists,
    row.hasEdits,
    row.body,
    row.details,
  ];
}
