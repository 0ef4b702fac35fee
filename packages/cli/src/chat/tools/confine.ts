import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { systemCode } from '../../errors.ts';

/** A path inside the folder, links followed; throws a sentence for the model where it leads out of it or nowhere. */
export async function within(folder: string, path: string): Promise<string> {
  if (path.includes('\0')) throw new Error('The path holds a NUL character.');
  const asked = resolve(folder, path === '' ? '.' : path);
  let real: string;
  try {
    real = await realpath(asked);
  } catch (cause) {
    // What is outside must not show whether it exists.
    if (!isInside(folder, asked)) throw outside(path);
    if (systemCode(cause) === 'ENOENT') throw new Error(`There is no ${JSON.stringify(path)}.`);
    throw new Error(`${JSON.stringify(path)} cannot be read (${systemCode(cause) ?? 'unknown error'}).`);
  }
  if (!isInside(folder, real)) throw outside(path);
  return real;
}

function outside(path: string): Error {
  return new Error(`${JSON.stringify(path)} is outside the working directory; only what is inside can be read.`);
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
