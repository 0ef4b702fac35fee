import type { Database } from './driver.ts';

/** Numbers of messages by whose they are, in order. */
export type Owned = ReadonlyMap<string, readonly number[]>;
type Owner = { readonly tenant: string; readonly conversation: number };
type Row = Owner & { readonly seq: number };

/** The name of an owner in `Owned`. */
export function ownerName({ tenant, conversation }: Owner): string {
  return `${tenant}\n${conversation}`;
}

/** The owner of a name. */
export function ownerOf(name: string): Owner {
  const at = name.lastIndexOf('\n');
  return { tenant: name.slice(0, at), conversation: Number(name.slice(at + 1)) };
}

/**
 * Whose messages a damaged file holds. An index tells of messages whose page is lost, the table of those an index lost; where
 * the table cannot be read through, its messages are tried one by one.
 */
export function ownedIn(wreck: Database): Owned {
  const all = 'select seq, tenant, conversation from messages';
  const table = rowsOf(wreck, `${all} not indexed`);
  const indexes = ['messages_place', 'messages_id'].flatMap((name) => rowsOf(wreck, `${all} indexed by ${name}`) ?? []);
  const known = new Map([...(table ?? []), ...indexes].map((row) => [row.seq, row]));
  if (table === undefined) for (const row of tried(wreck, known)) known.set(row.seq, row);
  const owned = new Map<string, number[]>();
  for (const row of [...known.values()].sort((a, b) => a.seq - b.seq)) {
    const seqs = owned.get(ownerName(row));
    if (seqs === undefined) owned.set(ownerName(row), [row.seq]);
    else seqs.push(row.seq);
  }
  return owned;
}

function rowsOf(wreck: Database, sql: string): readonly Row[] | undefined {
  try {
    return wreck.prepare(sql).all() as Row[];
  } catch {
    return undefined;
  }
}

function* tried(wreck: Database, known: ReadonlyMap<number, Row>): Generator<Row> {
  const [newest] =
    rowsOf(wreck, 'select seq, tenant, conversation from messages not indexed order by seq desc limit 1') ?? [];
  // Where the last page is lost too, there are at most as many as fit into the file.
  const last = Math.max(newest?.seq ?? mostIn(wreck), [...known.keys()].at(-1) ?? 0);
  const one = wreck.prepare('select seq, tenant, conversation from messages not indexed where seq = ?');
  for (let seq = 1; seq <= last; seq += 1) {
    if (known.has(seq)) continue;
    try {
      const row = one.get(seq) as Row | undefined;
      if (row !== undefined) yield row;
    } catch {
      // It stands on a damaged page, and no index knows whose it was.
    }
  }
}

// A message takes more than this even where its text stands elsewhere.
const LEAST_BYTES = 48;

function mostIn(wreck: Database): number {
  const read = (name: string): number => Number(Object.values(wreck.prepare(`pragma ${name}`).get() ?? {})[0] ?? 0);
  return Math.ceil((read('page_count') * read('page_size')) / LEAST_BYTES);
}
