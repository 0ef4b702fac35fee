import { recordTaken } from '../model/errors.ts';
import { columnsOf, HEAD_COLUMNS, headOf, RECORD_COLUMNS, type StoredHead } from '../model/record-columns.ts';
import type { RecordRow, Rows } from '../model/rows.ts';
import { canBeThere } from './names.ts';
import type { Query } from './transaction.ts';

type Part = Pick<Rows, 'recordHeads' | 'recordRows' | 'addRecord'>;

const OWN = 'from epitome.records where tenant = $1 and conversation = $2';

/** Records of one tenant. */
export function recordRows(query: Query, tenant: string): Part {
  return {
    recordHeads: async (key) => {
      const rows = await query<StoredHead>(`select ${HEAD_COLUMNS} ${OWN} order by seq`, [tenant, key]);
      return rows.map(headOf);
    },
    recordRows: async (key, ids) => {
      const rows = await query<StoredHead & Pick<RecordRow, 'body' | 'details'>>(
        `select ${HEAD_COLUMNS}, body, details ${OWN} and id = any ($3::text[]) order by seq`,
        [tenant, key, ids.filter(canBeThere)],
      );
      return rows.map((row) => ({ ...headOf(row), body: row.body, details: row.details }));
    },
    addRecord: async (key, row) => {
      const [, added] = await Promise.all([
        query(`delete ${OWN} and id = $3 and state = 'started'`, [tenant, key, row.id]),
        query(
          // The conversation is held: nobody else counts on. A sequence would not do where servers cache its numbers.
          `insert into epitome.records (tenant, conversation, ${RECORD_COLUMNS}, seq)
           select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
             coalesce(max(seq), 0) + 1 ${OWN}
           on conflict do nothing returning id`,
          [tenant, key, ...columnsOf(row, (value) => value)],
        ),
      ]);
      if (added.length === 0) throw recordTaken(row.id);
    },
  };
}
