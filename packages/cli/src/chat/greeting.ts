import type { OpenChat } from './open.ts';
import { amount } from './words.ts';

/** Where one is, in one line. */
export function greeting({ model }: Pick<OpenChat, 'model'>): string {
  return `Epitome with ${model.name}, window of ${amount(model.window)}. /help lists the commands.`;
}

/** How to go on later; nothing where nothing was said or kept. */
export function farewell({ ground: { conversation, isKept } }: Pick<OpenChat, 'ground'>): readonly string[] {
  if (!conversation.isStored() || !isKept) return [];
  const lost = conversation.isSaved() ? [] : ['The end of it could not be saved: the store is full.'];
  return [...lost, `Kept. epitome chat --resume ${conversation.id.slice(0, 8)} goes on with it.`];
}
