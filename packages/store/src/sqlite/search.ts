import { createHash } from 'node:crypto';
import type { SearchQuery, SearchRow } from '../model/rows.ts';
import type { RowsAtOnce } from './rows-at-once.ts';
import type { Prepare } from './statements.ts';
import type { Owner } from './whole.ts';

// Ranking every message that holds a common word takes long; of so many, the newest are ranked.
const CANDIDATES = 1_000;

/** Full-text search of one tenant. */
export function searchRows(prepare: Prepare, tenant: string): Pick<RowsAtOnce, 'search'> {
  return { search: (query) => search(prepare, tenant, query) };
}

/** Indexes a message. The tenant and the conversation are words too: no search leaves them. */
export function addWords(prepare: Prepare, owner: Owner, message: Indexed): void {
  prepare('insert into search (rowid, scope, body) values (?, ?, ?)').run(
    ...[message.seq, scopeOf(owner), message.tokens.join(' ')],
  );
}

/** Takes a message out of the index; its words are gone from the file. */
export function removeWords(prepare: Prepare, owner: Owner, message: Indexed): void {
  prepare("insert into search (search, rowid, scope, body) values ('delete', ?, ?, ?)").run(
    ...[message.seq, scopeOf(owner), message.tokens.join(' ')],
  );
}

type Indexed = { readonly seq: number; readonly tokens: readonly string[] };

function scopeOf({ tenant, key }: Owner): string {
  return `${tenantWord(tenant)} c${key}`;
}

const MOST_WORDS = 1000;
const words = new Map<string, string>();

function tenantWord(tenant: string): string {
  const known = words.get(tenant) ?? `t${createHash('sha256').update(tenant).digest('hex').slice(0, 20)}`;
  if (words.size >= MOST_WORDS) words.clear();
  words.set(tenant, known);
  return known;
}

function search(prepare: Prepare, tenant: string, query: SearchQuery): readonly SearchRow[] {
  const { tokens, mode, conversation } = query;
  const words = `body : (${quoted(tokens, mode === 'all' ? ' AND ' : ' OR ')})`;
  const scope = [tenantWord(tenant), ...(conversation === undefined ? [] : [`c${conversation}`])];
  // The tenant is one of the words, and `found` asks for it again: looking each candidate up here would read pages all over
  // the file.
  const newest = prepare(
    `select rowid as seq from search where search match ? order by rowid desc limit ${CANDIDATES}`,
  ).all(`scope : (${quoted(scope, ' AND ')}) AND ${words}`) as { seq: number }[];
  const seqs = newest.map(({ seq }) => seq);
  return weighed(prepare, { seqs, words }, query.limit);
}

function quoted(words: readonly string[], operator: string): string {
  return words.map((word) => `"${word}"`).join(operator);
}

type Candidates = { readonly seqs: readonly number[]; readonly words: string };

/** Candidates with their scores. Words that so many messages hold have no weight: of those, the newest come first. */
function weighed(prepare: Prepare, { seqs, words }: Candidates, limit: number): readonly SearchRow[] {
  if (seqs.length >= CANDIDATES) return seqs.slice(0, limit).map((seq, index) => ({ seq, score: 1 / (2 + index) }));
  const own = new Set(seqs);
  // The words alone, without the scope: its weight would have to be counted over the whole index.
  const scored = prepare(
    'select rowid as seq, -bm25(search, 0.0, 1.0) as score from search where search match ? and rowid between ? and ?',
  ).all(words, seqs.at(-1) ?? 0, seqs[0] ?? 0) as SearchRow[];
  return scored
    .filter(({ seq }) => own.has(seq))
    .map(({ seq, score }) => ({ seq, score: Math.max(score, 0) + LEAST }))
    .sort((a, b) => b.score - a.score || b.seq - a.seq)
    .slice(0, limit);
}

// A word that most messages hold has no weight of its own: a match still counts for more than none.
const LEAST = 1e-3;
