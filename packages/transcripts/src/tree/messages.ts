import type { FormatName } from 'epitome';
import { isObject, type JsonObject, listOf } from '../model/json.ts';
import type { Branch, Compaction, Session } from '../model/session.ts';

/** Which messages of a session are meant. */
export type Selection = {
  /** @default the one the program would go on with */
  readonly branch?: Branch;
  /**
   * `all`: every original; `live`: only what the program itself still showed to the model after its last compaction.
   * @default 'all'
   */
  readonly scope?: 'all' | 'live';
};

/** Places of the entries of a branch, oldest first. */
export function entriesOf({ entries }: Session, leaf: number): readonly number[] {
  const path: number[] = [];
  for (let at = leaf; at >= 0; at = entries[at]?.parent ?? -1) path.push(at);
  return path.reverse();
}

/** Compactions that stand on a branch, in order. */
export function compactionsOf(session: Session, leaf: number): readonly Compaction[] {
  const path = new Set(entriesOf(session, leaf));
  return session.compactions.filter(({ behind }) => behind < 0 || path.has(behind));
}

/** The messages of a branch in the session's format; records of one answer come as one message. */
export function messagesOf(session: Session, selection: Selection = {}): readonly unknown[] {
  return placedOf(session, selection).map(({ native }) => native);
}

/** A message with the entry it begins with; one that stands in no entry (a compaction's own) has -1. */
export type Placed = { readonly native: unknown; readonly entry: number };

/** The messages of a branch with their entries. */
export function placedOf(session: Session, selection: Selection = {}): readonly Placed[] {
  const leaf = (selection.branch ?? session.branches[0])?.leaf ?? -1;
  const path = entriesOf(session, leaf);
  const last = selection.scope === 'live' ? compactionsOf(session, leaf).at(-1) : undefined;
  if (last === undefined) return joined(session, path);
  const rest = path.filter((index) => index > last.behind);
  const hasSummary = rest.some((index) => session.entries[index]?.isSummary);
  const { summary: _told, ...untold } = last;
  return [...leftBy(session, hasSummary ? untold : last), ...joined(session, rest)];
}

/** What a compaction left in view, before anything followed it. */
export function messagesAfter(session: Session, compaction: Compaction): readonly unknown[] {
  return leftBy(session, compaction).map(({ native }) => native);
}

/**
 * Messages of a branch that tell nothing of what was done: examples, nudges, and summaries whose originals stand in
 * front of them. By their identity, so that they are known among messages that were repaired.
 */
export function asidesOf(session: Session, selection: Selection = {}): ReadonlySet<unknown> {
  const isWhole = selection.scope !== 'live';
  const aside = placedOf(session, selection).filter(({ entry }) => {
    const { isAside, isSummary } = session.entries[entry] ?? {};
    return isAside === true || (isSummary === true && isWhole);
  });
  return new Set(aside.map(({ native }) => native));
}

function leftBy(session: Session, compaction: Compaction): readonly Placed[] {
  const { live, summary, firstKept, behind } = compaction;
  if (live !== undefined) return live.map((native) => ({ native, entry: -1 }));
  const path = entriesOf(session, behind);
  const kept =
    firstKept === undefined
      ? []
      : joined(
          session,
          path.filter((index) => index >= firstKept),
        );
  if (summary === undefined) return kept;
  return [{ native: summaryNative(session.format, summary), entry: -1 }, ...kept];
}

/** Records of one answer become one message, results that came between them stand behind it. */
function joined({ entries, format }: Session, path: readonly number[]): readonly Placed[] {
  const placed: Placed[] = [];
  let open: { readonly step: string; readonly at: number } | undefined;
  for (const index of path) {
    const entry = entries[index];
    if (entry === undefined) continue;
    const before = open !== undefined && entry.step === open.step ? placed[open.at] : undefined;
    const whole = entry.natives.length === 1 ? join(format, before?.native, entry.natives[0]) : undefined;
    if (whole !== undefined && before !== undefined && open !== undefined) {
      placed[open.at] = { native: whole, entry: before.entry };
      continue;
    }
    for (const native of entry.natives) placed.push({ native, entry: index });
    if (entry.step !== '') open = entry.step === undefined ? undefined : { step: entry.step, at: placed.length - 1 };
  }
  return placed;
}

function join(format: FormatName, before: unknown, native: unknown): unknown {
  if (!isObject(before) || !isObject(native) || before['role'] !== native['role']) return undefined;
  if (format === 'anthropic') {
    return { ...before, content: [...blocksOf(before['content']), ...blocksOf(native['content'])] };
  }
  return format === 'openai-chat' ? joinChat(before, native) : undefined;
}

function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content);
}

function joinChat(before: JsonObject, native: JsonObject): unknown {
  const texts = [before['content'], native['content']].filter((text) => typeof text === 'string' && text !== '');
  const calls = [...listOf(before['tool_calls']), ...listOf(native['tool_calls'])];
  return { ...before, content: texts.length === 0 ? null : texts.join('\n\n'), tool_calls: calls };
}

function summaryNative(format: FormatName, text: string): unknown {
  if (format === 'gemini') return { role: 'user', parts: [{ text }] };
  if (format === 'openai-responses') return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
  return { role: 'user', content: [{ type: 'text', text }] };
}
