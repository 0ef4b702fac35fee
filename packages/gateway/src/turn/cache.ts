import type { Branch } from './branch.ts';
import type { Metered } from './meter.ts';
import type { Notes } from './notes.ts';

/** What is remembered of one conversation between requests. All of it can be read from the store again. */
export type Tree = {
  readonly tenant: string;
  branches: Branch[];
  meters: Metered[];
  /** What it is called in the store; `undefined` where that was not looked up yet. */
  conversation: string | undefined;
  /** Who made its messages, as this process knows; `undefined` where that was not read yet. */
  notes: Notes | undefined;
  /** Whether any message may hold what only the model that made it can read. */
  isSealed: boolean;
  /** The end of the queue of those who read or extend it. */
  queue: Promise<unknown>;
};

/** Conversations used last, by tenant and what their histories begin with. */
export type Trees = {
  readonly of: (tenant: string, conversation: string) => Tree;
  /** As `of`, but only what is remembered already. */
  readonly known: (tenant: string, conversation: string) => Tree | undefined;
  readonly forget: (tenant: string, conversation: string) => void;
  readonly all: () => Iterable<Tree>;
};

/** How much is remembered: branches of one conversation, and characters of all. */
export type TreeLimits = { readonly branches: number; readonly characters: number };

const LIMITS: TreeLimits = { branches: 64, characters: 96 * 1024 * 1024 };

/** An empty memory. What was not used for longest goes first. */
export function createTrees({ branches: most, characters }: TreeLimits = LIMITS): Trees {
  const trees = new Map<string, Tree>();
  const nameOf = (tenant: string, conversation: string): string => `${tenant}\n${conversation}`;
  const shrink = (): void => {
    let sum = 0;
    const names = [...trees.keys()].reverse();
    for (const name of names) {
      const tree = trees.get(name);
      sum += tree === undefined ? 0 : weightOf(tree);
      if (sum > characters && name !== names[0]) trees.delete(name);
    }
  };
  let uses = 0;
  return {
    of: (tenant, conversation) => {
      const name = nameOf(tenant, conversation);
      const tree = trees.get(name) ?? {
        tenant,
        branches: [],
        meters: [],
        conversation: undefined,
        notes: undefined,
        isSealed: false,
        queue: Promise.resolve(),
      };
      trees.delete(name);
      trees.set(name, tree);
      tree.branches.splice(0, Math.max(0, tree.branches.length - most));
      uses += 1;
      // Adding up costs one step per conversation: once in a while is enough.
      if (uses % 64 === 0) shrink();
      return tree;
    },
    known: (tenant, conversation) => trees.get(nameOf(tenant, conversation)),
    forget: (tenant, conversation) => {
      trees.delete(nameOf(tenant, conversation));
    },
    all: () => trees.values(),
  };
}

function weightOf({ branches }: Tree): number {
  return 1000 + branches.reduce((sum, { characters }) => sum + characters, 0);
}

/** Runs what touches a queue's owner, one after the other. */
export function inOrder<T>(owner: { queue: Promise<unknown> }, run: () => Promise<T>): Promise<T> {
  const done = owner.queue.then(run, run);
  owner.queue = done.catch(() => undefined);
  return done;
}
