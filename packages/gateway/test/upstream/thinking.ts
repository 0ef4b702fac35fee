import { isObject, objectsOf, problem, sign, textOf } from './json.ts';
import type { Json, Problem, Reading } from './types.ts';

/** Consecutive messages of one role, as the API merges them. */
export type Turn = { readonly role: string; readonly blocks: readonly Json[] };

/** The merged turns of a list. */
export function turnsOf(messages: readonly unknown[]): readonly Turn[] {
  const turns: { role: string; blocks: Json[] }[] = [];
  for (const message of messages.filter(isObject)) {
    const role = textOf(message['role']);
    const content = message['content'];
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else turns.push({ role, blocks: [...blocks] });
  }
  return turns;
}

/** The signature of a thinking block: it holds for the conversation in front of it and no other (A12). */
export function bindingOf({ fixed, messages }: Reading, thinking: string): string {
  return sign(prefixOf(fixed, turnsOf(messages)), thinking);
}

/** The first thinking block that was made in another conversation, or changed. */
export function bindingProblem({ fixed, messages }: Reading, body: Json): Problem | undefined {
  if (drops(body)) return undefined;
  const turns = turnsOf(messages);
  for (const [at, { blocks }] of turns.entries()) {
    for (const [place, { type, thinking, signature }] of blocks.entries()) {
      if (type !== 'thinking') continue;
      if (signature === sign(prefixOf(fixed, turns.slice(0, at)), textOf(thinking))) continue;
      const text = `messages.${at}.content.${place}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;
      return problem('A12', text);
    }
  }
  return undefined;
}

function drops(body: Json): boolean {
  const binding = isObject(body['thinking']) ? body['thinking']['block_binding'] : undefined;
  return isObject(binding) && binding['prefix_mismatch_behavior'] === 'drop_block';
}

// Cache marks move from request to request and are no part of the conversation.
function prefixOf(fixed: Reading['fixed'], turns: readonly Turn[]): string {
  return JSON.stringify([fixed.system, fixed.tools, turns], (key, value) =>
    key === 'cache_control' ? undefined : value,
  );
}
