import type { CompactionRecord, LogRecord, Policy } from 'epitome';
import { activeRecords, undosInForce } from 'epitome/record';
import type { BranchRow, Inherited, RecordHead, RecordScope, Span } from '../model/rows.ts';
import { holds, type Path } from './path.ts';

/** A record in force: its head, the depths it hides with all it inherited, and the records whose edits it shows. */
export type InForce = {
  readonly head: RecordHead;
  readonly covers: readonly Span[];
  readonly editors: readonly string[];
};

/** Which summaries a branch accepts. */
export type Reuse = Policy['reuse'];

/** From where records are looked at: a branch and the way to its tip. */
export type Standpoint = { readonly branch: Pick<BranchRow, 'name' | 'lineage'>; readonly path: Path };

/** The heads that stand on a branch: those that reach it and whose parent message is on it. */
export function standing(heads: readonly RecordHead[], at: Standpoint): readonly RecordHead[] {
  return reaching(heads, at).filter(({ parent }) => parent === null || holds(at.path, parent));
}

/** How many records that change views stand on a branch. Records are only added, so one number is one set of them. */
export function versionOf(heads: readonly RecordHead[], at: Standpoint, reuse: Reuse = 'strict'): number {
  return applicableHeads(heads, at, reuse).filter(isCompleted).length;
}

/** Whose a new record of a branch is: the tree's, until somebody undoes, redoes or restores there. */
export function scopeOn(heads: readonly RecordHead[], at: Standpoint): RecordScope {
  return ownHeads(heads, at).some(isCompleted) ? 'branch' : 'tree';
}

/** What a branch made from another one takes along of its records. */
export function lineageFrom(heads: readonly RecordHead[], at: Standpoint): readonly Inherited[] {
  const { name, lineage } = at.branch;
  const last = heads.findLast((head) => head.scope === 'branch' && head.branch === name && isCompleted(head));
  return last === undefined ? lineage : [...lineage, { branch: name, upTo: last.id }];
}

/** The records in force on a branch, by core's own rule, without reading a single covered message. */
export function inForce(heads: readonly RecordHead[], at: Standpoint, reuse: Reuse): readonly InForce[] {
  const { path } = at;
  const applicable = applicableHeads(heads, at, reuse).filter(isCompleted);
  if (applicable.length === 0) return [];
  const atoms = atomsOf(applicable.flatMap(({ covers }) => covers));
  const records = applicable.map((head) => outline(head, path, atoms));
  const byId = new Map(applicable.map((head) => [head.id, head]));
  return activeRecords(markers(applicable, path), records, reuse).flatMap(({ record, covers, edits }) => {
    const head = byId.get(record.id);
    if (head === undefined) return [];
    const spans = covers.map((name) => atoms.get(Number(name)) ?? ([0, -1] as const));
    return [{ head, covers: spans, editors: edits.map(({ messageId }) => messageId) }];
  });
}

/** Ids of the undos in force on a branch that leave something out. */
export function undoEditors(heads: readonly RecordHead[], at: Standpoint, reuse: Reuse): readonly string[] {
  const applicable = applicableHeads(heads, at, reuse).filter(isCompleted);
  return undosInForce(applicable.map((head) => outline(head, at.path, new Map())))
    .filter(({ edits }) => edits !== undefined)
    .map(({ id }) => id);
}

/** The log of a branch in outline, for rules that read neither text nor messages. */
export function logOn(heads: readonly RecordHead[], at: Standpoint, reuse: Reuse = 'strict'): readonly LogRecord[] {
  return applicableHeads(heads, at, reuse)
    .filter(isSettled)
    .map((head) => outline(head, at.path, new Map()));
}

/** Whether a record came to its end and was not superseded. */
export function isSettled({ state }: RecordHead): boolean {
  return state === 'completed' || state === 'failed';
}

/** A record and all whose summaries went into it, oldest first. */
export function lineageOf(id: string, heads: readonly RecordHead[]): readonly RecordHead[] {
  const byId = new Map(heads.map((head) => [head.id, head]));
  const found = new Map<string, RecordHead>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const head = byId.get(next);
    if (head === undefined || found.has(next)) continue;
    found.set(next, head);
    for (const replaced of head.replaces) open.push(replaced);
  }
  return [...found.values()].sort((a, b) => a.seq - b.seq);
}

/**
 * Records of the tree reach every branch, those of a branch itself and what was made from it later. A branch that has some of its
 * own takes no later ones of the tree: what was undone there must not come back because a sibling was compacted.
 */
function reaching(heads: readonly RecordHead[], at: Standpoint): readonly RecordHead[] {
  const own = new Set(ownHeads(heads, at));
  if (own.size === 0) return heads.filter(({ scope }) => scope === 'tree');
  const departed = [...own].find(isCompleted)?.seq ?? Number.POSITIVE_INFINITY;
  return heads.filter((head) => (head.scope === 'tree' ? head.seq < departed : own.has(head)));
}

