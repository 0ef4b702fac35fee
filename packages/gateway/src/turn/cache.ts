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
  /** Characters of messages that are not Latin alone: they take two bytes each. */
  wide: number;
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
  /** Remembers no more than so many bytes from now on. */
  readonly resize: (bytes: number) => void;
};

/** How much is remembered: branches of one conversation, and bytes of all. */
export type TreeLimits = { readonly branches: number; readonly bytes: number };

const LIMITS: TreeLimits = { branches: 64, bytes: 58 * 1024 * 1024 };

/** An empty memory. What was not used for longest goes first. */
export function createTrees({ branches: most, bytes }: TreeLimits = LIMITS): Trees {
  let limit = bytes;
  const trees = new Map<string, Tree>();
  const nameOf = (tenant: string, conversation: string): string => `${tenant}\n${conversation}`;
  const shrink = (): void => {
    let sum = 0;
    const names = [...trees.keys()].reverse();
    for (const name of names) {
      const tree = trees.get(name);
      sum += tree === undefined ? 0 : weightOf(tree);
      if (sum > limit && name !== names[0]) trees.delete(name);
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
        wide: 0,
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
    resize: (bytes) => {
      limit = bytes;
      shrink();
    },
  };
}

// What a heap snapshot of 300 sessions with 60 messages each, and of 1,200 with eight branches each, came to per piece.
const TREE_BYTES = 4096;
const BRANCH_BYTES = 1536;
const MESSAGE_BYTES = 512;

/** Bytes that remembering a conversation takes: its texts, in two bytes a character where one is not Latin, and the objects around them. */
function weightOf({ branches, wide }: Tree): number {
  const characters = branches.reduce((sum, branch) => sum + branch.characters, 0);
  const messages = branches.reduce((sum, { ids }) => sum + ids.length, 0);
  const objects = TREE_BYTES + branches.length * BRANCH_BYTES + messages * MESSAGE_BYTES;
  return objects + characters + Math.min(wide, characters);
}

/** Runs what touches a queue's owner, one after the other. */
export function inOrder<T>(owner: { queue: Promise<unknown> }, run: () => Promise<T>): Promise<T> {
  const done = owner.queue.then(run, run);
  // What came of it is the caller's alone: a queue that held it would keep the whole request until the next one.
  owner.queue = done.then(nothing, nothing);
  return done;
}

function nothing(): void {}
