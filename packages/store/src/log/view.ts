import {
  type Branch,
  type CompactionRecord,
  formatNamed,
  type LogRecord,
  project,
  type UndoRecord,
  type View,
} from 'epitome';
import { StoreError } from '../model/errors.ts';
import type { StoredView, ViewOptions } from '../model/port.ts';
import type { MessageRow, RecordRow, Rows } from '../model/rows.ts';
import { decodeRows, decoderOf } from './decoding.ts';
import { type InForce, inForce, undoEditors } from './lineage.ts';
import { cutOut, depthOf, gaps, isWithin, joinSpans } from './path.ts';
import { type BranchState, snapshotOf } from './reading.ts';

/** A branch less what its records hide, which projects to the very view of the whole branch. */
export type Reduced = {
  readonly rows: readonly MessageRow[];
  readonly branch: Branch;
  readonly records: readonly LogRecord[];
};

/** The view of a branch. Reads the messages it shows, and no other but anchors. */
export async function readView(rows: Rows, state: BranchState, options: ViewOptions): Promise<StoredView> {
  const reduced = await readReduced(rows, state, options);
  const view = project(reduced.branch, reduced.records);
  return { entries: view.entries.map((entry) => entryOf(entry, reduced)), snapshot: snapshotOf(state, options.reuse) };
}

/** The reduced branch, as it is or with heads and bodies that are not stored yet. */
export async function readReduced(
  rows: Rows,
  state: BranchState,
  options: ViewOptions & { readonly unstored?: ReadonlyMap<string, LogRecord> },
): Promise<Reduced> {
  const { conversation, path, heads } = state;
  const reuse = options.reuse ?? 'strict';
  const active = inForce(heads, state, reuse);
  const undos = undoEditors(heads, state, reuse);
  const covered = joinSpans(active.flatMap(({ covers }) => covers));
  const anchors = active.flatMap(({ head }) => (head.anchor === null ? [] : [head.anchor.depth]));
  const hidden = new Set(anchors.filter((depth) => isWithin(covered, depth)));
  const wanted = joinSpans([...gaps(covered, depthOf(path)), ...[...hidden].map((depth) => [depth, depth] as const)]);
  const [kept, bodies] = await Promise.all([
    rows.messagesIn(conversation.key, cutOut(path, wanted)),
    bodiesOf(rows, conversation.key, { wanted: [...active.flatMap(idsOf), ...undos], unstored: options.unstored }),
  ]);
  const messages = decodeRows(kept, decoderOf(conversation.format));
  const branch = { format: formatNamed(conversation.format), messages, ids: kept.map(({ id }) => id) };
  const byDepth = new Map(kept.map((row) => [row.depth, row.id]));
  const records = [
    ...active.map((each) => onReduced(each, { bodies, byDepth, hidden })),
    ...undos.flatMap((id) => bodies.get(id) ?? []),
  ];
  return { rows: kept, branch, records };
}

function idsOf({ head, editors }: InForce): readonly string[] {
  return [head.id, ...editors];
}

function entryOf(entry: View['entries'][number], { rows, branch }: Reduced): StoredView['entries'][number] {
  const { source, recordId, edits, summary, message } = entry;
  const row = source === undefined ? undefined : rows[source];
  const isOriginal = source !== undefined && branch.messages[source] === message;
  return {
    native: row !== undefined && isOriginal ? row.native : JSON.stringify(message.native),
    ...(row === undefined ? {} : { messageId: row.id }),
    ...(recordId === undefined ? {} : { recordId }),
    ...(edits === undefined ? {} : { edits }),
    ...(summary === undefined ? {} : { summary }),
  };
}

type Bodies = ReadonlyMap<string, LogRecord>;

async function bodiesOf(
  rows: Rows,
  key: number,
  { wanted, unstored = new Map() }: { readonly wanted: readonly string[]; readonly unstored: Bodies | undefined },
): Promise<Bodies> {
  const missing = [...new Set(wanted)].filter((id) => !unstored.has(id));
  const stored = missing.length === 0 ? [] : await rows.recordRows(key, missing);
  return new Map([...unstored, ...stored.map((row): [string, LogRecord] => [row.id, logRecordOf(row)])]);
}

type Context = {
  readonly bodies: Bodies;
  readonly byDepth: ReadonlyMap<number, string>;
  readonly hidden: ReadonlySet<number>;
};

/**
 * A record in terms of the reduced branch. What it hides is not there, so all it says is where its hand-over stands, what
 * it edits, and whether the anchor itself is hidden.
 */
function onReduced({ head, covers, editors }: InForce, { bodies, byDepth, hidden }: Context): CompactionRecord {
  const body = bodies.get(head.id);
  if (body?.kind !== 'compaction') {
    throw new StoreError('corrupt', `Record ${JSON.stringify(head.id)} has lost its body; restore it from a backup.`);
  }
  const anchorId = byDepth.get(head.anchor?.depth ?? -1) ?? '';
  const covered = [...hidden].filter((depth) => isWithin(covers, depth));
  return {
    ...body,
    anchorId,
    parentId: anchorId,
    lastSummarizedId: anchorId,
    covers: covered.map((depth) => byDepth.get(depth) ?? ''),
    edits: editors.flatMap((id) => bodies.get(id)?.edits ?? []),
  };
}

/** A stored record of either kind; covers are in the head. */
export function logRecordOf(row: Pick<RecordRow, 'kind' | 'body'>): LogRecord {
  return row.kind === 'undo' ? (JSON.parse(row.body) as UndoRecord) : bodyOf(row);
}

/** A stored body; the covers are in the head. */
export function bodyOf({ body }: Pick<RecordRow, 'body'>): CompactionRecord {
  return { covers: [], ...(JSON.parse(body) as Omit<CompactionRecord, 'covers'>) };
}
