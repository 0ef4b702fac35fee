import { open } from 'node:fs/promises';
import { firstPrompt, isTranscriptError, readSessions, SOURCE_NAMES, type SourceName } from '@epitome/transcripts';
import { UsageError } from '../errors.ts';
import { type FoundFile, filesBelow, filesIn } from '../import/files.ts';
import { withStorage } from '../input/stored.ts';
import { positive } from '../options.ts';
import { columns, fitColumns, plain } from '../output/text.ts';
import { writeOut } from '../output/write.ts';
import { type Place, usualPlaces } from '../places.ts';

/** Options of `sessions`. */
export type SessionsOptions = { readonly json?: true; readonly limit?: string; readonly agent?: string };

type Listed = FoundFile & { readonly source: SourceName; readonly title?: string; readonly cwd?: string };

/** Lists the sessions in the usual places of this machine's agents, newest first. Returns the exit code. */
export async function runSessions(options: SessionsOptions, signal: AbortSignal): Promise<number> {
  const { agent } = options;
  if (agent !== undefined && !SOURCE_NAMES.some((name) => name === agent)) {
    throw new UsageError(`There is no agent ${JSON.stringify(agent)}; there are ${SOURCE_NAMES.join(', ')}.`);
  }
  const limit = options.limit === undefined ? 20 : Math.ceil(positive('--limit', options.limit));
  const places = usualPlaces(process.env).filter(({ source }) => agent === undefined || source === agent);
  const all = await findSessions(places);
  const shown: Listed[] = [];
  for (const session of all.slice(0, limit)) {
    signal.throwIfAborted();
    shown.push({ ...session, ...(await headOf(session)) });
  }
  if (options.json) await writeOut(`${JSON.stringify({ sessions: shown, found: all.length })}\n`);
  else await writeOut(`${linesOf(shown, all.length, places).join('\n')}\n`);
  return 0;
}

/** The sessions in some places, newest first. */
export async function findSessions(places: readonly Place[] = usualPlaces(process.env)): Promise<readonly Listed[]> {
  const all = (await Promise.all(places.map(listed))).flat();
  return all.sort((one, other) => other.mtimeMs - one.mtimeMs);
}

async function listed({ source, folder, pattern, isFlat }: Place): Promise<readonly Listed[]> {
  const files = await (isFlat ? filesIn(folder, pattern) : filesBelow(folder, pattern));
  return files.map((file) => ({ ...file, source }));
}

// The first prompt stands near the start; a whole session may have a hundred megabytes.
const HEAD_BYTES = 256 * 1024;

type Head = Pick<Listed, 'title' | 'cwd'>;

async function headOf(file: Listed): Promise<Head> {
  const stored = await withStorage(file.path, async ({ entries }) => entries).catch(() => []);
  if (stored === undefined) return beginOf(file);
  const { title = 'untitled', cwd } = stored.at(-1) ?? {};
  const words = stored.length === 1 ? title : `${stored.length} sessions, the newest: ${title}`;
  return { title: words, ...(cwd === undefined ? {} : { cwd }) };
}

/** Title, folder and the like from the beginning of a file. */
async function beginOf({ path, size }: Listed): Promise<Head> {
  const handle = await open(path).catch(() => undefined);
  if (handle === undefined) return {};
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, HEAD_BYTES)));
    for await (const session of readSessions([buffer.subarray(0, bytesRead)])) {
      const title = session.title ?? firstPrompt(session);
      return { ...(title === undefined ? {} : { title }), ...(session.cwd === undefined ? {} : { cwd: session.cwd }) };
    }
    return {};
  } catch (cause) {
    if (isTranscriptError(cause)) return {};
    throw cause;
  } finally {
    await handle.close();
  }
}

function linesOf(shown: readonly Listed[], found: number, places: readonly Place[]): readonly string[] {
  if (found === 0)
    return ['No sessions found. Looked in:', ...places.map(({ source, folder }) => `  ${source}  ${folder}`)];
  const width = columns();
  const rows = shown.flatMap(({ path, size, mtimeMs, source, title, cwd }) => {
    const when = new Date(mtimeMs).toISOString().slice(0, 16).replace('T', ' ');
    const head = `${when}  ${source.padEnd(11)}  ${sizeOf(size).padStart(7)}  ${title === undefined ? '' : plain(title)}`;
    return [fitColumns(head, width), `    ${path}${cwd === undefined ? '' : `  (${plain(cwd)})`}`];
  });
  return found > shown.length ? [...rows, `${found - shown.length} more; --limit shows them`] : rows;
}

function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
