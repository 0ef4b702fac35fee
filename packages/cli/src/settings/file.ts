import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, systemCode, UsageError } from '../errors.ts';
import { takeLock } from './lock.ts';

// Settings are a page of text; what is larger is no settings file.
const MOST_BYTES = 1_000_000;

/** The text of a settings file; empty where there is none. */
export async function readSettingsText(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES) throw new UsageError(`${file} has ${size} bytes; settings have at most ${MOST_BYTES}.`);
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = systemCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return '';
    throw code === undefined ? cause : new UsageError(`${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** A mark that changes with the file. */
export async function markOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'none';
  }
}

/**
 * Changes a settings file: what is there is read again behind a lock, so that two who change it at once lose neither's
 * change, and the new text takes the old one's place whole or not at all.
 */
export async function changeFile(file: string, change: (text: string) => string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // Many keep their settings elsewhere and link to them.
    const target = await realpath(file).catch(() => file);
    while (!(await changeOnce(target, change)));
  } catch (cause) {
    if (systemCode(cause) === undefined) throw cause;
    throw new UsageError(`${file} cannot be written: ${messageOf(cause)}`, { cause });
  }
}

/** False where the lock was lost on the way: then nothing was written. */
async function changeOnce(file: string, change: (text: string) => string): Promise<boolean> {
  const held = await takeLock(file);
  try {
    const before = await readSettingsText(file);
    const after = change(before);
    return before === after || (await replace(file, after, held.isMine));
  } finally {
    await held.release();
  }
}

async function replace(file: string, text: string, isMine: () => Promise<boolean>): Promise<boolean> {
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  );
  const temporary = `${file}.${randomUUID()}.tmp`;
  const handle = await open(temporary, 'wx', mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    if (!(await isMine())) return false;
    await rename(temporary, file);
    await syncFolder(dirname(file));
    return true;
  } finally {
    await handle.close().catch(() => undefined);
    await unlink(temporary).catch(() => undefined);
  }
}

/** The new name is on the disk, too. Windows cannot open folders, and need not. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // What counts is in place; only a power cut in this second could undo it.
  }
}
