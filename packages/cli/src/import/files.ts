import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode, UsageError } from '../errors.ts';

/** A file with what tells whether it has changed. */
export type FoundFile = { readonly path: string; readonly size: number; readonly mtimeMs: number };

/** Files named, and those in folders named, whose names could be sessions; in order of their names. */
export async function findFiles(paths: readonly string[]): Promise<readonly FoundFile[]> {
  const lists = await Promise.all(paths.map(filesAt));
  return lists.flat();
}

/** Files below a folder that match; nothing where the folder is not there or may not be read. */
export async function filesBelow(folder: string, pattern: RegExp): Promise<readonly FoundFile[]> {
  return matching(folder, await namesBelow(folder, ''), pattern);
}

/** Names of all files below a folder. Links to folders are not followed: one may lead back to where it stands. */
async function namesBelow(folder: string, within: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, within), { withFileTypes: true }).catch(() => []);
  const names = entries.map(async (entry) => {
    const name = join(within, entry.name);
    return entry.isDirectory() ? namesBelow(folder, name) : [name];
  });
  return (await Promise.all(names)).flat();
}

/** Files right in a folder that match. */
export async function filesIn(folder: string, pattern: RegExp): Promise<readonly FoundFile[]> {
  return matching(folder, await readdir(folder).catch(() => []), pattern);
}

async function matching(folder: string, names: readonly string[], pattern: RegExp): Promise<readonly FoundFile[]> {
  const wanted = names.filter((name) => pattern.test(name.replaceAll('\\', '/'))).sort();
  const found = await Promise.all(wanted.map((name) => fileAt(join(folder, name)).catch(() => undefined)));
  return found.filter((file) => file !== undefined);
}

// Messages and parts of opencode lie in folders of their own, one file each: their session's file stands for them.
const SESSION =
  /^(?!(?:.*\/)?(?:message\/ses_|part\/msg_)[^/]*\/).*(?:\.(?:jsonl|json|md|traj)|(?:^|\/)(?:opencode[\w.-]*|\.forge)\.db)$/;

async function filesAt(path: string): Promise<readonly FoundFile[]> {
  try {
    if ((await stat(path)).isDirectory()) return await filesBelow(path, SESSION);
    return [await foundAt(path)];
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') throw new UsageError(`There is no file or folder ${path}.`);
    throw cause;
  }
}

async function fileAt(path: string): Promise<FoundFile | undefined> {
  return (await stat(path)).isFile() ? foundAt(path) : undefined;
}

/** A file as it is now. What a database was told last is in its log beside it, and the file itself is as it was. */
async function foundAt(path: string): Promise<FoundFile> {
  const own = await stat(path);
  const log = path.endsWith('.db') ? await stat(`${path}-wal`).catch(() => undefined) : undefined;
  const mtimeMs = Math.round(Math.max(own.mtimeMs, log?.mtimeMs ?? 0));
  return { path, size: own.size + (log?.size ?? 0), mtimeMs };
}
