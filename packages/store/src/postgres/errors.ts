import { DatabaseError } from 'pg';
import { StoreError, type StoreErrorCode } from '../model/errors.ts';

const [SERIALIZATION, DEADLOCK, UNIQUE] = ['40001', '40P01', '23505'];

/** Another transaction was faster; doing it again is safe. */
export function isRace(error: unknown): boolean {
  const code = codeOf(error);
  return error instanceof DatabaseError && (code === SERIALIZATION || code === DEADLOCK || code === UNIQUE);
}

const SENTENCES: Readonly<Record<string, readonly [StoreErrorCode, string]>> = {
  '53100': ['full', 'The disk of the PostgreSQL server is full: nothing was saved; free some space and try again.'],
  '53300': ['unavailable', 'The PostgreSQL server takes no more connections; lower `max`, or raise max_connections.'],
  '25006': ['read-only', 'This PostgreSQL server can only be read; connect to the primary.'],
  '55P03': ['locked', 'Another process held the branch for more than 5 s; try again.'],
  '57014': ['locked', 'The PostgreSQL server cancelled a statement that took too long; try again.'],
  '28P01': ['unavailable', 'The PostgreSQL server refused the password; check the connection string.'],
  '28000': ['unavailable', 'The PostgreSQL server refused this role; check the connection string and pg_hba.conf.'],
  '3D000': ['unavailable', 'There is no such database on the PostgreSQL server; create it first.'],
  '42501': [
    'unavailable',
    'This role may not do that; let the owner of the schema `epitome` migrate it and grant access.',
  ],
  XX001: ['corrupt', 'The PostgreSQL server found damaged data; restore it from a backup.'],
  XX002: ['corrupt', 'The PostgreSQL server found a damaged index; run REINDEX on the schema `epitome`.'],
};
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  '57P01',
  '57P03',
]);

/** The server or the way to it is gone; what was not committed is not kept. */
export function isLost(error: unknown): boolean {
  if (NETWORK.has(codeOf(error) ?? '')) return true;
  const isOurs = error instanceof StoreError || error instanceof DatabaseError;
  return error instanceof Error && !isOurs && /connection|not queryable/i.test(error.message);
}

/** The connection broke at the very moment when it mattered. */
export function unknownEnd(cause: unknown): StoreError {
  const why = 'The connection to PostgreSQL was lost while saving: it is not known whether it was saved.';
  return new StoreError('unavailable', `${why} Read the branch, or append again with \`after\`.`, { cause });
}

/** An error of the database as a sentence for people; other errors as they are. Never holds a password. */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const [kind, sentence] = SENTENCES[codeOf(error) ?? ''] ?? [];
  if (kind !== undefined && sentence !== undefined) return new StoreError(kind, sentence, { cause: error });
  if (!isLost(error)) return error;
  return new StoreError('unavailable', 'The PostgreSQL server does not answer; check that it runs, and try again.', {
    cause: error,
  });
}

/** PostgreSQL's own code, or that of the network. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
