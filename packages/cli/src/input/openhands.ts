import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { firstPrompt, type OpenhandsEvent, readOpenhands, type Session } from '@epitome/transcripts';
import { isObject, type JsonObject } from './json.ts';
import type { Storage } from './storage.ts';

/** Files that stand for a session of OpenHands, whose events lie in a folder beside them, one file each. */
export const OPENHANDS_FILES: readonly string[] = ['base_state.json', 'metadata.json'];

/** The session that such a file stands for; `undefined` where no events lie beside it. */
export async function openhandsStorage(path: string): Promise<Storage | undefined> {
  if (!OPENHANDS_FILES.includes(basename(path))) return undefined;
  const folder = join(dirname(path), 'events');
  const names = await eventNames(folder);
  if (names.length === 0) return undefined;
  const details = await detailsOf(path);
  const read = (some: readonly string[]): Promise<Session | undefined> =>
    readOpenhands(details, eventsIn(folder, some));
  const beginning = await read(names.slice(0, FIRST_EVENTS));
  const title = details.title ?? (beginning === undefined ? undefined : firstPrompt(beginning));
  const entry = { source: 'openhands', ...details, ...(title === undefined ? {} : { title }) } as const;
  return { entries: [entry], read: () => read(names) };
}

// The first prompt comes behind the system prompt and the state of the program.
const FIRST_EVENTS = 8;

/** Names of event files in the order of their numbers. */
async function eventNames(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => EVENT.test(name));
  const numberOf = (name: string): number => Number(EVENT.exec(name)?.[1]);
  return names.sort((one, other) => numberOf(one) - numberOf(other));
}

const EVENT = /^(?:event-)?(\d+)\b.*\.json$/;

async function* eventsIn(folder: string, names: readonly string[]): AsyncGenerator<OpenhandsEvent> {
  for (const name of names) yield { id: basename(name, '.json'), text: await readFile(join(folder, name), 'utf8') };
}

type Known = { readonly id: string; readonly title?: string; readonly cwd?: string; readonly model?: string };

/** What the file itself says; a broken one says nothing, and the events are there all the same. */
async function detailsOf(path: string): Promise<Known> {
  const value = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  const known = isObject(value) ? value : {};
  const texts = {
    title: known['title'],
    cwd: within(known, 'workspace')['working_dir'],
    model: known['llm_model'] ?? within(within(known, 'agent'), 'llm')['model'],
  };
  const told = Object.entries(texts).filter(([, text]) => typeof text === 'string' && text !== '');
  return { id: basename(dirname(path)), ...Object.fromEntries(told) };
}

function within(value: JsonObject, key: string): JsonObject {
  const inner = value[key];
  return isObject(inner) ? inner : {};
}
