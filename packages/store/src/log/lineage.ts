import type { CompactionRecord, LogRecord } from 'epitome';
import { activeRecords } from 'epitome/record';
import type { RecordHead, Span } from '../model/rows.ts';
import { holds, type Path } from './path.ts';

/** A record in force: its head, the depths it hides with all it inherited, and the records whose edits it shows. */
export type InForce = {
  readonly head: RecordHead;
  readonly covers: readonly Span[];
  readonly editors: readonly string[];
};

export type Reuse = 'strict' | 'shared-cutoff';

/** The heads that stand on a path: those whose parent message is on it. */
export function standing(heads: readonly RecordHead[], path: Path): readonly RecordHead[] {
  return heads.filter(({ parent }) => parent === null || holds(path, parent));
}

/** The records in force on a path, by core's own rule, without reading a single covered message. */
export function inForce(heads: readonly RecordHead[], path: Path, reuse: Reuse): readonly InForce[] {
  const applicable = applicableHeads(heads, path, reuse).filter(({ state }) => state === 'completed');
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

/** Heads as the records they are the heads of, for rules that read neither text nor messages. */
export function outlines(heads: readonly RecordHead[], path: Path): readonly LogRecord[] {
  return heads.map((head) => outline(head, path, new Map()));
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
    open.push(...head.replaces);
  }
  return [...found.values()].sort((a, b) => a.seq - b.seq);
}

function applicableHeads(heads: readonly RecordHead[], path: Path, reuse: Reuse): readonly RecordHead[] {
  const here = standing(heads, path);
  if (reuse === 'strict') return here;
  // A summary taken from another branch is undone where its own branch undid it.
  const known = new Set(here);
  return heads.filter((head) => known.has(head) || head.kind === 'undo' || isNear(head, path));
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
  if (kind === 'undo') return { kind, id, at: 0, undoes: undoes ?? '' };
  const at = (place: RecordHead['parent']): string | undefined =>
    place !== null && holds(path, place) ? `@${place.depth}` : undefined;
  const [parentId, lastSummarizedId, anchorId] = [at(parent), at(cutoff), at(anchor)];
  return {
    ...EMPTY,
    id,
    status: head.state === 'completed' ? 'compressed' : 'noop',
    covers: atomNames(head.covers, atoms),
    replaces: head.replaces,
    edits: head.hasEdits ? [{ messageId: id, part: 0, text: null }] : [],
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
