import { type CompactionRecord, formatNamed, type LogRecord, type Message, project } from 'epitome';
import { StoreError } from '../model/errors.ts';
import type { ChangeRef } from '../model/port.ts';
import type { MessageRow, RecordHead, Rows } from '../model/rows.ts';
import { decodeRows, decoderOf } from './decoding.ts';
import { plainForm } from './form.ts';
import { type InForce, inForce } from './lineage.ts';
import { cutOut, holds, isWithin } from './path.ts';
import { rowOf } from './publish.ts';
import { type BranchState, readBranch, unknown } from './reading.ts';
import { behindMessages, type RecordWorld, undoing, write } from './undo.ts';
import { bodyOf, readReduced } from './view.ts';

/** Brings messages back into view: their record is taken back, and one that hides all but them takes its place. */
export async function restoreOn(
  rows: Rows,
  ref: ChangeRef & { readonly messageIds: readonly string[] },
  world: RecordWorld,
): Promise<readonly LogRecord[]> {
  const state = await readBranch(rows, ref, 'records');
  const chosen = await depthsOf(rows, state, ref.messageIds);
  const hiding = inForce(state.heads, state, 'strict').filter(({ covers }) =>
    chosen.some((depth) => isWithin(covers, depth)),
  );
  if (hiding.length === 0) throw new StoreError('cannot-restore', 'All of these messages are in view already.');
  const swaps: Swap[] = [];
  for (const each of hiding) swaps.push(await swapFor(rows, state, { hiding: each, chosen, world }));
  const made = swaps.flatMap((swap) => swap.records);
  const records = await behindMessages(rows, state, { ...ref, added: made });
  await checkValid(rows, state, records);
  for (const { restores, records: own } of swaps) {
    const ids = new Set(own.map(({ id }) => id));
    await write(rows, state, { records: records.filter(({ id }) => ids.has(id)), details: { restores } });
  }
  return records;
}

/** What takes the place of one record. */
type Swap = { readonly restores: string; readonly records: readonly LogRecord[] };
type Wish = { readonly hiding: InForce; readonly chosen: readonly number[]; readonly world: RecordWorld };

async function swapFor(rows: Rows, state: BranchState, { hiding, chosen, world }: Wish): Promise<Swap> {
  const covered = await rows.messagesIn(state.conversation.key, cutOut(state.path, hiding.covers));
  const own = new Set(chosen.filter((depth) => isWithin(hiding.covers, depth)));
  const back = withCounterparts(covered, decodeRows(covered, decoderOf(state.conversation.format)), own);
  const left = covered.filter(({ depth }) => !back.has(depth)).map(({ id }) => id);
  const taken = undoing(hiding.head.id, world);
  const stays = left.length === 0 ? [] : [await standIn(rows, state, { hiding, left, world })];
  return { restores: hiding.head.id, records: [taken, ...stays] };
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

/** A call comes back with its results and a result with its call, and what shares a message with them too (law 4). */
function withCounterparts(
  covered: readonly MessageRow[],
  messages: readonly Message[],
  chosen: ReadonlySet<number>,
): ReadonlySet<number> {
  const back = new Set(chosen);
  const calls = new Set<string>();
  for (let before = -1; before !== back.size + calls.size; ) {
    before = back.size + calls.size;
    covered.forEach(({ depth }, index) => {
      const ids = callIds(messages[index]);
      if (ids.some((id) => calls.has(id))) back.add(depth);
      if (back.has(depth)) for (const id of ids) calls.add(id);
    });
  }
  return back;
}

function callIds(message: Message | undefined): readonly string[] {
  return (message?.parts ?? []).flatMap((part) =>
    part.kind === 'tool-call' || part.kind === 'tool-result' ? [part.callId] : [],
  );
}

type StandIn = { readonly hiding: InForce; readonly left: readonly string[]; readonly world: RecordWorld };

async function standIn(rows: Rows, { conversation }: BranchState, input: StandIn): Promise<CompactionRecord> {
  const { hiding, left, world } = input;
  const bodies = await rows.recordRows(conversation.key, [hiding.head.id, ...hiding.editors]);
  const byId = new Map(bodies.map((row) => [row.id, bodyOf(row)]));
  const body = byId.get(hiding.head.id);
  const last = left.at(-1);
  if (body === undefined || last === undefined) throw unknown('record', hiding.head.id);
  return {
    ...body,
    id: world.newId(),
    at: world.now(),
    cause: 'manual',
    reason: 'restored',
    covers: left,
    lastSummarizedId: last,
    replaces: [],
    edits: hiding.editors.flatMap((id) => byId.get(id)?.edits ?? []),
    calls: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
  };
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
