import { recordTaken } from '../model/errors.ts';
import { columnsOf, HEAD_COLUMNS, headOf, RECORD_COLUMNS, type StoredHead } from '../model/record-columns.ts';
import type { RecordRow } from '../model/rows.ts';
import type { RowsAtOnce } from './rows-at-once.ts';
import type { Prepare } from './statements.ts';
import { sumOfRecord } from './sums.ts';
import type { Owner } from './whole.ts';

type Part = Pick<RowsAtOnce, 'recordHeads' | 'recordRows' | 'addRecord'>;

/** Records of one tenant. */
export function recordRows(prepare: Prepare, tenant: string): Part {
  return {
    recordHeads: (key) => {
      const all = prepare(`select ${HEAD_COLUMNS} from records where tenant = ? and conversation = ? order by seq`);
      return (all.all(tenant, key) as StoredHead[]).map(headOf);
    },
    recordRows: (key, ids) => {
      const one = prepare(
        `select ${HEAD_COLUMNS}, body, details from records where tenant = ? and conversation = ? and id = ?`,
      );
      const rows = ids.flatMap(
        (id) => one.all(tenant, key, id) as (StoredHead & Pick<RecordRow, 'body' | 'details'>)[],
      );
      return rows.map((row) => ({ ...headOf(row), body: row.body, details: row.details }));
    },
    addRecord: (key, row) => {
      prepare("delete from records where tenant = ? and conversation = ? and id = ? and state = 'started'").run(
        ...[tenant, key, row.id],
      );
      const values = columnsOf(row, (value) => (value ? 1 : 0));
      const added = prepare(
        `insert into records (tenant, conversation, ${RECORD_COLUMNS}, sum)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
      ).run(tenant, key, ...values, sumOfRecord(values));
      if (Number(added.changes) === 0) throw recordTaken(row.id);
    },
  };
}

/** Whether a conversation has any. */
export function hasRecords(prepare: Prepare, { tenant, key }: Owner): boolean {
  return prepare('select 1 from records where tenant = ? and conversation = ? limit 1').get(tenant, key) !== undefined;
}
