import type { FormatName } from 'epitome';
import { indexedTokens } from '../text/tokens.ts';
import { addWords } from './search.ts';
import type { Prepare } from './statements.ts';
import { type Owner, type Stored, wholeOf } from './whole.ts';

// The index is written for many messages at once, and when nothing else is to be done: message by message it takes longer
// than all the rest of an append. Whoever never rests and never searches pays for it once in so many messages.
const DUE = 8192;
const MANY = 256;
// How far the index is, is asked for once in so many messages.
const STRIDE = 64;
const BATCH = 512;

/** A message that was added just now, with its words. */
export type Added = { readonly seq: number; readonly tokens: () => readonly string[] };

/** Indexes what is not indexed yet, once there is enough of it. */
export function indexWhenDue(prepare: Prepare, added: readonly Added[]): void {
  const last = added.at(-1);
  if (last === undefined || (last.seq % STRIDE >= added.length && added.length < MANY)) return;
  const indexed = indexedUpTo(prepare);
  if (last.seq - indexed < DUE && added.length < MANY) return;
  index(prepare, pending(prepare, indexed, DUE), new Map(added.map(({ seq, tokens }) => [seq, tokens])));
}

/** Indexes a batch of what is missing. */
export function indexSome(prepare: Prepare): void {
  index(prepare, pending(prepare, indexedUpTo(prepare), BATCH), new Map());
}

function index(prepare: Prepare, messages: readonly Pending[], known: ReadonlyMap<number, Added['tokens']>): void {
  for (const message of messages) {
    const tokens = known.get(message.seq)?.() ?? tokensFor(prepare, message);
    addWords(prepare, ownerOf(message), { seq: message.seq, tokens });
  }
  const last = messages.at(-1);
  if (last !== undefined) setIndexed(prepare, last.seq);
}

/** The newest message that is in the index. Sequence numbers are given in order within one writer at a time. */
export function indexedUpTo(prepare: Prepare): number {
  return (prepare("select value from progress where name = 'indexed'").get() as { value: number }).value;
}

/** Whether any message is not in the index yet. */
export function isBehind(prepare: Prepare): boolean {
  const row = prepare('select coalesce(max(seq), 0) as last from messages').get() as { last: number };
  return row.last > indexedUpTo(prepare);
}

/** Deleted numbers may be given again: none of them may count as indexed. */
export function indexNoFurther(prepare: Prepare): void {
  prepare(
    "update progress set value = min(value, (select coalesce(max(seq), 0) from messages)) where name = 'indexed'",
  ).run();
}

type Pending = { readonly seq: number; readonly tenant: string; readonly conversation: number };

function pending(prepare: Prepare, indexed: number, most: number): readonly Pending[] {
  return prepare('select seq, tenant, conversation from messages where seq > ? order by seq limit ?').all(
    indexed,
    most,
  ) as Pending[];
}

function ownerOf({ tenant, conversation }: Pending): Owner {
  return { tenant, key: conversation };
}

function tokensFor(prepare: Prepare, { seq, tenant }: Pending): readonly string[] {
  const row = prepare(
    `select m.seq, m.segment, m.depth, m.id, m.role, m.wide, m.holes, m.native, c.format
     from messages m join conversations c on c.tenant = m.tenant and c.key = m.conversation
     where m.tenant = ? and m.seq = ?`,
  ).get(tenant, seq) as Stored & { readonly format: FormatName };
  return indexedTokens(wholeOf(prepare, tenant, row).native, row.format);
}

function setIndexed(prepare: Prepare, seq: number): void {
  prepare("update progress set value = ? where name = 'indexed'").run(seq);
}
