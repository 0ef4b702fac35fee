import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chainedId } from '../log/chain.ts';
import { isStoreError, StoreError } from '../model/errors.ts';
import { decodeText } from '../text/bytes.ts';
import { type Database, openDatabase } from './driver.ts';
import { asStoreError, codeOf } from './errors.ts';
import { checkedVersion } from './open.ts';
import { sqliteRows } from './rows.ts';
import { statementsOf } from './statements.ts';

/** What a look at a file found. */
export type Diagnosis = {
  readonly path: string;
  readonly bytes: number;
  readonly messages: number;
  /** Empty where all is well. Each says what is wrong, and where; `salvageFile` copies what is readable. */
  readonly problems: readonly string[];
};

/** Looks through a whole file: its pages, every payload by its hash, every message by the hash chain. Changes nothing. */
export async function diagnoseFile(path: string): Promise<Diagnosis> {
  if (!existsSync(path)) throw new StoreError('unavailable', `There is no file ${path}.`);
  const problems: string[] = [];
  const bytes = statSync(path).size;
  let messages = 0;
  let database: Database | undefined;
  try {
    database = openDatabase(path, { readOnly: true });
    checkedVersion(database, path);
    problems.push(...damagedPages(database), ...damagedPayloads(database));
    messages = countOf(database);
    problems.push(...(await brokenChains(database)));
  } catch (error) {
    const known = asStoreError(error, path);
    if (!isStoreError(known) && codeOf(known) === undefined) throw error;
    problems.push(known instanceof Error ? known.message : String(known));
  } finally {
    database?.close();
  }
  return { path, bytes, messages, problems };
}

function countOf(database: Database): number {
  return (database.prepare('select count(*) as n from messages').get() as { n: number }).n;
}

function damagedPages(database: Database): readonly string[] {
  const rows = database.prepare('pragma integrity_check(20)').all() as { integrity_check: string }[];
  return rows.map((row) => row.integrity_check).filter((finding) => finding !== 'ok');
}

function damagedPayloads(database: Database): readonly string[] {
  const keys = database.prepare('select key from payloads').all() as { key: number }[];
  const one = database.prepare('select hash, wide, body from payloads where key = ?');
  return keys.flatMap(({ key }) => {
    const { hash, wide, body } = one.get(key) as { hash: string; wide: number; body: Uint8Array };
    const found = createHash('sha256')
      .update(decodeText(body, wide === 1), 'utf16le')
      .digest('base64url');
    return found === hash ? [] : [`Payload ${key} is not what was stored.`];
  });
}

type Segment = {
  readonly tenant: string;
  readonly conversation: number;
  readonly segment: number;
  readonly base: number;
};
type Of = Segment & { readonly id: string };

async function brokenChains(database: Database): Promise<readonly string[]> {
  const segments = database
    .prepare(
      `select s.tenant, s.conversation, s.segment, s.base, c.id from segments s
       join conversations c on c.tenant = s.tenant and c.key = s.conversation`,
    )
    .all() as Of[];
  const prepare = statementsOf(database);
  const broken: string[] = [];
  for (const each of segments) {
    const rows = sqliteRows(prepare, each.tenant);
    const range = { segment: each.segment, from: each.base, to: Number.MAX_SAFE_INTEGER };
    broken.push(...chainOf(await rows.messagesIn(each.conversation, [range]), each));
  }
  return broken;
}

type Kept = { readonly id: string; readonly depth: number; readonly native: string };

function chainOf(messages: readonly Kept[], { id: conversation, base }: Of): readonly string[] {
  const broken: string[] = [];
  const changed: string[] = [];
  let previous: string | undefined = base < 0 ? '' : undefined;
  for (const [index, { id, depth, native }] of messages.entries()) {
    const where = `Message ${depth + 1} of conversation ${conversation}`;
    if (depth !== (messages[index - 1]?.depth ?? base) + 1) broken.push(`${where} stands behind a gap.`);
    try {
      JSON.parse(native);
      const isChanged = previous !== undefined && chainedId(previous, native) !== id;
      if (isChanged) changed.push(`${where} is not what was appended.`);
    } catch {
      broken.push(`${where} is no JSON any more.`);
    }
    previous = id;
  }
  // Where most ids are not of the chain they are the caller's own and say nothing about content.
  return changed.length > messages.length / 2 ? broken : [...broken, ...changed];
}
