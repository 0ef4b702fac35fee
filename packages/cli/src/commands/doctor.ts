import { existsSync } from 'node:fs';
import { locationOf } from '@epitome/store';
import { type Diagnosis, diagnoseFile, type Salvage, salvageFile } from '@epitome/store/sqlite';
import { UsageError } from '../errors.ts';
import { counted, plain } from '../output/text.ts';
import { writeOut } from '../output/write.ts';

/** Options of `doctor`. */
export type DoctorOptions = { readonly salvage?: string; readonly json?: true };

/** Looks through the file of a store, or copies what is readable of it. Returns the exit code. */
export async function runDoctor(file: string | undefined, { salvage, json }: DoctorOptions): Promise<number> {
  const location = locationOf(file);
  if (location.kind === 'postgres') {
    throw new UsageError('doctor looks at SQLite files; a PostgreSQL server has pg_amcheck and its backups.');
  }
  if (!existsSync(location.path)) throw new UsageError(`There is no file ${location.path}.`);
  if (salvage === undefined) {
    const diagnosis = await diagnoseFile(location.path);
    await writeOut(json ? `${JSON.stringify(diagnosis)}\n` : lines(diagnosisOf(diagnosis)));
    return diagnosis.problems.length === 0 ? 0 : 3;
  }
  if (existsSync(salvage)) throw new UsageError(`${salvage} is there already; name a file that is not.`);
  const saved = await salvageFile(location.path, salvage);
  await writeOut(json ? `${JSON.stringify({ path: salvage, ...saved })}\n` : lines(salvageOf(saved, salvage)));
  return 0;
}

function diagnosisOf({ path, bytes, messages, problems }: Diagnosis): readonly string[] {
  const title = `${path}: ${counted(bytes, 'byte')}${messages === undefined ? '' : `, ${counted(messages, 'message')}`}`;
  if (problems.length === 0)
    return [title, 'No problem found: pages, payloads, messages and records are what was stored.'];
  const next = `epitome doctor ${JSON.stringify(path)} --salvage NEW-FILE copies what is readable.`;
  return [title, `${counted(problems.length, 'problem')}:`, ...listed(problems), next];
}

function salvageOf({ messages, conversations, records, lost }: Salvage, target: string): readonly string[] {
  const found = [counted(messages, 'message'), counted(conversations, 'conversation'), counted(records, 'record')];
  const title = `${target}: ${found.join(', ')}`;
  return lost.length === 0 ? [title, 'Nothing was lost.'] : [title, 'Lost, or not what was stored:', ...listed(lost)];
}

// A damaged page may take thousands of messages with it.
const MOST = 20;

function listed(sentences: readonly string[]): readonly string[] {
  const more = sentences.length - MOST;
  const shown = sentences.slice(0, MOST).map((sentence) => `  ${plain(sentence)}`);
  return more > 0 ? [...shown, `  and ${more.toLocaleString('en')} more`] : shown;
}

function lines(texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}
