import { isObject, listOf, type Native, stringOf } from '../native.ts';
import { isBlock } from './content.ts';

/** A content block and the message it stands in. */
export type Block = { readonly at: number; readonly type: string; readonly native: Native };

/** One native message as the rules see it; string content is one text block, empty content none. */
export type Entry = { readonly at: number; readonly role: string; readonly blocks: readonly Block[] };

/** Neighbouring messages of one role, which the API merges before it checks anything (A2). */
export type Turn = { readonly role: string; readonly blocks: readonly Block[] };

/** The messages of a list; entries of an unknown shape are left out. */
export function readEntries(natives: readonly unknown[]): readonly Entry[] {
  const entries: Entry[] = [];
  natives.forEach((native, at) => {
    const role = isObject(native) ? stringOf(native['role']) : '';
    if (!isObject(native) || !['user', 'assistant', 'system'].includes(role)) return;
    entries.push({ at, role, blocks: blocksOf(native['content'], at) });
  });
  return entries;
}

/** The merged turns of a list. System messages stand beside the conversation and part no turn. */
export function mergeTurns(entries: readonly Entry[]): readonly Turn[] {
  const turns: { role: string; blocks: Block[] }[] = [];
  for (const { role, blocks } of entries) {
    if (role === 'system') continue;
    const last = turns.at(-1);
    const turn = last?.role === role ? last : { role, blocks: [] };
    if (turn !== last) turns.push(turn);
    for (const block of blocks) turn.blocks.push(block);
  }
  return turns;
}

/** The blocks of a content value. */
export function blocksOf(content: unknown, at: number): readonly Block[] {
  if (content === '') return [];
  const natives: readonly unknown[] = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  return natives.filter(isObject).map((native) => ({ at, type: stringOf(native['type']), native }));
}

/** True for text that is empty, white space or not there. */
export function isBlank(text: unknown): boolean {
  return stringOf(text).trim() === '';
}

/** True for a thinking block, readable or redacted. */
export function isThinking(block: unknown): boolean {
  return isBlock(block, 'thinking') || isBlock(block, 'redacted_thinking');
}
