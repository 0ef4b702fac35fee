import { createHash } from 'node:crypto';
import { StoreError } from '../model/errors.ts';
import type { MessageHead, Rows } from '../model/rows.ts';
import type { Incoming } from './incoming.ts';
import type { Point } from './path.ts';

/** How much of what came in is stored already, where that ends, and what is new. */
export type Known = { readonly end: Point; readonly fresh: readonly Incoming[]; readonly ids: readonly string[] };

/** Where incoming messages go. A re-sent message is known by its id; an appended one by every character. */
export type From = { readonly key: number; readonly start: Point; readonly isResent: boolean };

/** Finds the longest stored run of messages behind a point that the incoming ones begin with. */
export async function knownPrefix(rows: Rows, from: From, incoming: readonly Incoming[]): Promise<Known> {
  const isChain = from.isResent && incoming.every(({ isNamed }) => !isNamed);
  return isChain ? recognised(rows, from, incoming) : compared(rows, from, incoming);
}

/** Of a chain that is known up to some point, the newest messages are asked for first. */
async function recognised(rows: Rows, { key, start }: From, incoming: readonly Incoming[]): Promise<Known> {
  const ids = incoming.map(({ id }) => id);
  let end = start;
  let count = 0;
  for (let size = 8; count === 0 && ids.length > 0; size *= 8) {
    const heads = new Map((await rows.heads(key, ids.slice(-size))).map((head) => [head.id, head]));
    const last = incoming.findLast(({ id }) => heads.has(id));
    const head = last === undefined ? undefined : heads.get(last.id);
    if (last !== undefined && head !== undefined) {
      end = pointOf(head);
      count = incoming.indexOf(last) + 1;
    }
    if (size >= ids.length) break;
  }
  return { end, fresh: incoming.slice(count), ids };
}

async function compared(rows: Rows, { key, start }: From, incoming: readonly Incoming[]): Promise<Known> {
  const ids: string[] = [];
  const fresh: Incoming[] = [];
  let end = start;
  const stored = new Map(
    (
      await rows.heads(
        key,
        incoming.map(({ id }) => id),
      )
    ).map((head) => [head.id, head]),
  );
  for (const given of incoming) {
    const isRenamed = ids.length > 0 && ids.at(-1) !== incoming[ids.length - 1]?.id;
    // What stands behind a renamed message is another message too.
    const message =
      isRenamed && !given.isNamed ? { ...given, id: saltedId(given.id, ids.at(-1) ?? ''), isChained: false } : given;
    const candidate = isRenamed ? (await rows.heads(key, [message.id]))[0] : stored.get(message.id);
    const settled = await settle(rows, { key, end, message }, candidate);
    ids.push(settled.message.id);
    if (settled.head === undefined) fresh.push(settled.message);
    else if (fresh.length > 0) throw taken(settled.message.id);
    else end = pointOf(settled.head);
  }
  return { end, fresh, ids };
}

type Candidate = { readonly key: number; readonly end: Point; readonly message: Incoming };
type Settled = { readonly message: Incoming; readonly head: MessageHead | undefined };

/** Whether a message is the stored one of its id; one that only reads like it gets an id of its own. */
async function settle(rows: Rows, candidate: Candidate, head: MessageHead | undefined): Promise<Settled> {
  const { key, end, message } = candidate;
  if (head === undefined) return { message, head };
  const isStored = (await isChild(rows, key, [end, head])) && (await isSame(rows, key, [head, message]));
  if (isStored) return { message, head };
  if (message.isNamed) throw taken(message.id);
  const other = { ...message, id: saltedId(message.id, message.native), isChained: false };
  const [again] = await rows.heads(key, [other.id]);
  if (again !== undefined && !(await isChild(rows, key, [end, again]))) throw taken(other.id);
  return { message: other, head: again };
}

async function isChild(rows: Rows, key: number, [parent, head]: readonly [Point, MessageHead]): Promise<boolean> {
  if (head.depth !== parent.place.depth + 1) return false;
  if (head.segment === parent.place.segment || head.depth === 0) return true;
  const [own] = await rows.path(key, head.segment);
  return own !== undefined && own.base === parent.place.depth && own.parent === parent.place.segment;
}

async function isSame(rows: Rows, key: number, pair: readonly [MessageHead, Incoming]): Promise<boolean> {
  const [{ segment, depth }, message] = pair;
  const [stored] = await rows.messagesIn(key, [{ segment, from: depth, to: depth }]);
  return stored?.native === message.native;
}

function saltedId(id: string, salt: string): string {
  return `${id}.${createHash('sha256').update(salt, 'utf16le').digest('base64url').slice(0, 11)}`;
}

function pointOf({ segment, depth, id }: MessageHead): Point {
  return { place: { segment, depth }, id };
}

function taken(id: string): StoreError {
  return new StoreError(
    'taken',
    `The id ${JSON.stringify(id)} already names another message of this conversation; give the new one its own id.`,
  );
}
