import { FORMAT_NAMES, type FormatName } from 'epitome';
import { StoreError } from '../model/errors.ts';
import type { BranchInfo, BranchRef } from '../model/port.ts';
import type { BranchRow, ConversationRow, Place, Rows } from '../model/rows.ts';
import { holds, ROOT } from './path.ts';
import { MAIN, readBranch, unknown } from './reading.ts';

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
  await rows.addSegment(row.key, { segment: ROOT, depth: -1 });
  await rows.addBranch(row.key, { segment: ROOT, depth: -1, name: MAIN, tip: null, version: 0 });
  return row;
}

/** Makes a branch that ends with a message of another one. Copies nothing. */
export async function forkBranch(
  rows: Rows,
  ref: BranchRef,
  { name, at }: { readonly name: string; readonly at?: string },
): Promise<BranchInfo> {
  const { conversation, branch, path } = await readBranch(rows, ref);
  checkedName('branch name', name);
  if ((await rows.branch(conversation.key, name, 'lock')) !== undefined) {
    throw new StoreError('taken', `There is a branch ${JSON.stringify(name)} already; take another name.`);
  }
  const [head] = at === undefined || at === branch.tip ? [] : await rows.heads(conversation.key, [at]);
  if (at !== undefined && at !== branch.tip && (head === undefined || !holds(path, head))) throw unknown('message', at);
  const place: Place = head ?? branch;
  const row = { segment: place.segment, depth: place.depth, name, tip: head?.id ?? branch.tip, version: 0 };
  await rows.addBranch(conversation.key, row);
  return branchInfo(row);
}

/** What callers see of a branch. */
export function branchInfo({ name, tip, depth, version }: BranchRow): BranchInfo {
  return { name, length: depth + 1, version, ...(tip === null ? {} : { tip }) };
}

/** Settings as every database can keep them. */
export function checkedSettings(settings: string): string {
  if (settings.isWellFormed() && !settings.includes('\0')) return settings;
  throw new StoreError('bad-input', 'Settings must be JSON text; half a surrogate pair or NUL must be escaped in it.');
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
