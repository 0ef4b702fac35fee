/** Something the user can put right: the message says what was found and what to do. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was asked for is right, but there is no room to write it. Ends with exit code 74. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
}

/** Whether a write failed for want of room: on the disk, or in somebody's share of it. */
export function isDiskFull(cause: unknown): boolean {
  const code = systemCode(cause);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Why a file cannot be read or written, in words. */
export function whyNot(cause: unknown): string {
  return SYSTEM_WORDS.get(systemCode(cause) ?? '') ?? messageOf(cause);
}

const SYSTEM_WORDS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EISDIR', 'it is a directory'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk is full'],
]);

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
