import type { StoreStats } from '@epitome/store';
import { plain, widest } from '../../output/text.ts';
import { writeOut } from '../../output/write.ts';
import { existing, type StoreOptions, withLog } from '../../store-options.ts';

/** Options of commands that can answer as JSON. */
export type ListOptions = StoreOptions & { readonly json?: true };

/** Prints what a store holds. Returns the exit code. */
export async function runStats({ json, ...options }: ListOptions): Promise<number> {
  return withLog({ location: existing(options), tenant: options.tenant }, async (log, where) => {
    const stats = await log.stats();
    const rows = WORDS.map(([key, word]) => ({ word, figure: stats[key].toLocaleString('en') }));
    const width = widest(rows.map(({ figure }) => figure));
    const text = rows.map(({ word, figure }) => `${figure.padStart(width)}  ${word}`).join('\n');
    await writeOut(
      json ? `${JSON.stringify({ store: where, tenant: log.tenant, ...stats })}\n` : `${where}\n${text}\n`,
    );
    return 0;
  });
}

const WORDS: readonly (readonly [keyof StoreStats, string])[] = [
  ['conversations', 'conversations'],
  ['branches', 'branches'],
  ['messages', 'messages'],
  ['records', 'records of compactions'],
  ['messageBytes', 'bytes of messages'],
  ['payloads', 'payloads, each stored once'],
  ['payloadBytes', 'bytes of payloads'],
];

/** Lists conversations, newest first. Returns the exit code. */
export async function runList({ json, ...options }: ListOptions): Promise<number> {
  return withLog({ location: existing(options), tenant: options.tenant }, async (log) => {
    for (const conversation of await log.conversations()) {
      const branches = (await log.branches(conversation.id)).map(({ name, length }) => ({ name, length }));
      const at = new Date(conversation.createdAt).toISOString().slice(0, 16).replace('T', ' ');
      const lengths = branches.map(({ name, length }) => `${name} ${length}`).join(', ');
      const line = plain(`${conversation.id}  ${at}  ${conversation.format}  ${lengths}`);
      await writeOut(`${json ? JSON.stringify({ ...conversation, branches }) : line}\n`);
    }
    return 0;
  });
}
