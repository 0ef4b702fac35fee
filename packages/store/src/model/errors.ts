/** Everything `StoreError` can mean. */
export type StoreErrorCode =
  | 'bad-message'
  | 'bad-import'
  | 'bad-input'
  | 'unknown-conversation'
  | 'unknown-branch'
  | 'unknown-message'
  | 'unknown-record'
  | 'taken'
  | 'cannot-restore'
  | 'bound-reasoning'
  | 'newer-schema'
  | 'locked'
  | 'read-only'
  | 'full'
  | 'corrupt'
  | 'unsafe-role'
  | 'unavailable'
  | 'summarizer-failed'
  | 'closed';

const marker = Symbol.for('epitome.StoreError');

/** Thrown by every store; says what was found, where, and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }
}

/** True for a `StoreError` of any copy of this package (`instanceof` fails across copies). */
export function isStoreError(value: unknown): value is StoreError {
  return typeof value === 'object' && value !== null && marker in value;
}

/** What a store that was closed answers. */
export function storeClosed(): StoreError {
  return new StoreError('closed', 'The store is closed; open it again.');
}

/** A record that is there already, and ended. */
export function recordTaken(id: string): StoreError {
  return new StoreError(
    'taken',
    `There is a record ${JSON.stringify(id)} already; records are appended, never changed.`,
  );
}
