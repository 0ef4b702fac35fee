import type {
  FoundRow,
  LocatedHead,
  MessageHead,
  MessageRow,
  NewMessageRow,
  Place,
  Range,
  Rows,
  SearchQuery,
  SearchRow,
} from '../model/rows.ts';
import { decodeText, encodeText } from '../text/bytes.ts';
import { type Hole, splitPayloads, wholeText } from '../text/payloads.ts';
import { canBeThere } from './names.ts';
import type { Query } from './transaction.ts';
import { queryOf, scopeOf, vectorsOf } from './words.ts';

type Part = Pick<
  Rows,
  'addMessages' | 'heads' | 'located' | 'headsIn' | 'messagesIn' | 'found' | 'scan' | 'scanHeads' | 'search'
>;
type Stored = MessageHead & { readonly wide: boolean; readonly holes: number; readonly native: Uint8Array };

const HEAD = 'm.seq, m.segment, m.depth, m.id, m.role';
const ALL = `${HEAD}, m.wide, m.holes, m.native`;
const inRangesSql = (
  columns: string,
): string => `select m.* from unnest($3::int[], $4::int[], $5::int[]) r (segment, first, last)
  cross join lateral (
    select ${columns} from epitome.messages m where tenant = $1 and conversation = $2
      and segment = r.segment and depth between r.first and r.last order by depth offset 0
  ) m order by m.depth`;

const behindSql = (columns: string): string => `select ${columns} from epitome.messages m
  where tenant = $1 and conversation = $2 and (segment, depth) > ($3, $4) order by segment, depth limit $5`;

// Ranking every message that holds a common word takes long; of so many, the newest are ranked.
const CANDIDATES = 1_000;

/** Messages of one tenant. */
export function messageRows(query: Query, tenant: string): Part {
  const inRanges = <T extends object>(key: number, ranges: readonly Range[], columns: string): Promise<readonly T[]> =>
    query(inRangesSql(columns), [tenant, key, ...columnsOf(ranges)]);
  return {
    addMessages: (key, rows) => addMessages(query, { tenant, key }, rows),
    heads: (key, ids) =>
      query<MessageHead>(
        `select ${HEAD} from epitome.messages m where tenant = $1 and conversation = $2 and id = any ($3::text[])`,
        [tenant, key, ids.filter(canBeThere)],
      ),
    located: (ids) =>
      query<LocatedHead>(
        `select ${HEAD}, c.id as conversation, c.format from epitome.messages m
         join epitome.conversations c on c.tenant = m.tenant and c.key = m.conversation
         where m.tenant = $1 and m.id = any ($2::text[])`,
        [tenant, ids.filter(canBeThere)],
      ),
    headsIn: (key, ranges) => inRanges<MessageHead>(key, ranges, HEAD),
    messagesIn: async (key, ranges) => whole(query, tenant, await inRanges<Stored>(key, ranges, ALL)),
    found: (seqs) => found(query, tenant, seqs),
    scan: async (key, after, limit) => {
      const page = await query<Stored>(behindSql(ALL), [tenant, key, after.segment, after.depth, limit]);
      return whole(query, tenant, page);
    },
    scanHeads: (key, after, limit) =>
      query<MessageHead>(behindSql(HEAD), [tenant, key, after.segment, after.depth, limit]),
    search: (wanted) => search(query, tenant, wanted),
  };
}

/** Messages by their seqs, each with its conversation. */
async function found(query: Query, tenant: string, seqs: readonly number[]): Promise<readonly FoundRow[]> {
  const rows = await query<Stored & Pick<FoundRow, 'conversation' | 'format'>>(
    `select ${ALL}, c.id as conversation, c.format from (
       select distinct tenant, conversation, segment, depth from epitome.search
       where tenant = $1 and seq = any ($2::bigint[])
     ) s join epitome.messages m using (tenant, conversation, segment, depth)
     join epitome.conversations c on c.tenant = m.tenant and c.key = m.conversation`,
    [tenant, seqs],
  );
  const bySeq = new Map(rows.map(({ seq, conversation, format }) => [seq, { conversation, format }]));
  const messages = await whole(query, tenant, rows);
  return messages.flatMap((message) => {
    const origin = bySeq.get(message.seq);
    return origin === undefined ? [] : [{ ...message, ...origin }];
  });
}

