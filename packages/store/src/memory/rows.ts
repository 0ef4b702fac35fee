import { recordTaken, StoreError } from '../model/errors.ts';
import type { StoreStats } from '../model/port.ts';
import type {
  ConversationRow,
  FoundRow,
  LocatedHead,
  MessageRow,
  NewMessageRow,
  NewRecordRow,
  Place,
  Range,
  Rows,
  SearchQuery,
  SearchRow,
  SegmentRow,
} from '../model/rows.ts';
import { emptyKept, type Kept, type Tables } from './tables.ts';

/** Numbers that are given once, in order. */
export type Counter = () => number;

/** The rows of one tenant in memory. */
export function memoryRows(tables: Tables, next: Counter): Rows {
  const at = (key: number): Kept => {
    const kept = tables.get(key);
    if (kept === undefined) throw new StoreError('unknown-conversation', 'The conversation was forgotten meanwhile.');
    return kept;
  };
  const all = (): readonly Kept[] => [...tables.values()];
  return {
    ...conversationRows(tables, next),
    setSettings: (key, settings) => {
      at(key).row = { ...at(key).row, settings };
    },
    branch: (key, name) => at(key).branches.get(name),
    branches: (key) => [...at(key).branches.values()].sort((a, b) => byBytes(a.name, b.name)),
    addBranch: (key, row) => void at(key).branches.set(row.name, row),
    putBranch: (key, row) => void at(key).branches.set(row.name, row),
    addSegment: (key, behind) => addSegment(at(key), behind),
    endOf: (key, segment) => endOf(at(key), segment),
    segments: (key) => at(key).segments,
    path: (key, segment) => pathFrom(at(key), segment),
    addMessages: (key, rows) => addMessages(at(key), rows, next),
    heads: (key, ids) => ids.flatMap((id) => at(key).byId.get(id) ?? []),
    located: (ids) => located(all(), ids),
    headsIn: (key, ranges) => messagesIn(at(key), ranges),
    messagesIn: (key, ranges) => messagesIn(at(key), ranges),
    found: (seqs) => found(all(), new Set(seqs)),
    scan: (key, after, limit) => scan(at(key), after, limit),
    scanHeads: (key, after, limit) => scan(at(key), after, limit),
    recordHeads: (key) => [...at(key).records.values()],
    recordRows: (key, ids) => ids.flatMap((id) => at(key).records.get(id) ?? []),
    addRecord: (key, row) => addRecord(at(key), row, next),
    search: (query) => search(all(), query),
    forget: ({ key }) => void tables.delete(key),
    stats: () => statsOf(all()),
  };
}

function conversationRows(
  tables: Tables,
  next: Counter,
): Pick<Rows, 'conversation' | 'conversations' | 'addConversation'> {
  const rows = (): readonly ConversationRow[] => [...tables.values()].map(({ row }) => row);
  return {
    conversation: (id) => rows().find((row) => row.id === id),
    conversations: (limit, before = Number.POSITIVE_INFINITY) =>
      rows()
        .filter(({ key }) => key < before)
        .sort((a, b) => b.key - a.key)
        .slice(0, limit),
    addConversation: (given) => {
      if (rows().some(({ id }) => id === given.id)) return undefined;
      const row = { ...given, key: next() };
      tables.set(row.key, emptyKept(row));
      return row;
    },
  };
}

function found(all: readonly Kept[], wanted: ReadonlySet<number>): readonly FoundRow[] {
  return all.flatMap(({ row, byId }) =>
    [...byId.values()]
      .filter(({ seq }) => wanted.has(seq))
      .map((message) => ({ ...message, conversation: row.id, format: row.format })),
  );
}

function located(all: readonly Kept[], ids: readonly string[]): readonly LocatedHead[] {
  return all.flatMap(({ row, byId }) =>
    ids.flatMap((id) => {
      const head = byId.get(id);
      return head === undefined ? [] : [{ ...head, conversation: row.id, format: row.format }];
    }),
  );
}

function scan({ messages }: Kept, after: Place, limit: number): readonly MessageRow[] {
  const isBehind = ({ segment, depth }: Place): boolean =>
    segment > after.segment || (segment === after.segment && depth > after.depth);
  return messages.flat().filter(isBehind).slice(0, limit);
}

function addRecord({ records }: Kept, row: NewRecordRow, next: Counter): void {
  const known = records.get(row.id);
  if (known !== undefined && known.state !== 'started') throw recordTaken(row.id);
  records.delete(row.id);
  records.set(row.id, { ...row, seq: next() });
}

function statsOf(all: readonly Kept[]): StoreStats {
  return {
    conversations: all.length,
    branches: sum(all, ({ branches }) => branches.size),
    messages: sum(all, ({ byId }) => byId.size),
    records: sum(all, ({ records }) => records.size),
    payloads: 0,
    payloadBytes: 0,
    messageBytes: sum(all, ({ byId }) => sum([...byId.values()], ({ native }) => Buffer.byteLength(native))),
  };
}

function addSegment({ segments, messages }: Kept, behind: Place): number {
  const segment = segments.length;
  segments.push({ segment, parent: behind.depth < 0 ? null : behind.segment, base: behind.depth });
  messages.push([]);
  return segment;
}

function endOf({ segments, messages }: Kept, segment: number): number {
  return messages[segment]?.at(-1)?.depth ?? segments[segment]?.base ?? -1;
}

function pathFrom({ segments }: Kept, segment: number): readonly SegmentRow[] {
  const path: SegmentRow[] = [];
  for (let own = segments[segment]; own !== undefined; own = segments[own.parent ?? -1]) path.push(own);
  return path;
}

function addMessages(kept: Kept, rows: readonly NewMessageRow[], next: Counter): void {
  for (const { tokens, isChained: _chained, ...row } of rows) {
    const message = { ...row, seq: next() };
    kept.messages[row.segment]?.push(message);
    kept.byId.set(row.id, message);
    kept.tokens.set(message.seq, new Set(tokens()));
  }
}

function messagesIn({ segments, messages }: Kept, ranges: readonly Range[]): readonly MessageRow[] {
  const found = ranges.flatMap(({ segment, from, to }) => {
    const first = (segments[segment]?.base ?? -1) + 1;
    return messages[segment]?.slice(Math.max(0, from - first), to - first + 1) ?? [];
  });
  return found.sort((a, b) => a.depth - b.depth);
}

/** Every word counts by how few messages hold it. */
function search(all: readonly Kept[], { tokens, mode, conversation, limit }: SearchQuery): readonly SearchRow[] {
  const scope = all.filter(({ row }) => conversation === undefined || row.key === conversation);
  const found: SearchRow[] = [];
  for (const { tokens: held } of scope) {
    for (const [seq, words] of held) {
      const hits = tokens.filter((token) => words.has(token)).length;
      if (hits === 0 || (mode === 'all' && hits < tokens.length)) continue;
      found.push({ seq, score: hits / Math.log2(2 + words.size) });
    }
  }
  return found.sort((a, b) => b.score - a.score || b.seq - a.seq).slice(0, limit);
}

/** The order of databases. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function sum<T>(list: readonly T[], of: (item: T) => number): number {
  return list.reduce((total, item) => total + of(item), 0);
}
