import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { systemCode, UsageError } from '../errors.ts';

/** A lock that is held. */
export type Held = {
  /** Whether nobody has taken it for abandoned. */
  readonly isMine: () => Promise<boolean>;
  readonly release: () => Promise<void>;
};

// Settings are written in milliseconds: who holds the lock longer than this is dead.
const ABANDONED_MS = 10_000;
const PATIENCE_MS = 15_000;
const PAUSE_MS = 15;

/** Waits for the lock beside a file and takes it. One that was left behind by a crash is taken over. */
export async function takeLock(file: string): Promise<Held> {
  const lock = `${file}.lock`;
  const token = `${process.pid} ${randomUUID()}`;
  const until = Date.now() + PATIENCE_MS;
  while (!(await tryToTake(lock, token))) {
    if (Date.now() > until) {
      throw new UsageError(`${file} is being written by another process; if there is none, delete ${lock}.`);
    }
    await dropAbandoned(lock);
    await pause(PAUSE_MS * (0.5 + Math.random()));
  }
  const isMine = async (): Promise<boolean> => (await contentOf(lock)) === token;
  return {
    isMine,
    release: async () => {
      if (await isMine()) await unlink(lock).catch(() => undefined);
    },
  };
}

/** Made beside it and linked into place, so that nobody ever sees a lock without its holder's token. */
async function tryToTake(lock: string, token: string): Promise<boolean> {
  const own = `${lock}.${token.slice(-12)}`;
  const handle = await open(own, 'wx', 0o600);
  try {
    await handle.writeFile(token);
    await handle.close();
    await link(own, lock);
    return true;
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') return false;
    throw cause;
  } finally {
    await unlink(own).catch(() => undefined);
  }
}

/** Moves an abandoned lock out of the way; of several who try, one succeeds, and a lock that is none goes back. */
async function dropAbandoned(lock: string): Promise<void> {
  const token = await contentOf(lock);
  if (token === undefined || !(await isAbandoned(lock, token))) return;
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
    if ((await contentOf(aside)) !== token) await link(aside, lock).catch(() => undefined);
    await unlink(aside);
  } catch (cause) {
    if (systemCode(cause) !== 'ENOENT') throw cause;
  }
}

async function isAbandoned(lock: string, token: string): Promise<boolean> {
  if (!isAlive(Number.parseInt(token, 10))) return true;
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > ABANDONED_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return systemCode(cause) === 'EPERM';
  }
}

async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}
