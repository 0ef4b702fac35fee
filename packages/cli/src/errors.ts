/** Something the user can put right: the message says what was found and what to do. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The text of anything thrown. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** The code of a system error, such as `ENOENT`. */
export function systemCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}

/** The exit code where a full disk kept something from being saved: the one of sysexits for a failed write. */
export const NOT_SAVED = 74;
