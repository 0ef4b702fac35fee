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
  const leaf = (selection.branch ?? session.branches[0])?.leaf ?? -1;
  const path = entriesOf(session, leaf);
  const last = selection.scope === 'live' ? compactionsOf(session, leaf).at(-1) : undefined;
  if (last === undefined) return joined(session, path);
  const rest = path.filter((index) => index > last.behind);
  const hasSummary = rest.some((index) => session.entries[index]?.isSummary);
  return [...leftBy(session, last, hasSummary), ...joined(session, rest)];
}

/** What a compaction left in view, before anything followed it. */
export function messagesAfter(session: Session, compaction: Compaction): readonly unknown[] {
  return leftBy(session, compaction, false);
}

function leftBy(session: Session, compaction: Compaction, hasSummary: boolean): readonly unknown[] {
  const { live, summary, firstKept, behind } = compaction;
  if (live !== undefined) return live;
  const path = entriesOf(session, behind);
  const kept =
    firstKept === undefined
      ? []
      : joined(
          session,
          path.filter((index) => index >= firstKept),
        );
  return summary === undefined || hasSummary ? kept : [summaryNative(session.format, summary), ...kept];
}

/** Records of one answer become one message, results that came between them stand behind it. */
function joined({ entries, format }: Session, path: readonly number[]): readonly unknown[] {
  const natives: unknown[] = [];
  let open: { readonly step: string; readonly at: number } | undefined;
  for (const index of path) {
    const entry = entries[index];
    if (entry === undefined) continue;
    const isSame = open !== undefined && entry.step === open.step && entry.natives.length === 1;
    const whole = isSame && open !== undefined ? join(format, natives[open.at], entry.natives[0]) : undefined;
    if (whole !== undefined && open !== undefined) natives[open.at] = whole;
    else natives.push(...entry.natives);
    if (whole !== undefined || entry.step === '') continue;
    open = entry.step === undefined ? undefined : { step: entry.step, at: natives.length - 1 };
  }
  return natives;
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
