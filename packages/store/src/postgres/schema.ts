import { JOBS_SCHEMA } from './job-key.ts';

/** Forward only: a step, once published, is never changed. Every key begins with the tenant. */
export const MIGRATIONS: readonly string[] = [
  `
create table epitome.conversations (
  tenant text not null, key bigint generated always as identity, id text not null, format text not null,
  settings text, created_at bigint not null,
  primary key (tenant, key), unique (tenant, id)
);
create table epitome.segments (
  tenant text not null, conversation bigint not null, segment integer not null, parent integer, base integer not null,
  primary key (tenant, conversation, segment)
);
create table epitome.branches (
  tenant text not null, conversation bigint not null, name text not null,
  segment integer not null, depth integer not null, tip text, version integer not null,
  primary key (tenant, conversation, name)
);
create table epitome.messages (
  tenant text not null, conversation bigint not null, segment integer not null, depth integer not null,
  seq bigint generated always as identity,
  id text not null, role text not null, wide boolean not null, holes integer not null, native bytea not null,
  primary key (tenant, conversation, segment, depth), unique (tenant, conversation, id)
);
create table epitome.search (
  tenant text not null, seq bigint not null,
  conversation bigint not null, segment integer not null, depth integer not null, words tsvector not null,
  primary key (tenant, seq)
);
create index search_words on epitome.search using gin (words);
-- Messages that are not searchable yet: they are indexed many at once, and before anybody searches.
create table epitome.unindexed (
  tenant text not null, seq bigint not null,
  conversation bigint not null, segment integer not null, depth integer not null
);
create table epitome.payloads (
  tenant text not null, hash text not null, wide boolean not null, body bytea not null,
  primary key (tenant, hash)
);
create table epitome.holes (
  tenant text not null, seq bigint not null, at integer not null, hash text not null,
  primary key (tenant, seq, at)
);
create index holes_hash on epitome.holes (tenant, hash);
create table epitome.records (
  tenant text not null, conversation bigint not null, id text not null, seq bigint generated always as identity,
  kind text not null, state text not null, branch text not null,
  parent_segment integer, parent_depth integer, cutoff_segment integer, cutoff_depth integer,
  anchor_segment integer, anchor_depth integer,
  undoes text, replaces text not null, covers text not null, has_edits boolean not null,
  body text not null, details text not null,
  primary key (tenant, conversation, id)
);
${['conversations', 'segments', 'branches', 'messages', 'unindexed', 'payloads', 'holes', 'records'].map(ownRowsOnly).join('\n')}
-- The common append in one round trip. The tenant is bound to this transaction alone.
create function epitome.advance(
  of_tenant text, of_conversation bigint, of_branch text, from_segment integer, from_depth integer,
  new_depth integer, new_tip text,
  depths integer[], ids text[], roles text[], wides boolean[], natives bytea[]
) returns boolean language plpgsql as $$
declare
  new_seq bigint;
begin
  perform set_config('epitome.tenant', of_tenant, true);
  update epitome.branches set depth = new_depth, tip = new_tip
  where tenant = of_tenant and conversation = of_conversation and name = of_branch
    and segment = from_segment and depth = from_depth;
  if not found then return false; end if;
  for place in 1 .. cardinality(depths) loop
    insert into epitome.messages (tenant, conversation, segment, depth, id, role, wide, holes, native)
    values (of_tenant, of_conversation, from_segment, depths[place], ids[place], roles[place], wides[place], 0, natives[place])
    returning seq into new_seq;
    insert into epitome.unindexed (tenant, seq, conversation, segment, depth)
    values (of_tenant, new_seq, of_conversation, from_segment, depths[place]);
  end loop;
  return true;
end $$;
alter table epitome.search enable row level security, force row level security;
create policy own_new on epitome.search for insert with check (tenant = current_setting('epitome.tenant', true));
create policy own_gone on epitome.search for delete using (tenant = current_setting('epitome.tenant', true));
-- What is looked for is part of the policy: a condition of the query itself could not use the index, since it must not
-- see a row before the policy does and the operator is not marked as leakproof.
create policy own_found on epitome.search for select using (
  tenant = current_setting('epitome.tenant', true) and words @@ current_setting('epitome.search', true)::tsquery
);
`,
  // Versions are counted from the records that stand on a branch; undoing concerns a branch, not the tree. A message is found
  // by its id alone, whatever its conversation.
  `
alter table epitome.branches drop column version, add column lineage text not null default '[]';
alter table epitome.records add column scope text not null default 'tree', alter column seq drop identity;
alter table epitome.messages drop constraint messages_tenant_conversation_id_key;
create unique index messages_id on epitome.messages (tenant, id, conversation);
`,
  // A search vector holds at most 1 MB: the words of a long message are several.
  `
alter table epitome.search add column part integer not null default 0, drop constraint search_pkey;
alter table epitome.search add primary key (tenant, seq, part);
`,
  // A role that may not see the queue must be able to forget all the same: the owner does it for the tenant of the transaction.
  // The queue is there only where somebody uses it, so nothing of it is named before.
  `
create or replace function epitome.forget_jobs(of_conversation text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if to_regclass('${JOBS_SCHEMA}._private_jobs') is null then return; end if;
  execute $job$select ${JOBS_SCHEMA}.remove_job(key) from ${JOBS_SCHEMA}._private_jobs
    where payload ->> 'tenant' = current_setting('epitome.tenant', true) and payload ->> 'conversation' = $1$job$
    using of_conversation;
end $$;
`,
];

/** Rows of the transaction's tenant, and no others, whoever asks: the owner of the table too. */
function ownRowsOnly(table: string): string {
  return `alter table epitome.${table} enable row level security, force row level security;
create policy own on epitome.${table} using (tenant = current_setting('epitome.tenant', true));`;
}
