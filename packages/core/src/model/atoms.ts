/** A part of an entry. */
export type PartAt = { readonly entry: number; readonly part: number };

/** The smallest run of entries that may not be parted. Indexes are inclusive. */
export type Atom = {
  readonly first: number;
  readonly last: number;
  /** It stays as it is: a call in it has no result yet and its turn is still open. A plan may count others among these. */
  readonly pending: boolean;
  /** It holds an entry we cannot read, such as a reference: nobody could summarize what that names. */
  readonly unread: boolean;
};

/** The atoms of a view and what follows from them. */
export type Atoms = {
  readonly list: readonly Atom[];
  /** For each entry the index of its atom. */
  readonly atomOf: readonly number[];
  /** Results without a call in front of them, and second answers: no provider takes them. */
  readonly orphans: readonly PartAt[];
  /** Entry of the live prompt: the newest prompt a turn begins with, unless a finished answer follows it. */
  readonly livePrompt?: number;
  /** Entry of the newest words beside results in a turn under way: a harness's reminder, or a new request of the user. */
  readonly aside?: number;
  /** Entry of the newest prompt, live or answered. */
  readonly newestPrompt?: number;
  /**
   * First entry of an unfinished turn that holds bound reasoning: its signatures need everything in front unchanged
   * (A12) and the loop needs its thinking (A10), so it is kept with its whole past or compacted whole.
   */
  readonly boundLoop?: number;
};
