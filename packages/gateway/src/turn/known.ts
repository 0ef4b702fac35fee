import type { Log } from '@epitome/store';
import { isForgotten, stampOf } from './branch.ts';
import { inOrder, type Tree } from './cache.ts';
import { conversationOf, firstPrompt } from './chain.ts';
import { decideAndSend } from './decide.ts';
import { dryRun } from './dry-run.ts';
import { findBranch } from './find.ts';
import { policyFor } from './limits.ts';
import { leftOut } from './models.ts';
import { inForceIn, peek } from './peek.ts';
import type { Taking, Turn, TurnAsk } from './plane.ts';

/** A turn of a conversation that is kept: found by its prefix, appended to, compacted where that is due. */
export async function carryOn(taking: Taking, signal: AbortSignal): Promise<Turn> {
  const { plane, ask } = taking;
  const { caller, dialect, reading, resolved, chain } = ask;
  const { tenant } = caller;
  const name = resolved.conversation;
  const root = name === undefined ? conversationOf({ tenant, dialect, reading, chain }) : `${dialect} ${name}`;
  const isDryRun = resolved.mode === 'dry-run';
  if (isDryRun || ask.kind === 'count') {
    const log = plane.store.forTenant(tenant);
    const looking = { log, tree: plane.trees.known(tenant, root), stored: () => nameIn(log, ask) };
    return isDryRun ? dryRun(taking, await inForceIn(taking, looking), signal) : peek(taking, looking);
  }
  try {
    return await carryOnIn(plane.trees.of(tenant, root), { taking, root }, signal);
  } catch (error) {
    if (!isForgotten(error)) throw error;
    // Somebody forgot the conversation while it went on: what is said from now on is a new one.
    plane.trees.forget(tenant, root);
    return carryOnIn(plane.trees.of(tenant, root), { taking, root }, signal);
  }
}

type Rooted = { readonly taking: Taking; readonly root: string };

async function carryOnIn(tree: Tree, { taking, root }: Rooted, signal: AbortSignal): Promise<Turn> {
  const { plane, ask } = taking;
  const { caller, dialect, resolved, chain } = ask;
  const log = plane.store.forTenant(caller.tenant);
  tree.conversation ??= (await nameIn(log, ask)) ?? root;
  const { conversation } = tree;
  const { branch, fresh } = await findBranch({
    ...{ log, tree, conversation, chain },
    format: dialect,
    reuse: resolved.policy.reuse,
    isLinear: resolved.linear ?? false,
  });
  const asking = { model: ask.model, dialect, chain, fresh, stamp: stampOf(branch.snapshot) };
  const left = await inOrder(tree, () => leftOut(log, { conversation, tree }, asking));
  const policy = policyFor(plane, ask, conversation);
  return inOrder(branch, () => decideAndSend({ ...taking, log, tree, branch, left }, policy, signal));
}

/** What a conversation is called in the store, where it is there. */
async function nameIn(log: Log, ask: TurnAsk): Promise<string | undefined> {
  return (await named(log, ask)) ?? storedAs(log, ask);
}

/** The conversation a client names. One of that name in another dialect is another conversation. */
async function named(log: Log, { resolved, dialect }: TurnAsk): Promise<string | undefined> {
  const name = resolved.conversation;
  if (name === undefined) return undefined;
  const format = (await log.conversation(name))?.format ?? dialect;
  return format === dialect ? name : `${name}:${dialect}`;
}

/** The conversation in which a history is stored, whoever stored it: at least the first answer must be the same. */
async function storedAs(log: Log, { dialect, reading, chain }: TurnAsk): Promise<string | undefined> {
  const found = await log.find({ format: dialect, messages: chain.texts });
  return found !== undefined && found.known > firstPrompt(reading, dialect) + 1 ? found.conversation : undefined;
}