async function search(query: Query, tenant: string, wanted: SearchQuery): Promise<readonly SearchRow[]> {
  const { tokens, mode, conversation, limit } = wanted;
  const text = queryOf(tokens, mode, scopeOf(tenant, conversation));
  // Planned anew each time: the way to a rare word is the index, the way to a common one is from the newest back.
  const [, rows] = await Promise.all([
    query(`select set_config('epitome.search', $1, true)`, [text]),
    query<SearchRow>(
      `select seq, ts_rank(words, $1::tsquery, 1) as score
       from (select seq, words from epitome.search order by seq desc limit ${CANDIDATES}) newest
       order by score desc, seq desc limit $2`,
      [text, limit],
      'unprepared',
    ),
  ]);
  return rows;
}

function columnsOf(ranges: readonly Range[]): readonly (readonly number[])[] {
  return [ranges.map(({ segment }) => segment), ranges.map(({ from }) => from), ranges.map(({ to }) => to)];
}

type Owner = { readonly tenant: string; readonly key: number };

/** Messages as columns for `unnest`: one statement for any number of them. */
export type Columns = {
  readonly segments: readonly number[];
  readonly depths: readonly number[];
  readonly ids: readonly string[];
  readonly roles: readonly string[];
  readonly wide: readonly boolean[];
  readonly holeCounts: readonly number[];
  readonly natives: readonly Uint8Array[];
  readonly holes: readonly PlacedHole[];
};

type PlacedHole = Hole & Place;

const INSERT = `with added as (
    insert into epitome.messages (tenant, conversation, segment, depth, id, role, wide, holes, native)
    select $1, $2, n.segment, n.depth, n.id, n.role, n.wide, n.holes, n.native
    from unnest($3::int[], $4::int[], $5::text[], $6::text[], $7::bool[], $8::int[], $9::bytea[])
      with ordinality n (segment, depth, id, role, wide, holes, native, place) order by n.place
    returning seq, segment, depth
  ), indexed as (
    insert into epitome.search (tenant, seq, conversation, segment, depth, part, words)
    select $1, added.seq, $2, added.segment, added.depth, n.part, n.words::tsvector from added
    join unnest($10::int[], $11::int[], $12::int[], $13::text[]) n (segment, depth, part, words) using (segment, depth)
  ) select seq, segment, depth from added`;

/** The columns of new messages. */
export function columnsFor(rows: readonly NewMessageRow[]): Columns {
  const split = rows.map((row) => ({ row, ...splitPayloads(row.native) }));
  const bytes = split.map(({ rest }) => encodeText(rest));
  return {
    segments: rows.map(({ segment }) => segment),
    depths: rows.map(({ depth }) => depth),
    ids: rows.map(({ id }) => id),
    roles: rows.map(({ role }) => role),
    wide: bytes.map(({ wide }) => wide),
    holeCounts: split.map(({ holes }) => holes.length),
    natives: bytes.map((encoded) => encoded.bytes),
    holes: split.flatMap(({ row, holes }) =>
      holes.map((hole) => ({ ...hole, depth: row.depth, segment: row.segment })),
    ),
  };
}

async function addMessages(query: Query, { tenant, key }: Owner, rows: readonly NewMessageRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { segments, depths, ids, roles, wide, holeCounts, natives, holes } = columnsFor(rows);
  const scope = scopeOf(tenant, key);
  const parts = rows.flatMap(({ segment, depth, tokens }) =>
    vectorsOf(tokens(), scope).map((words, part) => ({ segment, depth, words, part })),
  );
  const search = [
    parts.map(({ segment }) => segment),
    parts.map(({ depth }) => depth),
    parts.map(({ part }) => part),
    parts.map(({ words }) => words),
  ];
  const seqs = await query<{ seq: number; segment: number; depth: number }>(INSERT, [
    tenant,
    key,
    ...[segments, depths, ids, roles, wide, holeCounts, natives],
    ...search,
  ]);
  if (holes.length > 0) await addPayloads(query, tenant, { holes, seqs });
}

