import { type Branch, type CompactionRecord, formatNamed, type LogRecord, project } from 'epitome';
import { undoneIds } from 'epitome/record';
import { StoreError } from '../model/errors.ts';
import type { ChangeRef } from '../model/port.ts';
import type { RecordHead, Rows } from '../model/rows.ts';
import { plainForm } from './form.ts';
import { type InForce, inForce, lineageOf, logOn } from './lineage.ts';
import { holds, isWithin } from './path.ts';
import { rowOf } from './publish.ts';
import { type BranchState, readBranch, unknown } from './reading.ts';
import { storedOn } from './stored.ts';
import { type Together, together } from './together.ts';
import { behindMessages, type RecordWorld, undoing, write } from './undo.ts';
import { bodyOf, readReduced } from './view.ts';

/**
 * Brings messages back into view: a record that hides them or shows them otherwise is taken back, and one that does what
 * is left of that takes its place.
 */
export async function restoreOn(
  rows: Rows,
  ref: ChangeRef & { readonly messageIds: readonly string[] },
  world: RecordWorld,
): Promise<readonly LogRecord[]> {
  const state = await readBranch(rows, ref, 'records');
  const chosen = await depthsOf(rows, state, ref.messageIds);
  const branch = await storedOn(rows, state);
  const back = together(branch, chosen);
  const active = await bodiesInForce(rows, state);
  const isBack = (each: Active): boolean => covered(each, back).length > 0 || each.edits.some(back.shows);
  const hiding = active.filter(isBack);
  if (hiding.length === 0) throw new StoreError('cannot-restore', 'All of these messages are in view already.');
  const isHidden = (depth: number): boolean =>
    !back.depths.has(depth) && active.some(({ covers }) => isWithin(covers, depth));
  const undone = undoneIds(logOn(state.heads, state));
  const swaps = hiding.map((each) => {
    // What went into it must not come back in its place.
    const lineage = lineageOf(each.body.id, state.heads).map(({ id }) => id);
    const taken = lineage.filter((id) => !undone.has(id));
    const records = [...taken.map((id) => undoing(id, world)), standIn(each, { branch, back, isHidden }, world)];
    return { details: { restores: each.body.id, taken }, records };
  });
  const made = swaps.flatMap((swap) => swap.records);
  const records = await behindMessages(rows, state, { ...ref, added: made });
  await checkValid(rows, state, records);
  for (const { details, records: own } of swaps) {
    const ids = new Set(own.map(({ id }) => id));
    await write(rows, state, { records: records.filter(({ id }) => ids.has(id)), details });
  }
  return records;
}

/** A record in force with all it shows otherwise, what it inherited included. */
type Active = Pick<InForce, 'covers'> & Pick<CompactionRecord, 'edits'> & { readonly body: CompactionRecord };

async function bodiesInForce(rows: Rows, state: BranchState): Promise<readonly Active[]> {
  const active = inForce(state.heads, state, 'strict');
  const ids = [...new Set(active.flatMap(({ head, editors }) => [head.id, ...editors]))];
  const bodies = ids.length === 0 ? [] : await rows.recordRows(state.conversation.key, ids);
  const byId = new Map(bodies.map((row) => [row.id, bodyOf(row)]));
  return active.map(({ head: { id }, covers, editors }) => {
    const body = byId.get(id);
    if (body === undefined) throw unknown('record', id);
    return { body, covers, edits: editors.flatMap((editor) => byId.get(editor)?.edits ?? []) };
  });
}

function covered({ covers }: Active, { depths }: Together): readonly number[] {
  return [...depths].filter((depth) => isWithin(covers, depth)).sort((a, b) => a - b);
}

async function depthsOf(
  rows: Rows,
  { conversation, path }: BranchState,
  ids: readonly string[],
): Promise<readonly number[]> {
  const heads = new Map((await rows.heads(conversation.key, ids)).map((head) => [head.id, head]));
  return ids.map((id) => {
    const head = heads.get(id);
    if (head === undefined) throw unknown('message', id);
    if (!holds(path, head)) {
      const found = `The message ${JSON.stringify(id)} is on another branch; restore it there.`;
      throw new StoreError('cannot-restore', found);
    }
    return head.depth;
  });
}

