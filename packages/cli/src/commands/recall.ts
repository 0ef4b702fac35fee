import type { Hit, Log } from '@epitome/store';
import { redactSecrets } from 'epitome/secrets';
import { type ImportSettings, readImportSettings } from '../import/sessions.ts';
import { positive } from '../options.ts';
import { columns, fitColumns, plain, wrapLines } from '../output/text.ts';
import { writeOut } from '../output/write.ts';
import { existing, findConversation, type StoreOptions, withLog } from '../store-options.ts';

/** Options of `recall`. */
export type RecallOptions = StoreOptions & {
  readonly json?: true;
  readonly limit?: string;
  readonly conversation?: string;
};

type Found = Hit & { readonly from?: ImportSettings };

/** Finds messages in everything that was imported, compacted or not. Returns the exit code. */
export async function runRecall(words: readonly string[], options: RecallOptions): Promise<number> {
  const limit = options.limit === undefined ? 10 : Math.ceil(positive('--limit', options.limit));
  const found = await withLog({ location: existing(options), tenant: options.tenant }, async (log) => {
    const within = options.conversation === undefined ? undefined : await findConversation(log, options.conversation);
    const hits = await log.recall(words.join(' '), {
      limit,
      ...(within === undefined ? {} : { conversation: within.id }),
    });
    return Promise.all(hits.map((hit) => withOrigin(log, hit)));
  });
  if (options.json) await writeOut(`${JSON.stringify(found)}\n`);
  else {
    const lines = found.length === 0 ? ['Nothing found.'] : found.flatMap(linesOf);
    await writeOut(`${redactSecrets(lines.join('\n')).text}\n`);
  }
  return 0;
}

async function withOrigin(log: Log, hit: Hit): Promise<Found> {
  const from = readImportSettings((await log.conversation(hit.conversation))?.settings);
  return from === undefined ? hit : { ...hit, from };
}

function linesOf({ conversation, role, snippet, messageId, from }: Found): readonly string[] {
  const when = from?.startedAt === undefined ? '' : `  ${new Date(from.startedAt).toISOString().slice(0, 10)}`;
  const title = from?.title === undefined ? '' : `  ${plain(from.title)}`;
  const width = columns();
  return [
    fitColumns(`${plain(conversation)}${when}${title}`, width),
    ...wrapLines(`  ${role}: ${plain(snippet)}`, width).split('\n'),
    ...wrapLines(`  epitome show ${quoted(plain(conversation))} ${quoted(plain(messageId))}`, width).split('\n'),
    '',
  ];
}

// To be pasted into a shell; ids of files may hold blanks.
function quoted(word: string): string {
  return /^[\w@%+=:,./#-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