type Filled = {
  readonly holes: readonly PlacedHole[];
  readonly seqs: readonly { readonly seq: number; readonly segment: number; readonly depth: number }[];
};

async function addPayloads(query: Query, tenant: string, { holes, seqs }: Filled): Promise<void> {
  const seqAt = new Map(seqs.map(({ seq, segment, depth }) => [`${segment}:${depth}`, seq]));
  await keepPayloads(query, tenant, holes);
  await query(
    `insert into epitome.holes (tenant, seq, at, hash) select $1, n.* from unnest($2::bigint[], $3::int[], $4::text[]) n`,
    [
      tenant,
      holes.map(({ segment, depth }) => seqAt.get(`${segment}:${depth}`)),
      holes.map(({ at }) => at),
      holes.map(({ hash }) => hash),
    ],
  );
}

/**
 * Sees to it that payloads are there, and stay until this transaction ends: one that is forgotten elsewhere just now is waited for
 * and stored anew.
 */
async function keepPayloads(query: Query, tenant: string, holes: readonly Hole[]): Promise<void> {
  // In one order for all, so that none waits for another in a circle.
  const hashes = [...new Set(holes.map(({ hash }) => hash))].sort();
  const bodies = new Map(holes.map((hole) => [hole.hash, encodeText(hole.text)]));
  const values = [
    tenant,
    hashes,
    hashes.map((hash) => bodies.get(hash)?.wide),
    hashes.map((hash) => bodies.get(hash)?.bytes),
  ];
  for (let held = 0; held < hashes.length; ) {
    const [, rows] = await Promise.all([
      query(
        `insert into epitome.payloads (tenant, hash, wide, body)
         select $1, n.* from unnest($2::text[], $3::bool[], $4::bytea[]) n on conflict do nothing`,
        values,
      ),
      query(
        `select 1 from epitome.payloads where tenant = $1 and hash = any ($2::text[]) order by hash collate "C" for key share`,
        [tenant, hashes],
      ),
    ]);
    held = rows.length;
  }
}

const REMEDY = 'restore it from a backup';

async function whole(query: Query, tenant: string, rows: readonly Stored[]): Promise<readonly MessageRow[]> {
  const open = rows.filter(({ holes }) => holes > 0).map(({ seq }) => seq);
  const filled = open.length === 0 ? [] : await payloadsOf(query, tenant, open);
  const bySeq = new Map<number, Payload[]>();
  for (const payload of filled) bySeq.set(payload.seq, [...(bySeq.get(payload.seq) ?? []), payload]);
  return rows.map(({ seq, segment, depth, id, role, wide, holes, native }) => {
    const rest = decodeText(native, wide);
    return {
      seq,
      segment,
      depth,
      id,
      role,
      native: holes === 0 ? rest : wholeText({ id, rest, holes, remedy: REMEDY }, bySeq.get(seq) ?? []),
    };
  });
}

type Payload = { readonly seq: number; readonly at: number; readonly text: string };

async function payloadsOf(query: Query, tenant: string, seqs: readonly number[]): Promise<readonly Payload[]> {
  const rows = await query<{ seq: number; at: number; wide: boolean; body: Uint8Array }>(
    `select h.seq, h.at, p.wide, p.body from epitome.holes h
     join epitome.payloads p on p.tenant = h.tenant and p.hash = h.hash
     where h.tenant = $1 and h.seq = any ($2::bigint[]) order by h.seq, h.at`,
    [tenant, seqs],
  );
  return rows.map(({ seq, at, wide, body }) => ({ seq, at, text: decodeText(body, wide) }));
}
