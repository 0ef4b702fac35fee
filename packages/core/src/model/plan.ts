import type { PartAt } from './atoms.ts';
import type { Split } from './policy.ts';

/** Why a compaction that was due cannot be planned. */
export type PlanRefusal = 'nothing-to-cut' | 'no-prompt' | 'bound-reasoning';

/** What a compaction would do to a view. Indexes are those of view entries; plain data, so it can be shown before it runs. */
export type Plan = {
  readonly split: Split['kind'] | 'mask';
  /** Entries to be replaced, ascending: the head. */
  readonly head: readonly number[];
  /** Entries that stay, ascending: system messages, protected ones and the tail. */
  readonly tail: readonly number[];
  /** The hand-over stands in front of this entry. */
  readonly anchor: number;
  /** First entry kept behind the head; the number of entries where all of it goes. */
  readonly firstKept: number;
  /** Kept entries whose bound reasoning must go, because something in front of them changes. */
  readonly dropsReasoning: readonly number[];
  /** Kept results that answer nothing: they are left out, a repair that is certain. */
  readonly dropsOrphans: readonly PartAt[];
  /** Tool results to be replaced by placeholders. */
  readonly masks: readonly Mask[];
  readonly tokens: { readonly head: number; readonly tail: number; readonly fixed: number };
};

/** A tool result to be shown as a placeholder, with so many characters of its start and end, and the tokens that sheds. */
export type Mask = PartAt & { readonly keepChars: number; readonly sheds: number };

export type PlanResult =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'none'; readonly reason: PlanRefusal };
