/** Marks a file as one of ours: `EPIT`. */
export const APPLICATION_ID = 0x45504954;

/**
 * Forward only: a step, once published, is never changed. The number of steps is the file's `user_version`. Every key
 * begins with the tenant.
 */
export const MIGRATIONS: readonly string[] = [
  `
create table conversations (
  key integer primary key autoincrement,
  tenant text not null, id text not null, format text not null, settings text, created_at integer not null,
  unique (tenant, id)
) strict;
create table segments (
  tenant text not null, conversation integer not null, segment integer not null, parent integer, base integer not null,
  primary key (tenant, conversation, segment)
) strict, without rowid;
create table branches (
  tenant text not null, conversation integer not null, name text not null,
  segment integer not null, depth integer not null, tip text, version integer not null,
  primary key (tenant, conversation, name)
) strict, without rowid;
create table messages (
  seq integer primary key,
  tenant text not null, conversation integer not null, segment integer not null, depth integer not null,
  id text not null, role text not null, wide integer not null, holes integer not null, native blob not null
) strict;
create unique index messages_place on messages (tenant, conversation, segment, depth);
create unique index messages_id on messages (tenant, conversation, id);
create table payloads (
  key integer primary key,
  tenant text not null, hash text not null, wide integer not null, body blob not null,
  unique (tenant, hash)
) strict;
create table holes (
  tenant text not null, seq integer not null, at integer not null, payload integer not null,
  primary key (tenant, seq, at)
) strict, without rowid;
create index holes_payload on holes (payload);
create table records (
  seq integer primary key autoincrement,
  tenant text not null, conversation integer not null, id text not null,
  kind text not null, state text not null, branch text not null,
  parent_segment integer, parent_depth integer, cutoff_segment integer, cutoff_depth integer,
  anchor_segment integer, anchor_depth integer,
  undoes text, replaces text not null, covers text not null, has_edits integer not null,
  body text not null, details text not null,
  unique (tenant, conversation, id)
) strict;
create virtual table search using fts5 (scope, body, content = '', tokenize = 'ascii', detail = column);
insert into search (search, rank) values ('secure-delete', 1);
create table progress (name text primary key, value integer not null) strict, without rowid;
insert into progress (name, value) values ('indexed', 0);
create table jobs (
  tenant text not null, conversation text not null, branch text not null,
  payload text not null, state text not null, attempts integer not null, due_at integer not null,
  ticket integer not null, is_asked_again integer not null, error text,
  primary key (tenant, conversation, branch)
) strict, without rowid;
create index jobs_due on jobs (state, due_at);
`,
  // Versions are counted from the records that stand on a branch; undoing concerns a branch, not the tree. A message is found
  // by its id alone, whatever its conversation.
  `
alter table branches drop column version;
alter table branches add column lineage text not null default '[]';
alter table records add column scope text not null default 'tree';
drop index messages_id;
create unique index messages_id on messages (tenant, id, conversation);
`,
  // A branch at the end of its segment need not be written with every append. Sums tell changed records, and changed messages
  // whose id says nothing of their content.
  `
alter table branches add column follows integer not null default 0;
alter table messages add column sum text;
alter table records add column sum text;
`,
  // Every word of a long message is indexed now: an index with such messages is written anew, from the next search on.
  `
insert into search (search) select 'delete-all' where exists (
  select 1 from messages where length(native) > 24000 union all select 1 from payloads where length(body) > 24000);
update progress set value = 0 where name = 'indexed' and exists (
  select 1 from messages where length(native) > 24000 union all select 1 from payloads where length(body) > 24000);
`,
];
