import { randomBytes } from 'node:crypto';
import { access, constants, open, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DiskFullError, isDiskFull, systemCode, UsageError, whyNot } from '../errors.ts';

/** Writes to standard output and waits until it is out. */
export async function writeOut(content: string | Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(content, (cause) => (cause ? reject(cause) : resolve()));
  });
}

/** Fails where a file could not be written, before anything was spent on what goes into it. */
export async function checkWritable(file: string): Promise<void> {
  try {
    const { path, isSpecial } = await targetOf(file);
    await access(isSpecial ? path : dirname(path), constants.W_OK);
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

/** Whether two names are of one file: they may go through links, and it need not be there yet. A device takes both. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map(placeOf));
  const found = await stat(one).catch(() => undefined);
  return first === second && (found === undefined || found.isFile());
}

async function placeOf(file: string): Promise<string> {
  const whole = resolve(file);
  const found = await realpath(whole).catch(() => undefined);
  return found ?? join(await realpath(dirname(whole)).catch(() => dirname(whole)), basename(whole));
}

/** Writes a file whole or not at all: beside it first, then into its place. */
export async function writeWhole(file: string, content: string | Buffer): Promise<void> {
  try {
    const target = await targetOf(file);
    // A pipe or device cannot be replaced, and must not be.
    if (target.isSpecial) await writeFile(target.path, content);
    else await replace(target, content);
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

function unwritable(file: string, cause: unknown): unknown {
  if (systemCode(cause) === 'ENOENT') return new UsageError(`${file} cannot be written: there is no such directory.`);
  if (systemCode(cause) === undefined) return cause;
  const sentence = `${file} cannot be written: ${whyNot(cause)}.`;
  return isDiskFull(cause) ? new DiskFullError(sentence, { cause }) : new UsageError(sentence, { cause });
}

type Target = { readonly path: string; readonly mode: number; readonly isSpecial: boolean };

async function targetOf(file: string): Promise<Target> {
  try {
    const path = await realpath(file);
    const found = await stat(path);
    if (found.isDirectory()) throw new UsageError(`${file} is a directory; name a file in it.`);
    return { path, mode: found.mode & 0o777, isSpecial: !found.isFile() };
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return { path: file, mode: 0o666, isSpecial: false };
    throw cause;
  }
}

async function replace({ path, mode }: Target, content: string | Buffer): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.tmp`);
  const handle = await open(temporary, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
    await handle.close();
    await rename(temporary, path);
  } catch (cause) {
    await handle.close().catch(() => undefined);
    await unlink(temporary).catch(() => undefined);
    throw cause;
  }
}
