import { type CompactionRecord, type LogRecord, project } from 'epitome';
import type { Work, WorkOptions } from '../model/port.ts';
import type { MessageHead, RecordHead, Rows } from '../model/rows.ts';
import { decodeRows, decoderOf } from './decoding.ts';
import { BEGUN, isSettled, standing } from './lineage.ts';
import { cutOut, holds } from './path.ts';
import { type BranchState, isSameView, snapshotOf } from './reading.ts';
import { logRecordOf, type Reduced, readReduced } from './view.ts';

// What was read for earlier work, which only this module can read on from.
const sources = new WeakMap<Work, Reduced>();

/** What `compact` needs of a branch: the reduced branch, and the latest attempts whatever came of them. */
export async function readWork(rows: Rows, state: BranchState, options: WorkOptions): Promise<Work> {
  const snapshot = snapshotOf(state, options.reuse);
  const known =
    options.since === undefined ? undefined : await continued(rows, state, { work: options.since, snapshot });
  const reduced = known ?? (await readReduced(rows, state, options));
  const { branch, records } = reduced;
  const work: Work = {
    input: {
      format: state.conversation.format,
      messages: branch.messages.map(({ native }) => native),
      ids: branch.ids,
      records: await withAttempts(rows, state, records),
    },
    snapshot,
    view: project(branch, records),
  };
  sources.set(work, reduced);
  return work;
}

type Earlier = { readonly work: Work; readonly snapshot: Work['snapshot'] };

/** Earlier work on a branch that no record has changed since, with the messages that came meanwhile. */
async function continued(rows: Rows, state: BranchState, { work, snapshot }: Earlier): Promise<Reduced | undefined> {
  const earlier = work.snapshot;
  const source = sources.get(work);
  if (source === undefined || !isSameView(earlier, snapshot) || earlier.tip === undefined) return undefined;
  if (earlier.tip === snapshot.tip) return source;
  const [tip] = await rows.heads(state.conversation.key, [earlier.tip]);
  // The ids of another conversation's work are not known here, or stand elsewhere.
  return tip === undefined || !holds(state.path, tip) || source.rows.at(-1)?.id !== tip.id
    ? undefined
    : grown(rows, state, { source, tip });
}

async function grown(
  rows: Rows,
  { conversation: { key, format }, branch, path }: BranchState,
  { source, tip }: { readonly source: Reduced; readonly tip: MessageHead },
): Promise<Reduced> {
  const added = await rows.messagesIn(key, cutOut(path, [[tip.depth + 1, branch.depth]]));
  const decoder = decoderOf(format);
  decoder.resume(source.branch.messages, tip.depth);
  const messages = decodeRows(added, decoder);
  return {
    rows: [...source.rows, ...added],
    branch: {
      format: source.branch.format,
      messages: [...source.branch.messages, ...messages],
      ids: [...source.branch.ids, ...added.map(({ id }) => id)],
    },
    records: source.records,
  };
}

// Guards look at the newest attempts only: the last one, and failures since the last success.
const ATTEMPTS = 12;

async function withAttempts(
  rows: Rows,
  state: BranchState,
  active: readonly LogRecord[],
): Promise<readonly LogRecord[]> {
  const { conversation, heads } = state;
  const known = new Map<string, LogRecord>(active.map((record) => [record.id, record]));
  const latest = standing(heads, state).filter(isSettled).slice(-ATTEMPTS);
  const missing = latest.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  for (const row of missing.length === 0 ? [] : await rows.recordRows(conversation.key, missing)) {
    const record = logRecordOf(row);
    if (record.kind === 'undo') known.set(row.id, record);
    else if (record.reason !== BEGUN) known.set(row.id, detached(record));
  }
  const order = new Map(heads.map((head: RecordHead) => [head.id, head.seq]));
  return [...known.values()].sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

/** A record not in force: without an anchor no rule takes it for one that is. */
function detached({ anchorId: _anchor, ...record }: CompactionRecord): CompactionRecord {
  return record;
}
