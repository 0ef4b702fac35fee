import { columns, fitColumns, plain } from '../output/text.ts';
import { writeOut } from '../output/write.ts';
import { existing, withLog } from '../store-options.ts';
import { listChats } from './conversation.ts';
import type { ChatOptions } from './options.ts';

/** Lists the chats that can be gone on with, the last used first. Returns the exit code. */
export async function listResumable({ store }: Pick<ChatOptions, 'store'>): Promise<number> {
  const location = existing(store === undefined ? {} : { store });
  const chats = await withLog({ location, tenant: undefined }, (log) => listChats(log));
  const lines = chats.map(({ id, settings: { usedAt, folder, title } }) => {
    const when = new Date(usedAt).toISOString().slice(0, 16).replace('T', ' ');
    return fitColumns(`${id.slice(0, 8)}  ${when}  ${plain(title)}  (${plain(folder)})`, columns());
  });
  const said = lines.length === 0 ? ['There are no chats yet.'] : lines;
  await writeOut(`${said.join('\n')}\n`);
  return 0;
}
