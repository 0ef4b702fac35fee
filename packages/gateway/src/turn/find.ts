import { type Appended, isStoreError, type Log } from '@epitome/store';
import type { FormatName, Policy } from 'epitome';
import { mayBeSealed } from '../dialects/seals.ts';
import { type Branch, extend, readBranch, readView, stampIn, stampOf } from './branch.ts';
import { inOrder, type Tree } from './cache.ts';
import { type Chain, commonLength } from './chain.ts';
import { continued } from './linear.ts';

/** Where a history is looked for. */
export type Search = {
  readonly log: Log;
  readonly tree: Tree;
  readonly conversation: string;
  readonly format: FormatName;
  readonly chain: Chain;
  readonly reuse: Policy['reuse'];
  /** Whether a history that would make a branch is refused. */
  readonly isLinear: boolean;
};

/**
 * The branch that ends with a client's history. What is new of it is appended: the store knows the rest by its ids, and an
 * edited or shorter history is a branch of its own.
 */
export function findBranch(search: Search): Promise<Found> {
  return inOrder(search.tree, async () => {
    const { tree, chain } = search;
    const known = nearest(tree, chain);
    const unseen = chain.texts.slice(known?.common ?? 0);
    tree.isSealed ||= unseen.some(mayBeSealed);
    tree.wide += unseen.reduce((sum, text) => (WIDE.test(text) ? sum + text.length : sum), 0);
    const append = (): Promise<Found> => (known === undefined ? sow(search) : grow(search, known));
    const found = search.isLinear ? await continued(search, append) : await append();
    await keepCurrent(search, found);
    return found;
  });
}

// What V8 cannot keep in one byte a character.
const WIDE = /[\u0100-\uffff]/;

/** A branch, and the place of the first message that the store did not hold before; what its append saw of records. */
export type Found = Pick<Appended, 'records'> & { readonly branch: Branch; readonly fresh: number };

type Near = { readonly branch: Branch; readonly common: number };

function nearest({ branches }: Tree, { ids }: Chain): Near | undefined {
  let best: Near | undefined;
  for (const branch of branches) {
    const common = commonLength(branch.ids, ids);
    const isLonger = common > (best?.common ?? 0);
    const isExact = common === best?.common && branch.ids.length === common;
    if (isLonger || isExact) best = { branch, common };
  }
  return best;
}

/** Nothing of it is remembered here: the store is asked, and told. */
async function sow({ log, tree, conversation, format, chain, reuse }: Search): Promise<Found> {
  const append = () => log.append({ conversation, after: null }, chain.texts);
  let appended: Awaited<ReturnType<typeof append>>;
  try {
    appended = await append();
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'unknown-conversation') throw error;
    await createOnce(log, { conversation, format });
    appended = await append();
  }
  const branch = await readBranch({ conversation, branch: appended.branch }, { log, chain, reuse });
  tree.branches.push(branch);
  return { branch, fresh: chain.ids.length - appended.added };
}

async function createOnce(
  log: Log,
  { conversation, format }: { conversation: string; format: FormatName },
): Promise<void> {
  try {
    await log.create({ id: conversation, format });
  } catch (error) {
    // Another process was a moment faster.
    if (!isStoreError(error) || error.code !== 'taken') throw error;
  }
}

async function grow(search: Search, { branch, common }: Near): Promise<Found> {
  const { log, tree, conversation, chain } = search;
  const isExtended = common === branch.ids.length;
  if (isExtended && common === chain.ids.length) return { branch, fresh: common };
  const after = chain.ids[common - 1] ?? null;
  const appended = await log.append({ conversation, branch: branch.name, after }, chain.texts.slice(common));
  const fresh = chain.ids.length - appended.added;
  if (isExtended && appended.branch === branch.name) {
    extend(branch, chain);
    const { records } = appended;
    return { branch, fresh, ...(records === undefined ? {} : { records }) };
  }
  const forked = await readBranch({ conversation, branch: appended.branch }, { ...search, near: branch });
  tree.branches.push(forked);
  return { branch: forked, fresh };
}

/** Makes the branch's view what it is in the store, whoever changed it. */
async function keepCurrent(search: Search, { branch, records }: Found): Promise<void> {
  const { tree, reuse } = search;
  tree.branches = [...tree.branches.filter((each) => each !== branch), branch];
  const stamp = records === 'none' ? stampOf({ version: 0, reuse }) : await stampIn(branch, search);
  if (stamp !== stampOf(branch.snapshot)) await readView(branch, search);
}
