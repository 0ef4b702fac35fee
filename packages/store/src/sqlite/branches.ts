import { branchOf, type StoredBranch } from '../model/record-columns.ts';
import type { Place, SegmentRow } from '../model/rows.ts';
import type { RowsAtOnce } from './rows-at-once.ts';
import type { Prepare } from './statements.ts';
import type { Owner } from './whole.ts';

const NEWEST = `from messages m where m.tenant = branches.tenant and m.conversation = branches.conversation
  and m.segment = branches.segment order by m.depth desc limit 1`;

/**
 * Branches as they are. One that follows its segment ends where that ends: its row need not be written with every append. At most
 * one branch follows a segment.
 */
const BRANCHES: string = `select name, segment, lineage,
  case follows when 1 then (select m.depth ${NEWEST}) else depth end as depth,
  case follows when 1 then (select m.id ${NEWEST}) else tip end as tip
  from branches where tenant = ? and conversation = ?`;

/** Branches and segments of one tenant. */
export function branchRows(
  prepare: Prepare,
  tenant: string,
): Pick<RowsAtOnce, 'branch' | 'branches' | 'addBranch' | 'putBranch' | 'addSegment' | 'endOf' | 'segments' | 'path'> {
  return {
    branch: (key, name) => {
      const row = prepare(`${BRANCHES} and name = ?`).get(tenant, key, name);
      return row === undefined ? undefined : branchOf(row as StoredBranch);
    },
    branches: (key) => (prepare(`${BRANCHES} order by name`).all(tenant, key) as StoredBranch[]).map(branchOf),
    addBranch: (key, { name, segment, depth, tip, lineage }) => {
      prepare(
        'insert into branches (tenant, conversation, name, segment, depth, tip, lineage) values (?, ?, ?, ?, ?, ?, ?)',
      ).run(tenant, key, name, segment, depth, tip, JSON.stringify(lineage));
    },
    putBranch: (key, { name, segment, depth, tip, lineage }) => {
      prepare(
        `update branches set segment = ?, depth = ?, tip = ?, lineage = ?, follows = 0
         where tenant = ? and conversation = ? and name = ?`,
      ).run(segment, depth, tip, JSON.stringify(lineage), tenant, key, name);
    },
    segments: (key) =>
      prepare('select segment, parent, base from segments where tenant = ? and conversation = ? order by segment').all(
        tenant,
        key,
      ) as SegmentRow[],
    addSegment: (key, behind) => addSegment(prepare, { tenant, key }, behind),
    endOf: (key, segment) => endOf(prepare, { tenant, key }, segment),
    path: (key, segment) =>
      prepare(
        `with recursive path (segment, parent, base) as (
           select segment, parent, base from segments where tenant = ?1 and conversation = ?2 and segment = ?3
           union all
           select s.segment, s.parent, s.base from path join segments s
           on s.tenant = ?1 and s.conversation = ?2 and s.segment = path.parent
         ) select segment, parent, base from path`,
      ).all(tenant, key, segment) as SegmentRow[],
  };
}

/** A branch at the end of its segment, to be moved by messages that are about to be added there. */
export type Follower = Owner & { readonly name: string; readonly from: Place };

/** Makes a branch follow its segment; false where it does not end there. */
export function follow(prepare: Prepare, { tenant, key, name, from }: Follower): boolean {
  const own = prepare(
    'select segment, depth, follows from branches where tenant = ? and conversation = ? and name = ?',
  );
  const row = own.get(tenant, key, name) as (Place & { readonly follows: number }) | undefined;
  if (row === undefined || row.segment !== from.segment) return false;
  if (row.follows === 1) return true;
  if (row.depth !== from.depth) return false;
  pinFollowers(prepare, { tenant, key }, [from.segment]);
  prepare('update branches set follows = 1 where tenant = ? and conversation = ? and name = ?').run(tenant, key, name);
  return true;
}

/** Writes down where the branches end that follow segments to which messages of others are about to be added. */
export function pinFollowers(prepare: Prepare, { tenant, key }: Owner, segments: Iterable<number>): void {
  const pin = prepare(
    `update branches set depth = (select m.depth ${NEWEST}), tip = (select m.id ${NEWEST}), follows = 0
     where tenant = ? and conversation = ? and segment = ? and follows = 1`,
  );
  for (const segment of new Set(segments)) pin.run(tenant, key, segment);
}

function addSegment(prepare: Prepare, { tenant, key }: Owner, behind: Place): number {
  const row = prepare(
    `insert into segments (tenant, conversation, segment, parent, base)
     select ?1, ?2, coalesce(max(segment) + 1, 0), ?3, ?4 from segments where tenant = ?1 and conversation = ?2
     returning segment`,
  ).get(tenant, key, behind.depth < 0 ? null : behind.segment, behind.depth) as { segment: number };
  return row.segment;
}

function endOf(prepare: Prepare, { tenant, key }: Owner, segment: number): number {
  const row = prepare(
    `select coalesce(
       (select max(depth) from messages where tenant = ?1 and conversation = ?2 and segment = ?3),
       (select base from segments where tenant = ?1 and conversation = ?2 and segment = ?3), -1) as depth`,
  ).get(tenant, key, segment) as { depth: number };
  return row.depth;
}
