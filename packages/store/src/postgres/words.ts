import { createHash } from 'node:crypto';

const LAST_POSITION = 16_383;
const MOST_POSITIONS = 32;

// PostgreSQL takes at most 1 MB in one vector, all it keeps beside the words included.
const MOST_BYTES = 400_000;

/** Words as texts of as few vectors as hold them. */
export function vectorsOf(tokens: readonly string[], scope: readonly string[]): readonly string[] {
  const vectors: string[] = [];
  let from = 0;
  let bytes = 0;
  for (const [index, token] of tokens.entries()) {
    bytes += Buffer.byteLength(token) + 8;
    if (bytes < MOST_BYTES) continue;
    vectors.push(vectorOf(tokens.slice(from, index), scope));
    from = index;
    bytes = 0;
  }
  return [...vectors, vectorOf(tokens.slice(from), scope)];
}

/** With the words of their tenant and conversation: no search leaves them. */
function vectorOf(tokens: readonly string[], scope: readonly string[]): string {
  const positions = new Map<string, number[]>();
  for (const [index, token] of tokens.entries()) {
    const known = positions.get(token);
    if (known === undefined) positions.set(token, [index]);
    else if (known.length < MOST_POSITIONS) known.push(index);
  }
  const words = [...positions].map(([token, at]) => `'${token}':${at.map(positionOf).join(',')}`);
  return [...scope.map((word) => `'${word}'`), ...words].join(' ');
}

/** What a message's scope adds to its words. */
export function scopeOf(tenant: string, conversation?: number): readonly string[] {
  const own = `@t${createHash('sha256').update(tenant).digest('hex').slice(0, 20)}`;
  return conversation === undefined ? [own] : [own, `@c${conversation}`];
}

/** A search as text of a `tsquery`; without words it finds all of the scope. */
export function queryOf(tokens: readonly string[], mode: 'all' | 'any', scope: readonly string[]): string {
  const quoted = (words: readonly string[], operator: string): string =>
    words.map((word) => `'${word}'`).join(` ${operator} `);
  const within = quoted(scope, '&');
  return tokens.length === 0 ? within : `(${quoted(tokens, mode === 'all' ? '&' : '|')}) & ${within}`;
}

function positionOf(index: number): number {
  return Math.min(index + 1, LAST_POSITION);
}
