/** Why a file cannot be read as a transcript. */
export type TranscriptErrorCode = 'unknown-format' | 'not-text' | 'empty';

/** A file that holds no transcript we know; the message says what was found and what is read. */
export class TranscriptError extends Error {
  override readonly name = 'TranscriptError';
  readonly code: TranscriptErrorCode;

  constructor(code: TranscriptErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** True for a `TranscriptError`, of another copy of this package too. */
export function isTranscriptError(value: unknown): value is TranscriptError {
  return value instanceof Error && value.name === 'TranscriptError';
}
