import type { FormatName } from 'epitome';
import { decodeText } from '../text/bytes.ts';
import { indexedTokens } from '../text/tokens.ts';
import type { Query } from './transaction.ts';
import { scopeOf, vectorsOf } from './words.ts';

// Written message by message, the index takes as long as all the rest of an append.
const BATCH = 1024;
const DUE = 1024;

/** Whether an append should see to the index: now and then, so that however many processes append, little is left. */
export function isDue(): boolean {
  return Math.random() < 1 / DUE;
}

/** Whether any message of a tenant is not in the index yet. */
export async function isBehind(query: Query, tenant: string): Promise<boolean> {
  const sql = 'select exists (select 1 from epitome.unindexed where tenant = $1) as behind';
  return (await query<{ behind: boolean }>(sql, [tenant]))[0]?.behind === true;
}

// Waits for one who indexes the same messages: afterwards they are in the index, or still to be taken.
const TAKE = `with taken as (
    delete from epitome.unindexed where tenant = $1 and seq = any (array(
      select seq from epitome.unindexed where tenant = $1 limit ${BATCH} for update))
    returning tenant, seq, conversation, segment, depth
  ) select t.seq, t.conversation, t.segment, t.depth, m.wide, m.native, c.format from taken t
    join epitome.messages m using (tenant, conversation, segment, depth)
    join epitome.conversations c on c.tenant = t.tenant and c.key = t.conversation`;

const INSERT = `insert into epitome.search (tenant, seq, conversation, segment, depth, part, words)
  select $1, n.seq, n.conversation, n.segment, n.depth, n.part, n.words::tsvector
  from unnest($2::bigint[], $3::bigint[], $4::int[], $5::int[], $6::int[], $7::text[])
    n (seq, conversation, segment, depth, part, words)`;

/** Indexes a batch of what is missing; false where there was nothing more. */
export async function indexSome(query: Query, tenant: string): Promise<boolean> {
  const rows = await query<Taken>(TAKE, [tenant]);
  if (rows.length === 0) return false;
  const parts = rows.flatMap((row) =>
    vectorsOf(tokensOf(row), scopeOf(tenant, row.conversation)).map((words, part) => ({ ...row, words, part })),
  );
  await query(INSERT, [
    tenant,
    parts.map(({ seq }) => seq),
    parts.map(({ conversation }) => conversation),
    parts.map(({ segment }) => segment),
    parts.map(({ depth }) => depth),
    parts.map(({ part }) => part),
    parts.map(({ words }) => words),
  ]);
  return true;
}

/** A message without payloads: one that has some is indexed at once. */
type Taken = {
  readonly seq: number;
  readonly conversation: number;
  readonly segment: number;
  readonly depth: number;
  readonly wide: boolean;
  readonly native: Uint8Array;
  readonly format: FormatName;
};

function tokensOf({ native, wide, format }: Taken): readonly string[] {
  return indexedTokens(decodeText(native, wide), format);
}