function ownHeads(heads: readonly RecordHead[], { branch }: Standpoint): readonly RecordHead[] {
  const own = heads.filter(({ scope }) => scope === 'branch');
  if (own.length === 0) return own;
  const inherited = branch.lineage.map(({ branch: name, upTo }) => ({
    name,
    last: own.find(({ id }) => id === upTo)?.seq ?? -1,
  }));
  return own.filter(
    (head) =>
      head.branch === branch.name || inherited.some(({ name, last }) => head.branch === name && head.seq <= last),
  );
}

function isCompleted({ state }: RecordHead): boolean {
  return state === 'completed';
}

/** The heads a branch accepts: those that stand on it, and what it takes from others. */
export function applicableHeads(heads: readonly RecordHead[], at: Standpoint, reuse: Reuse): readonly RecordHead[] {
  const here = standing(heads, at);
  if (reuse === 'strict') return here;
  const reached = new Set(reaching(heads, at));
  const taken = new Set(here);
  // A summary taken from another branch is undone where its own branch undid it.
  const from = new Map<string, string>();
  for (const head of heads) {
    const isTaken = head.kind === 'compaction' && reached.has(head) && isNear(head, at.path);
    const isUndone = head.kind === 'undo' && from.get(head.undoes ?? '') === head.branch;
    if (taken.has(head) || !(isTaken || isUndone)) continue;
    taken.add(head);
    from.set(head.id, head.branch);
  }
  return heads.filter((head) => taken.has(head));
}

function isNear({ cutoff }: RecordHead, path: Path): boolean {
  return cutoff !== null && holds(path, cutoff);
}

/** Depths cut at every end of a span: two spans overlap if and only if they share such an atom. Keyed by first depth. */
type Atoms = ReadonlyMap<number, Span>;

function atomsOf(spans: readonly Span[]): Atoms {
  const cuts = [...new Set(spans.flatMap(([from, to]) => [from, to + 1]))].sort((a, b) => a - b);
  return new Map(cuts.slice(0, -1).map((from, index) => [from, [from, (cuts[index + 1] ?? from + 1) - 1]]));
}

function atomNames(covers: readonly Span[], atoms: Atoms): readonly string[] {
  return covers.flatMap(([first, last]) => {
    const names: string[] = [];
    for (let atom = atoms.get(first); atom !== undefined && atom[0] <= last; atom = atoms.get(atom[1] + 1)) {
      names.push(String(atom[0]));
    }
    return names;
  });
}

/** Names of the places records refer to, in order of depth: all of a branch's ids that core's rule asks for. */
function markers(heads: readonly RecordHead[], path: Path): readonly string[] {
  const depths = heads.flatMap(({ parent, cutoff, anchor }) =>
    [parent, cutoff, anchor].flatMap((place) => (place !== null && holds(path, place) ? [place.depth] : [])),
  );
  return [...new Set(depths)].sort((a, b) => a - b).map((depth) => `@${depth}`);
}

function outline(head: RecordHead, path: Path, atoms: Atoms): LogRecord {
  const { id, kind, undoes, parent, cutoff, anchor } = head;
  const edits = head.hasEdits ? [{ messageId: id, part: 0, text: null }] : [];
  if (kind === 'undo') return { kind, id, at: 0, undoes: undoes ?? '', ...(head.hasEdits ? { edits } : {}) };
  const at = (place: RecordHead['parent']): string | undefined =>
    place !== null && holds(path, place) ? `@${place.depth}` : undefined;
  const [parentId, lastSummarizedId, anchorId] = [at(parent), at(cutoff), at(anchor)];
  return {
    ...EMPTY,
    id,
    status: head.state === 'completed' ? 'compressed' : 'noop',
    covers: atomNames(head.covers, atoms),
    replaces: head.replaces,
    edits,
    ...(parentId === undefined ? {} : { parentId }),
    ...(lastSummarizedId === undefined ? {} : { lastSummarizedId }),
    ...(anchorId === undefined ? {} : { anchorId }),
  };
}

/** Reason of a record that was begun and never got one. No rule that looks at earlier attempts looks at it. */
export const BEGUN = 'begun';

/** A record of nothing. */
export const EMPTY: Omit<CompactionRecord, 'id' | 'status' | 'covers' | 'replaces' | 'edits'> = {
  kind: 'compaction',
  at: 0,
  preset: 'branch',
  cause: 'automatic',
  reason: '',
  method: 'none',
  degraded: false,
  inserts: [],
  text: '',
  tokens: { before: 0, after: 0, fixed: 0, basis: 'estimated' },
  counts: { before: 0, after: 0, compressed: 0, preserved: 0 },
  calls: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  findings: [],
};
