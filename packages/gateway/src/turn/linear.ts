import type { Log } from '@epitome/store';
import type { FormatName } from 'epitome';
import type { Refusal } from '../model/call.ts';
import type { Chain } from './chain.ts';

/** A history that would make a branch, of a client that wants none. */
export class WouldBranch extends Error {
  readonly refusal: Refusal;
  constructor(branch: string, known: number) {
    const message = `The history leaves branch ${JSON.stringify(branch)} of its conversation behind message ${known}, which is not its last; continue that branch, or send it without x-epitome-linear to make another.`;
    super(message);
    this.name = 'WouldBranch';
    this.refusal = { status: 409, code: 'would-branch', message };
  }
}

type Continuing = {
  readonly log: Log;
  readonly conversation: string;
  readonly format: FormatName;
  readonly chain: Chain;
};

/**
 * Appends a history where it goes on where a branch of its conversation ends; throws `WouldBranch` where it does not, or where
 * another process was faster.
 */
export async function continued<Found extends { readonly branch: { readonly name: string } }>(
  continuing: Continuing,
  append: () => Promise<Found>,
): Promise<Found> {
  const names = await continuedBy(continuing);
  const found = await append();
  if (!names.has(found.branch.name)) throw new WouldBranch([...names][0] ?? FIRST, continuing.chain.ids.length - 1);
  return found;
}

// What the first branch of a conversation is called.
const FIRST = 'main';

async function continuedBy({ log, conversation, format, chain }: Continuing): Promise<ReadonlySet<string>> {
  const isNew = (await log.conversation(conversation)) === undefined;
  const branches = isNew ? [] : await log.branches(conversation);
  if (branches.every(({ tip }) => tip === undefined)) return new Set([FIRST]);
  const ids = new Set(chain.ids);
  const ending = branches.filter(({ tip = '' }) => ids.has(tip));
  if (ending.length > 0) return new Set(ending.map(({ name }) => name));
  const found = await log.find({ format, messages: chain.texts });
  const isHere = found?.conversation === conversation;
  throw new WouldBranch((isHere ? found.branch : undefined) ?? FIRST, isHere ? found.known : 0);
}
