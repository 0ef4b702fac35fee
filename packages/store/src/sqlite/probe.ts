import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StoreError } from '../model/errors.ts';

/** Looks whether the file that is open is still the one of that name: the system lets go of neither when it is deleted. */
export function probeOf(path: string): () => void {
  // The process may go to another folder.
  const place = resolve(path);
  const opened = identityOf(place);
  return () => {
    if (identityOf(place) === opened) return;
    const what = `${path} was deleted or replaced while it was open, and what is stored now will be lost`;
    throw new StoreError('unavailable', `${what}; put the file back and start again.`);
  };
}

function identityOf(place: string): string {
  const found = statSync(place, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev} ${found.ino}`;
}
