import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import { StoreError } from '../model/errors.ts';

/** What the files of one database end with. */
export const SUFFIXES = ['', '-wal', '-shm'] as const;

/** Copies a file with what is not yet written back to it. The copy can be written, whatever holds for the file. */
export function copyFile(path: string, copy: string): void {
  try {
    for (const suffix of ['', '-wal']) {
      if (!existsSync(`${path}${suffix}`)) continue;
      copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
      chmodSync(`${copy}${suffix}`, 0o600);
    }
  } catch (cause) {
    const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
    throw isFull
      ? new StoreError('full', `The disk is full: ${path} could not be copied; free some space and try again.`, {
          cause,
        })
      : new StoreError(
          'unavailable',
          `${path} could not be copied to ${copy}: it cannot be read, or that not written.`,
          {
            cause,
          },
        );
  }
}
