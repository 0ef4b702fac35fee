import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import type { Appended, Log } from '@epitome/store';
import { type Placed, placedOf, type Session } from '@epitome/transcripts';
import { UsageError } from '../errors.ts';
import { writeJson } from '../input/json.ts';
import type { FoundFile } from './files.ts';

/** What is kept with an imported conversation. */
export type ImportSettings = {
  readonly source: string;
  readonly session?: string;
  readonly title?: string;
  readonly cwd?: string;
  readonly models: readonly string[];
  readonly startedAt?: number;
  /** Files that are in as they were then: a session's own, and those of its subagents. */
  readonly files: readonly FoundFile[];
};

/** What importing one session did. */
export type Imported = {
  readonly conversation: string;
  readonly added: number;
  readonly settings: ImportSettings;
};

/** Writes a session with all its branches. What is there already is not written again. */
export async function importSession(
  log: Log,
  session: Session,
  from: FoundFile & { number: number },
): Promise<Imported> {
  const conversation = conversationId(session, from);
  const known = await log.conversation(conversation);
  if (known === undefined) await log.create({ id: conversation, format: session.format });
  else if (known.format !== session.format) {
    throw new UsageError(`conversation ${conversation} is there in the format ${known.format}, not ${session.format}`);
  }
  let added = 0;
  let first: Written = { placed: [], ids: [] };
  for (const [index, branch] of session.branches.entries()) {
    const placed = placedOf(session, { branch });
    const shared = sharedWith(session, first.placed, placed);
    const natives = placed.slice(shared).map(({ native }) => writeJson(native));
    if (natives.length === 0) continue;
    // As one who sends a history again: known messages are found, others become a branch.
    const appended = await log.append({ conversation, after: first.ids[shared - 1] ?? null }, natives);
    added += appended.added;
    if (index > 0) continue;
    first = { placed, ids: appended.ids };
    if (branch.side === undefined) await followMain(log, conversation, appended);
  }
  const settings = settingsOf(session, from.path, readImportSettings(known?.settings));
  await log.setSettings(conversation, JSON.stringify(settings));
  return { conversation, added, settings };
}

/** The messages of a branch that is in, and their ids in the store. */
type Written = { readonly placed: readonly Placed[]; readonly ids: readonly string[] };

/** How many messages two branches begin with alike. Those of a step may be joined with others of it further on. */
function sharedWith({ entries }: Session, one: readonly Placed[], other: readonly Placed[]): number {
  let count = 0;
  while (count < one.length && one[count]?.entry === other[count]?.entry) count += 1;
  while (count > 0 && entries[one[count - 1]?.entry ?? -1]?.step !== undefined) count -= 1;
  return count;
}

/**
 * The main branch of the store follows the agent's own: an answer that was cut when it was read first, or a turn taken
 * back since, leaves the old one beside it. What only repeats the beginning of the main branch moves nothing.
 */
async function followMain(log: Log, conversation: string, { branch, tip }: Appended): Promise<void> {
  if (branch === MAIN || tip === undefined) return;
  const main = await log.messages({ conversation, branch: MAIN });
  if (!main.some(({ id }) => id === tip)) await log.promote({ conversation, branch });
}

const MAIN = 'main';

/** Notes that a file is in as it is now, with the last of its sessions. */
export async function markFinished(log: Log, last: Imported, { path, size, mtimeMs }: FoundFile): Promise<void> {
  const { conversation, settings } = last;
  const files = [...settings.files, { path: resolve(path), size, mtimeMs }];
  await log.setSettings(conversation, JSON.stringify({ ...settings, files }));
}

/** The settings of a conversation that was imported; `undefined` for any other. */
export function readImportSettings(text: string | undefined): ImportSettings | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'files' in value && Array.isArray(value.files)
      ? (value as ImportSettings)
      : undefined;
  } catch {
    return undefined;
  }
}

// Long and of letters and digits both: no other session has it. Any other id is one within its file only.
const GLOBAL_ID = /^(?=.*\d)(?=.*[a-z])[\w-]{20,}$/i;

function conversationId({ source, id }: Session, { path, number }: FoundFile & { number: number }): string {
  const own = id ?? `${basename(path)}#${number}`;
  const name = GLOBAL_ID.test(own)
    ? own
    : `${own}@${createHash('sha256').update(resolve(path)).digest('hex').slice(0, 8)}`;
  // The store takes no control characters in an id, and a file may hold anything.
  return `${source}/${name.replace(/[\p{Cc}\p{Cs}]/gu, '_')}`.slice(0, 200);
}

/** What is told of a session. Its file is not among those that are in: that is said when all of it is. */
function settingsOf(session: Session, path: string, known: ImportSettings | undefined): ImportSettings {
  const files = (known?.files ?? []).filter((file) => file.path !== resolve(path));
  // A subagent's file has the id of the session it worked for, and tells less of it.
  if (known !== undefined && session.branches.every(({ side }) => side !== undefined)) return { ...known, files };
  const { source, id, title, cwd, models, startedAt } = session;
  return {
    source,
    ...(id === undefined ? {} : { session: id }),
    ...(title === undefined ? {} : { title }),
    ...(cwd === undefined ? {} : { cwd }),
    models,
    ...(startedAt === undefined ? {} : { startedAt }),
    files,
  };
}
