import type { FoundRow, LocatedHead, MessageHead, MessageRow, NewMessageRow, Range } from '../model/rows.ts';
import { encodeText } from '../text/bytes.ts';
import { splitPayloads } from '../text/payloads.ts';
import { pinFollowers } from './branches.ts';
import { indexWhenDue } from './indexing.ts';
import type { RowsAtOnce } from './rows-at-once.ts';
import type { Prepare } from './statements.ts';
import { sumOf } from './sums.ts';
import { type Owner, type Stored, wholeOf } from './whole.ts';

type Part = Pick<
  RowsAtOnce,
  'addMessages' | 'heads' | 'located' | 'headsIn' | 'messagesIn' | 'found' | 'scan' | 'scanHeads'
>;

const HEAD = 'seq, segment, depth, id, role';
const ALL = `${HEAD}, wide, holes, native`;
const WHERE = 'where tenant = ? and conversation = ?';
const BEHIND = `${WHERE} and (segment, depth) > (?, ?) order by segment, depth limit ?`;
const WITH_CONVERSATION = 'from messages m join conversations c on c.tenant = m.tenant and c.key = m.conversation';

/** Columns of a message where a conversation stands beside it. */
function ofMessage(columns: string): string {
  return columns.replaceAll(/\w+/g, 'm.$&');
}

/** Messages of one tenant. */
export function messageRows(prepare: Prepare, tenant: string): Part {
  const whole = (stored: Stored): MessageRow => wholeOf(prepare, tenant, stored);
  const inRanges = <T>(key: number, ranges: readonly Range[], columns: string): readonly T[] => {
    const select = prepare(
      `select ${columns} from messages ${WHERE} and segment = ? and depth between ? and ? order by depth`,
    );
    return ranges.flatMap(({ segment, from, to }) => select.all(tenant, key, segment, from, to) as T[]);
  };
  return {
    addMessages: (key, rows) => {
      const segments = rows.map(({ segment }) => segment);
      pinFollowers(prepare, { tenant, key }, segments);
      addMessages(prepare, { tenant, key }, rows);
    },
    heads: (key, ids) => {
      const one = prepare(`select ${HEAD} from messages ${WHERE} and id = ?`);
      return ids.flatMap((id) => one.all(tenant, key, id) as MessageHead[]);
    },
    located: (ids) => {
      const one = prepare(
        `select ${ofMessage(HEAD)}, c.id as conversation, c.format ${WITH_CONVERSATION} where m.tenant = ? and m.id = ?`,
      );
      return ids.flatMap((id) => one.all(tenant, id) as LocatedHead[]);
    },
    headsIn: (key, ranges) => byDepth(inRanges<MessageHead>(key, ranges, HEAD)),
    messagesIn: (key, ranges) => byDepth(inRanges<Stored>(key, ranges, ALL)).map(whole),
    found: (seqs) => {
      const one = prepare(
        `select ${ofMessage(ALL)}, c.id as conversation, c.format ${WITH_CONVERSATION} where m.tenant = ? and m.seq = ?`,
      );
      const rows = seqs.flatMap((seq) => one.all(tenant, seq) as (Stored & Omit<FoundRow, keyof MessageRow>)[]);
      return rows.map((row) => ({ ...whole(row), conversation: row.conversation, format: row.format }));
    },
    ...scanRows(prepare, tenant),
  };
}

function scanRows(prepare: Prepare, tenant: string): Pick<RowsAtOnce, 'scan' | 'scanHeads'> {
  return {
    scan: (key, after, limit) => {
      const page = prepare(`select ${ALL} from messages ${BEHIND}`);
      const rows = page.all(tenant, key, after.segment, after.depth, limit) as Stored[];
      return rows.map((stored) => wholeOf(prepare, tenant, stored));
    },
    scanHeads: (key, after, limit) => {
      const page = prepare(`select ${HEAD} from messages ${BEHIND}`);
      return page.all(tenant, key, after.segment, after.depth, limit) as MessageHead[];
    },
  };
}

/** Adds messages; the branch that follows their segment moves with them. */
export function addMessages(prepare: Prepare, owner: Owner, rows: readonly NewMessageRow[]): void {
  const added = rows.map((row) => ({ seq: addMessage(prepare, owner, row), tokens: row.tokens }));
  indexWhenDue(prepare, added);
}

function byDepth<T extends MessageHead>(rows: readonly T[]): readonly T[] {
  return [...rows].sort((a, b) => a.depth - b.depth);
}

function addMessage(prepare: Prepare, { tenant, key }: Owner, row: NewMessageRow): number {
  const { rest, holes } = splitPayloads(row.native);
  const { bytes, wide } = encodeText(rest);
  const insert = prepare(
    `insert into messages (tenant, conversation, segment, depth, id, role, wide, holes, native, sum)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const { segment, depth, id, role } = row;
  const sum = row.isChained ? null : sumOf(row.native);
  const added = insert.run(tenant, key, segment, depth, id, role, wide ? 1 : 0, holes.length, bytes, sum);
  const seq = Number(added.lastInsertRowid);
  for (const { at, hash, text } of holes) {
    const payload = encodeText(text);
    prepare('insert into payloads (tenant, hash, wide, body) values (?, ?, ?, ?) on conflict do nothing').run(
      ...[tenant, hash, payload.wide ? 1 : 0, payload.bytes],
    );
    prepare(
      'insert into holes (tenant, seq, at, payload) select ?, ?, ?, key from payloads where tenant = ? and hash = ?',
    ).run(tenant, seq, at, tenant, hash);
  }
  return seq;
}
