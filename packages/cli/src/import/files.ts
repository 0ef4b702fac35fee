import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode, UsageError } from '../errors.ts';
import { OPENHANDS_FILES } from '../input/openhands.ts';

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

// Messages and parts of opencode and events of OpenHands lie in folders of their own, one file each: the file of their
// session stands for them.
const SESSION =
  /^(?!(?:.*\/)?(?:(?:message\/ses_|part\/msg_)[^/]*\/|event(?:s|_cache)\/(?:event-)?\d)).*(?:\.(?:jsonl|json|md|traj)|(?:^|\/)(?:opencode[\w.-]*|\.forge)\.db)$/;

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

/** A file as it is now, with what lies beside it and tells of changes that it does not show itself. */
async function foundAt(path: string): Promise<FoundFile> {
  const own = await stat(path);
  const beside = await besideOf(path);
  const mtimeMs = Math.round(Math.max(own.mtimeMs, beside?.mtimeMs ?? 0));
  return { path, size: own.size + (beside?.size ?? 0), mtimeMs };
}

/** What a database was told last is in its log; what happened in a session of OpenHands is in a folder. */
async function besideOf(path: string): Promise<Stats | undefined> {
  const isSession = OPENHANDS_FILES.includes(basename(path));
  if (!isSession && !path.endsWith('.db')) return undefined;
  return stat(isSession ? join(dirname(path), 'events') : `${path}-wal`).catch(() => undefined);
}
