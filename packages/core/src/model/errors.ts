/** Everything `CompactionError` can mean; all are misuse by the caller, never a fault of data or model. */
export type CompactionErrorCode =
  | 'unknown-preset'
  | 'unknown-option'
  | 'option-out-of-range'
  | 'missing-window'
  | 'unknown-format'
  | 'bad-input'
  | 'unknown-record'
  | 'bound-reasoning';

const marker = Symbol.for('epitome.CompactionError');

/** Thrown for misuse only; says what was found and what to do. */
export class CompactionError extends Error {
  override readonly name = 'CompactionError';
  readonly code: CompactionErrorCode;

  constructor(code: CompactionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }
}

/** A value as an error names it; never throws, whatever the value. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** True for a `CompactionError` of any copy of this package (`instanceof` fails across copies). */
export function isCompactionError(value: unknown): value is CompactionError {
  return typeof value === 'object' && value !== null && marker in value;
}
