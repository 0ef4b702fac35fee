import { formatNamed } from 'epitome';
import type { Hit } from '../model/port.ts';
import type { FoundRow, Rows, SearchRow } from '../model/rows.ts';
import { holdsVerbatim, snippetOf } from '../text/snippet.ts';
import { searchText, tokensOf } from '../text/tokens.ts';
import { checkedLimit } from './conversations.ts';
import { findConversation } from './reading.ts';

/** What is looked for, and where. */
export type RecallQuery = { readonly query: string; readonly conversation?: string; readonly limit?: number };

const LIMIT = 10;
const MOST_WORDS = 16;
// More candidates than wanted: a text that holds the query verbatim is to come first though its words are common.
const WIDTH = 3;
const VERBATIM = 2;

/** Messages that hold all words of a query, best first; where there are too few, those that hold any follow. */
export async function recall(rows: Rows, input: RecallQuery): Promise<readonly Hit[]> {
  const limit = checkedLimit(input.limit ?? LIMIT);
  const tokens = [...new Set(tokensOf(input.query))].slice(0, MOST_WORDS);
  if (tokens.length === 0 || limit < 1) return [];
  const within = input.conversation;
  const conversation = within === undefined ? undefined : (await findConversation(rows, within)).key;
  const wanted = { tokens, conversation, limit: limit * WIDTH };
  const all = await rows.search({ ...wanted, mode: 'all' });
  const any = all.length >= limit || tokens.length === 1 ? [] : await rows.search({ ...wanted, mode: 'any' });
  const known = new Set(all.map(({ seq }) => seq));
  const weakest = all.reduce((least, { score }) => Math.min(least, score), 1);
  const rest = any
    .filter(({ seq }) => !known.has(seq))
    .map(({ seq, score }) => ({ seq, score: below(score, weakest) }));
  return ranked(rows, [...all, ...rest], input.query).then((hits) => hits.slice(0, limit));
}

/** Keeps the order of scores and puts them all under a bound. */
function below(score: number, bound: number): number {
  return bound * 0.5 * (1 - 1 / (1 + Math.max(0, score)));
}

async function ranked(rows: Rows, found: readonly SearchRow[], query: string): Promise<readonly Hit[]> {
  if (found.length === 0) return [];
  // A long message may be found by several of its parts: the best one counts.
  const scores = new Map(found.toReversed().map(({ seq, score }) => [seq, score]));
  const hits = (await rows.found(found.map(({ seq }) => seq))).map((row) =>
    hitOf(row, scores.get(row.seq) ?? 0, query),
  );
  // Of equals the newer one: it is more likely what is meant.
  return hits.sort((a, b) => b.score - a.score || b.seq - a.seq);
}

function hitOf(row: FoundRow, score: number, query: string): Hit {
  const text = searchText(formatNamed(row.format).decode(JSON.parse(row.native), []));
  return {
    conversation: row.conversation,
    messageId: row.id,
    role: row.role,
    seq: row.seq,
    snippet: snippetOf(text, query),
    score: holdsVerbatim(text, query) ? score * VERBATIM : score,
  };
}