type Restoring = {
  readonly branch: Branch;
  readonly back: Together;
  /** Whether a message is in view no more than before. */
  readonly isHidden: (depth: number) => boolean;
};

/** What does all that a record did but for what comes back. Where that is nothing it still is there, to be undone. */
function standIn(active: Active, { branch, back, isHidden }: Restoring, world: RecordWorld): CompactionRecord {
  const { lastSummarizedId: _cutoff, coversBoundLoop, ...body } = active.body;
  const { ids } = branch;
  const left = ids.filter((_, depth) => !back.depths.has(depth) && isWithin(active.covers, depth));
  const edits = active.edits.filter((edit) => !back.lifts(edit));
  const last = left.at(-1);
  const restored = new Set(covered(active, back).map((depth) => ids[depth] ?? ''));
  for (const edit of active.edits) if (back.shows(edit)) restored.add(edit.messageId);
  const made = { id: world.newId(), at: world.now(), cause: 'manual', reason: 'restored', calls: 0 } as const;
  const usage = { inputTokens: 0, outputTokens: 0 };
  const common = { ...body, ...made, usage, replaces: [], covers: left, restored: [...restored] };
  if (last !== undefined) {
    const inserts = withoutNeedlessFiller(body, { branch, isHidden });
    return { ...common, ...(coversBoundLoop ? { coversBoundLoop } : {}), lastSummarizedId: last, inserts, edits };
  }
  // Thinking that was left out behind a summary is left out no longer, but for what has to be.
  const masks = edits.filter(({ text }) => text !== null);
  const { before } = body.tokens;
  const tokens = masks.length === 0 ? { ...body.tokens, after: before } : body.tokens;
  return { ...common, inserts: [], text: '', tokens, edits: masks.length === 0 ? [] : edits };
}

/** An acknowledgement or bridge stands between a summary and a message of the same role; in front of another it parts nothing. */
function withoutNeedlessFiller(
  { inserts, anchorId }: Pick<CompactionRecord, 'inserts' | 'anchorId'>,
  { branch, isHidden }: Pick<Restoring, 'branch' | 'isHidden'>,
): CompactionRecord['inserts'] {
  const anchor = branch.ids.indexOf(anchorId ?? '');
  const next = branch.messages.find(
    ({ role }, depth) => depth >= anchor && !isHidden(depth) && (role === 'user' || role === 'assistant'),
  );
  return inserts.filter(({ role }, index) => index === 0 || role !== next?.role);
}

/** What comes back must not break a provider rule that the view did not break before. */
async function checkValid(rows: Rows, state: BranchState, records: readonly LogRecord[]): Promise<void> {
  const { validate } = formatNamed(state.conversation.format);
  const before = await readReduced(rows, state, {});
  const added: RecordHead[] = [];
  const unstored = new Map<string, LogRecord>();
  for (const record of records) {
    const row = await rowOf(rows, state, { record, details: {}, scope: 'branch' });
    added.push({ ...row, seq: Number.MAX_SAFE_INTEGER });
    unstored.set(record.id, record);
  }
  const after = await readReduced(rows, { ...state, heads: [...state.heads, ...added] }, { unstored });
  const errorsOf = ({ branch, records: inView }: typeof before): readonly string[] =>
    validate(project(branch, inView).entries.map(({ message }) => unmarked(message.native))).flatMap(
      ({ severity, rule, detail }) => (severity === 'error' ? [`${rule}: ${detail}`] : []),
    );
  const known = new Set(errorsOf(before));
  const fresh = errorsOf(after).find((error) => !known.has(error));
  if (fresh === undefined) return;
  throw new StoreError(
    'cannot-restore',
    `With these messages the provider would refuse the request (${fresh}); restore their neighbours with them, or undo.`,
  );
}

// Marks for the cache are those of the request that stored a message; what goes out bears those its client sends with it then.
function unmarked(native: unknown): unknown {
  return JSON.parse(plainForm(JSON.stringify(native)));
}
