import { resolve } from 'node:path';
import { type Log, locationOf, nameOf } from '@epitome/store';
import { isTranscriptError, type Session } from '@epitome/transcripts';
import { messageOf, UsageError } from '../errors.ts';
import { type FoundFile, findFiles } from '../import/files.ts';
import { type Imported, importSession, markFinished, readImportSettings } from '../import/sessions.ts';
import { sessionsIn } from '../input/open.ts';
import { openInput } from '../input/read.ts';
import { barOf, createStatus, NO_STATUS, type Status } from '../output/status.ts';
import { counted, plain } from '../output/text.ts';
import { writeOut } from '../output/write.ts';
import { type StoreOptions, withLog } from '../store-options.ts';

/** Options of `import`. */
export type ImportOptions = StoreOptions & {
  readonly json?: true;
  readonly quiet?: true;
  readonly again?: true;
};

type Sum = {
  files: number;
  /** Files that are in as they are, and those of a folder that hold no session. */
  unchanged: number;
  others: number;
  sessions: number;
  added: number;
  refused: { file: string; reason: string }[];
  /** What could not be read of files that were taken in; the first few of each. */
  faults: { file: string; place: string; reason: string }[];
  /** Records of types nobody here knows. */
  unknown: Record<string, number>;
};

/** Takes sessions into the store; run again, it takes in only what is new. Returns the exit code. */
export async function runImport(
  paths: readonly string[],
  options: ImportOptions,
  signal: AbortSignal,
): Promise<number> {
  const files = await findFiles(paths);
  if (files.length === 0) throw new UsageError(`There are no session files in ${paths.join(', ')}.`);
  const location = locationOf(options.store);
  const place = nameOf(location);
  const status = options.quiet ? NO_STATUS : createStatus(process.stderr);
  const sum: Sum = {
    files: files.length,
    unchanged: 0,
    others: 0,
    sessions: 0,
    added: 0,
    refused: [],
    faults: [],
    unknown: {},
  };
  await withLog({ location, tenant: options.tenant }, async (log) => {
    const known = options.again ? new Set<string>() : await importedFiles(log);
    for (const [index, file] of files.entries()) {
      signal.throwIfAborted();
      const progress = `${barOf(index, files.length)} ${index + 1} of ${files.length}:`;
      status.show(`${progress} ${file.path}`);
      if (known.has(keyOf(file))) sum.unchanged += 1;
      else await importFile(log, file, { sum, status, signal, progress, isNamed: paths.includes(file.path) });
    }
  });
  status.clear();
  if (!options.quiet) for (const note of notesOf(sum)) console.error(note);
  await writeOut(options.json ? `${JSON.stringify({ store: place, ...sum })}\n` : `${sentence(sum)} into ${place}\n`);
  return sum.refused.length > 0 && sum.sessions === 0 && sum.unchanged === 0 ? 2 : 0;
}

type Work = {
  readonly sum: Sum;
  readonly status: Status;
  readonly signal: AbortSignal;
  /** How far the import is, in front of what is under way. */
  readonly progress: string;
  readonly isNamed: boolean;
};

async function importFile(log: Log, file: FoundFile, { sum, status, signal, progress, isNamed }: Work): Promise<void> {
  const input = await openInput(file.path, signal);
  let number = 0;
  let last: Imported | undefined;
  try {
    for await (const session of sessionsIn(input)) {
      signal.throwIfAborted();
      number += 1;
      last = await importSession(log, session, { ...file, number });
      sum.sessions += 1;
      sum.added += last.added;
      noteUnread(sum, file.path, session);
      status.show(
        `${progress} ${counted(sum.sessions, 'session')}, ${counted(sum.added, 'new message')}: ${file.path}`,
      );
    }
    if (last !== undefined) await markFinished(log, last, file);
  } catch (cause) {
    if (!isTranscriptError(cause) && !(cause instanceof UsageError)) throw cause;
    // A folder holds other files too; one that was named should have been a session.
    if (isNamed || cause instanceof UsageError) sum.refused.push({ file: file.path, reason: messageOf(cause) });
    else sum.others += 1;
  }
}

/** Files that are in the store as they are now. */
async function importedFiles(log: Log): Promise<ReadonlySet<string>> {
  const conversations = await log.conversations();
  const settings = conversations.map(({ settings: text }) => readImportSettings(text));
  return new Set(settings.flatMap((found) => (found?.files ?? []).map(keyOf)));
}

function keyOf({ path, size, mtimeMs }: FoundFile): string {
  return `${resolve(path)}\0${size}\0${mtimeMs}`;
}

function noteUnread(sum: Sum, file: string, { faults, faultCount, unknown }: Session): void {
  for (const { place, reason } of faults.slice(0, MOST_FAULTS)) sum.faults.push({ file, place, reason });
  const more = faultCount - Math.min(faults.length, MOST_FAULTS);
  if (more > 0) sum.faults.push({ file, place: 'further on', reason: `${more} more faults` });
  for (const [type, count] of Object.entries(unknown)) sum.unknown[type] = (sum.unknown[type] ?? 0) + count;
}

const MOST_FAULTS = 5;

function notesOf({ refused, faults, unknown }: Sum): readonly string[] {
  const types = Object.entries(unknown).map(([type, count]) => `${plain(type)} ${count}`);
  return [
    ...refused.map(({ file, reason }) => `${file}: ${reason}`),
    ...faults.map(({ file, place, reason }) => `${file}: ${place}: ${reason}; passed over`),
    ...(types.length > 0 ? [`records of unknown types, passed over: ${types.join(', ')}`] : []),
  ];
}

function sentence({ files, unchanged, others, sessions, added, refused }: Sum): string {
  const rest = [
    ...(unchanged > 0 ? [`${unchanged} already in`] : []),
    ...(others > 0 ? [`${others} without a session`] : []),
    ...(refused.length > 0 ? [`${refused.length} refused`] : []),
  ];
  const taken = `${counted(sessions, 'session')} with ${counted(added, 'new message')} from ${counted(files, 'file')}`;
  return `${taken}${rest.length > 0 ? ` (${rest.join(', ')})` : ''}`;
}
