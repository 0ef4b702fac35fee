import { isStoreError, type StoreErrorCode } from '@epitome/store';
import { type Refusal, type Reply, refusalStatus } from '../model/call.ts';

const STATUSES: Readonly<Record<StoreErrorCode, Refusal['status']>> = {
  'bad-message': 400,
  'bad-import': 400,
  'bad-input': 400,
  'unknown-conversation': 404,
  'unknown-branch': 404,
  'unknown-message': 404,
  'unknown-record': 404,
  taken: 409,
  'cannot-restore': 409,
  'bound-reasoning': 409,
  'newer-schema': 503,
  locked: 503,
  'read-only': 507,
  full: 507,
  corrupt: 503,
  'unsafe-role': 503,
  unavailable: 503,
  'summarizer-failed': 503,
  closed: 503,
};

/** What the store could not do, as a refusal; `undefined` for what is no error of the store. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!isStoreError(error)) return undefined;
  const status = STATUSES[error.code] ?? 503;
  const { code, message } = error;
  return { status, code, message, ...(code === 'locked' || code === 'unavailable' ? { retryAfterSeconds: 1 } : {}) };
}

/** A refusal as an answer of the API. */
export function failureReply(refusal: Refusal): Reply {
  const { status, code, message, retryAfterSeconds } = refusal;
  const headers = {
    'x-epitome-status': refusalStatus(refusal),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  };
  return { status, headers, body: { error: { code, message } } };
}

/** There is nothing at that path, or it is somebody else's: the two are not told apart. */
export const NOT_FOUND: Refusal = { status: 404, code: 'not-found', message: 'There is nothing of that name here.' };
