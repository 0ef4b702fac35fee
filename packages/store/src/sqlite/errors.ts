import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../model/errors.ts';

const [BUSY, LOCKED, READ_ONLY, IO, CORRUPT, FULL, CANNOT_OPEN, NO_DATABASE] = [5, 6, 8, 10, 11, 13, 14, 26] as const;
const CONSTRAINT = 19;

// Where a step of a query fails, the prebuilt driver gives the words alone.
const WORDS: readonly (readonly [string, number])[] = [
  ['database is locked', BUSY],
  ['attempt to write a readonly database', READ_ONLY],
  ['disk I/O error', IO],
  ['database disk image is malformed', CORRUPT],
  ['database or disk is full', FULL],
  ['unable to open database file', CANNOT_OPEN],
  ['file is not a database', NO_DATABASE],
  ['constraint failed', CONSTRAINT],
];

/** SQLite's own number for what went wrong, without its details; undefined for other errors. */
export function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  return WORDS.find(([words]) => error.message.includes(words))?.[1];
}

/** Another connection holds what is needed; trying again may help. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === BUSY || code === LOCKED;
}

/** A key is there already. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === CONSTRAINT;
}

/** An error of the database as a sentence for people; other errors as they are. */
export function asStoreError(error: unknown, path: string): unknown {
  const { code, sentence } = explain(codeOf(error), path) ?? {};
  return code === undefined || sentence === undefined ? error : new StoreError(code, sentence, { cause: error });
}

type Explained = { readonly code: StoreError['code']; readonly sentence: string };

function explain(code: number | undefined, path: string): Explained | undefined {
  switch (code) {
    case BUSY:
    case LOCKED:
      return { code: 'locked', sentence: `${writerOf(path)} to ${path} and did not finish within 5 s; try again.` };
    case READ_ONLY:
      return readOnly(path);
    case FULL:
      return {
        code: 'full',
        sentence: `The disk is full: nothing was saved to ${path}; free some space and try again.`,
      };
    case IO:
      return { code: 'unavailable', sentence: `The disk failed while ${path} was in use; check it, then run doctor.` };
    case CORRUPT:
    case NO_DATABASE:
      return {
        code: 'corrupt',
        sentence: `${path} is damaged or no database; \`epitome doctor --salvage\` copies what is readable.`,
      };
    case CANNOT_OPEN:
      // On a disk that may only be read, even the files beside it that reading needs cannot be made.
      if (canOnlyBeRead(path)) return readOnly(path);
      return { code: 'unavailable', sentence: `${path} cannot be opened; check that the folder exists and is yours.` };
    default:
      return undefined;
  }
}

function readOnly(path: string): Explained {
  return { code: 'read-only', sentence: `${path} can only be read; let this user write it and its folder.` };
}

function canOnlyBeRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
  } catch {
    return false;
  }
  try {
    for (const needed of [path, dirname(path)]) accessSync(needed, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** Who writes, where the system tells it: Linux lists the locks of a file with their processes. */
function writerOf(path: string): string {
  try {
    const { ino } = statSync(`${path}-shm`);
    const lines = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .map((line) => line.split(/\s+/));
    const lock = lines.find((fields) => fields[3] === 'WRITE' && fields[5]?.endsWith(`:${ino}`));
    const pid = Number(lock?.[4]);
    return pid > 0 && pid !== process.pid ? `Another process (pid ${pid}) is writing` : 'Another process is writing';
  } catch {
    return 'Another process is writing';
  }
}
