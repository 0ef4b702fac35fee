import type { Log } from '@epitome/store';
import { type Branch, isCurrent, readBranch, type Shown } from './branch.ts';
import type { Tree } from './cache.ts';
import { commonLength } from './chain.ts';
import type { InForce } from './dry-run.ts';
import { leftIn } from './left.ts';
import { notesOf } from './notes.ts';
import { type Taking, type Turn, untouched } from './plane.ts';
import { writtenBody } from './stand-ins.ts';

/** Where the conversation of a question may be. */
export type Looking = {
  readonly log: Log;
  readonly tree: Tree | undefined;
  /** Finds the conversation's name in the store. */
  readonly stored: () => Promise<string | undefined>;
};

/**
 * A question about a request's size is asked about what would be sent: what is in force is applied, and nothing is kept of the
 * question.
 */
export async function peek(taking: Taking, looking: Looking): Promise<Turn> {
  const { ask } = taking;
  const view = await viewIn(taking, looking);
  if (view === undefined) return untouched({ status: 'kept', reason: 'nothing-in-force' });
  const { branch, shown } = view;
  const { conversation, name, recordId } = branch;
  const notes = notesOf((await looking.log.conversation(conversation))?.settings);
  const left = leftIn(notes, ask);
  const body = writtenBody({ ask, left, shown });
  if (body === undefined) return untouched({ status: 'kept', reason: 'nothing-in-force' });
  const report = { status: 'reused', reason: 'in-force', conversation, branch: name } as const;
  return { ...untouched({ ...report, ...(recordId === undefined ? {} : { recordId }) }), body };
}

/** What is in force of the conversation that a history belongs to; `undefined` where nobody knows it. */
export async function inForceIn(taking: Taking, looking: Looking): Promise<InForce | undefined> {
  const view = await viewIn(taking, looking);
  if (view === undefined) return undefined;
  return { conversation: view.branch.conversation, shown: view.shown };
}

type View = { readonly branch: Branch; readonly shown: readonly Shown[] };

async function viewIn(taking: Taking, looking: Looking): Promise<View | undefined> {
  const known = remembered(taking, looking.tree);
  const { reuse } = taking.ask.resolved.policy;
  const isKept = known !== undefined && (await isCurrent(known, { log: looking.log, reuse }));
  const branch = isKept ? known : await readFrom(taking, looking);
  if (branch === undefined) return undefined;
  const { ids } = branch;
  const rest = taking.ask.chain.ids
    .slice(ids.length)
    .map((_, at): Shown => ({ kind: 'original', source: ids.length + at }));
  return { branch, shown: [...branch.shown, ...rest] };
}

function remembered({ ask: { chain } }: Taking, tree: Tree | undefined): Branch | undefined {
  return tree?.branches.findLast(({ ids }) => commonLength(ids, chain.ids) === ids.length);
}

async function readFrom({ ask }: Taking, { log, stored }: Looking): Promise<Branch | undefined> {
  const { chain } = ask;
  const conversation = await stored();
  const found = await log.find({ format: ask.dialect, messages: chain.texts });
  if (found?.branch === undefined || found.conversation !== conversation) return undefined;
  const ref = { conversation, branch: found.branch };
  const known = { texts: chain.texts.slice(0, found.known), ids: found.ids.slice(0, found.known) };
  if (!found.isTip && !(await isWithin(log, ref, known.ids))) return undefined;
  return readBranch(ref, { log, chain: known, reuse: ask.resolved.policy.reuse });
}

/** Whether all records of a branch were made within a part of its history: what was said behind it has no place in the view. */
async function isWithin(log: Log, ref: Parameters<Log['records']>[0], ids: readonly string[]): Promise<boolean> {
  const own = new Set(ids);
  const records = await log.records(ref);
  return records.every(({ record: { tipId }, state }) => state === 'failed' || tipId === undefined || own.has(tipId));
}
