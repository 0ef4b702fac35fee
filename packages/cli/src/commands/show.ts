import type { ConversationInfo, Log, StoredMessage } from '@epitome/store';
import { decodeAll } from '@epitome/transcripts';
import { UsageError } from '../errors.ts';
import { readImportSettings } from '../import/sessions.ts';
import { readAmount } from '../options.ts';
import { clearMessages } from '../output/cleared.ts';
import { messageLines } from '../output/messages.ts';
import { plain } from '../output/text.ts';
import { writeOut } from '../output/write.ts';
import { existing, findConversation, type StoreOptions, withLog } from '../store-options.ts';

/** Options of `show`. */
export type ShowOptions = StoreOptions & {
  readonly branch?: string;
  readonly around?: string;
  readonly json?: true;
};

/** Shows a stored conversation, or one message of it, as it was said. Returns the exit code. */
export async function runShow(wanted: string, message: string | undefined, options: ShowOptions): Promise<number> {
  const around = aroundOf(options.around);
  if (around > 0 && message === undefined)
    throw new UsageError('--around takes messages beside one; name the message.');
  await withLog({ location: existing(options), tenant: options.tenant }, async (log) => {
    const conversation = await findConversation(log, wanted);
    const { all, shown } = await messagesOf(log, conversation.id, { branch: options.branch, message, around });
    if (options.json) {
      const natives = shown.map(({ native, ...rest }) => ({ ...rest, native: JSON.parse(native) }));
      await writeOut(`${JSON.stringify({ ...conversation, messages: natives })}\n`);
      return;
    }
    // All of them are decoded: a result has its tool's name from the call.
    const decoded = decodeAll(
      all.map(({ native }) => JSON.parse(native)),
      conversation.format,
    );
    const chosen = new Set(shown.map(({ id }) => id));
    const lines = all.flatMap(({ id }, index) => {
      const neutral = decoded[index];
      if (!chosen.has(id) || neutral === undefined) return [];
      return clearMessages([neutral]).flatMap((told) => [
        `[${index}] ${told.role}  ${plain(id)}`,
        ...messageLines(told),
        '',
      ]);
    });
    await writeOut(`${[titleOf(conversation), '', ...lines].join('\n')}\n`);
  });
  return 0;
}

function aroundOf(text: string | undefined): number {
  const amount = text === undefined ? 0 : readAmount(text);
  if (amount !== undefined && amount >= 0) return Math.ceil(amount);
  throw new UsageError(`--around takes a number of messages, such as 3, not ${JSON.stringify(text)}.`);
}

type Choice = {
  readonly branch: string | undefined;
  readonly message: string | undefined;
  readonly around: number;
};
type Chosen = { readonly all: readonly StoredMessage[]; readonly shown: readonly StoredMessage[] };

/** The messages of a branch, and those of them that are meant; one that is on another branch comes alone. */
async function messagesOf(log: Log, conversation: string, { branch, message, around }: Choice): Promise<Chosen> {
  const all = await log.messages({ conversation, ...(branch === undefined ? {} : { branch }) });
  if (message === undefined) return { all, shown: all };
  const at = all.findIndex(({ id }) => id === message);
  if (at >= 0) return { all, shown: all.slice(Math.max(0, at - around), at + around + 1) };
  const alone = await log.expand(conversation, message);
  return { all: alone, shown: alone };
}

function titleOf({ id, settings }: ConversationInfo): string {
  const from = readImportSettings(settings);
  const when = from?.startedAt === undefined ? '' : new Date(from.startedAt).toISOString().slice(0, 10);
  return [plain(id), when, plain(from?.title ?? ''), plain(from?.cwd ?? '')].filter((word) => word !== '').join('  ');
}
