import { FORMAT_NAMES, type FormatName } from 'epitome';
import { StoreError } from '../model/errors.ts';
import type { BranchInfo, BranchRef } from '../model/port.ts';
import type { BranchRow, ConversationRow, Place, Rows, SegmentRow } from '../model/rows.ts';
import { lineageFrom, versionOf } from './lineage.ts';
import { holds, type Path, pathOf, pathTo, placeOf, START } from './path.ts';
import { findConversation, MAIN, readBranch, unknown } from './reading.ts';

/** Makes a conversation with an empty main branch. */
export async function createConversation(
  rows: Rows,
  input: {
    readonly id: string;
    readonly format: FormatName;
    readonly settings: string | null;
    readonly createdAt: number;
  },
): Promise<ConversationRow> {
  const { id, format, settings, createdAt } = input;
  if (!FORMAT_NAMES.includes(format)) {
    throw new StoreError(
      'bad-input',
      `There is no format ${JSON.stringify(format)}; there are ${FORMAT_NAMES.join(', ')}.`,
    );
  }
  const row = await rows.addConversation({ id: checkedName('conversation id', id), format, settings, createdAt });
  if (row === undefined) {
    throw new StoreError('taken', `There is a conversation ${JSON.stringify(id)} already; take another id, or none.`);
  }
  await rows.addSegment(row.key, START);
  await rows.addBranch(row.key, { ...START, name: MAIN, tip: null, lineage: [] });
  return row;
}

/** Makes a branch that ends with a message of another one. Copies nothing. */
export async function forkBranch(
  rows: Rows,
  ref: BranchRef,
  { name, at }: { readonly name: string; readonly at?: string },
): Promise<BranchInfo> {
  const state = await readBranch(rows, ref, 'forgetting');
  const { conversation, branch, path, heads } = state;
  checkedName('branch name', name);
  if ((await rows.branch(conversation.key, name, 'lock')) !== undefined) {
    throw new StoreError('taken', `There is a branch ${JSON.stringify(name)} already; take another name.`);
  }
  const [head] = at === undefined || at === branch.tip ? [] : await rows.heads(conversation.key, [at]);
  if (at !== undefined && at !== branch.tip && (head === undefined || !holds(path, head))) throw unknown('message', at);
  const place: Place = head ?? branch;
  const end = { segment: place.segment, depth: place.depth };
  const row = { ...end, name, tip: head?.id ?? branch.tip, lineage: lineageFrom(heads, state) };
  await rows.addBranch(conversation.key, row);
  return branchInfo(row, versionOf(heads, { branch: row, path: await pathTo(rows, conversation.key, end) }));
}

/** All branches of a conversation. */
export async function branchesOf(rows: Rows, id: string): Promise<readonly BranchInfo[]> {
  const { key } = await findConversation(rows, id);
  const [branches, heads] = await Promise.all([branchPaths(rows, key), rows.recordHeads(key)]);
  return branches.map((at) => branchInfo(at.branch, versionOf(heads, at)));
}

/** All branches with the ways to their tips. */
export async function branchPaths(
  rows: Rows,
  key: number,
): Promise<readonly { readonly branch: BranchRow; readonly path: Path }[]> {
  const [branches, segments] = await Promise.all([rows.branches(key), rows.segments(key)]);
  const bySegment = new Map(segments.map((row) => [row.segment, row]));
  return branches.map((branch) => ({ branch, path: pathOf(ancestry(bySegment, branch.segment), placeOf(branch)) }));
}

/** What callers see of a branch. */
export function branchInfo({ name, tip, depth }: BranchRow, version: number): BranchInfo {
  return { name, length: depth + 1, version, ...(tip === null ? {} : { tip }) };
}

function ancestry(bySegment: ReadonlyMap<number, SegmentRow>, segment: number): readonly SegmentRow[] {
  const found: SegmentRow[] = [];
  for (let own = bySegment.get(segment); own !== undefined; own = bySegment.get(own.parent ?? -1)) found.push(own);
  return found;
}

/** Settings as every database can keep them. */
export function checkedSettings(settings: string): string {
  if (settings.isWellFormed() && !settings.includes('\0')) return settings;
  throw new StoreError('bad-input', 'Settings must be JSON text; half a surrogate pair or NUL must be escaped in it.');
}

/** How many, as every database can count them. */
export function checkedLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit;
  throw new StoreError('bad-input', `A limit must be a whole number from 0 on, not ${limit}.`);
}

/** A name databases, files and logs can carry. */
export function checkedName(what: string, name: string): string {
  const isPlain = typeof name === 'string' && name !== '' && name.length <= 200 && name.isWellFormed();
  // Control characters would end up in logs and in terminals.
  if (isPlain && !/\p{Cc}/u.test(name)) return name;
  throw new StoreError(
    'bad-input',
    `A ${what} must be 1 to 200 characters without controls, not ${JSON.stringify(name)}.`,
  );
}
