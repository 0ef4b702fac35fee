import { compact, type FormatName, formatNamed, type LogRecord, type Message, project } from 'epitome';
import { builders } from 'epitome/testing';
import type { BranchRef, Log, Publication } from '../../src/index.ts';

/** An exchange of a prompt and an answer, as JSON texts. */
export const exchange = (index: number, format: FormatName = 'openai-chat'): readonly string[] => {
  const { user, assistant } = builders[format];
  return [
    user(`question ${index} ${'and some detail '.repeat(20)}`),
    assistant(`answer ${index} ${'with some detail '.repeat(20)}`),
  ].map((native) => JSON.stringify(native));
};

/** Several exchanges. */
export const exchanges = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => exchange(from + index)).flat();

/** Compacts a branch as a user's command would, and publishes what came of it. */
export async function compactBranch(
  log: Log,
  ref: BranchRef,
  between: () => Promise<void> = async () => {},
): Promise<{ readonly publication: Publication; readonly records: readonly LogRecord[] }> {
  const { input, snapshot } = await log.workOf(ref);
  const outcome = await compact(
    { ...input, policy: 'branch', window: 100_000, cause: 'manual' },
    {
      summarizer: () =>
        Promise.resolve({ text: `Summary of ${input.ids.length} messages, the last ${input.ids.at(-1)}.` }),
    },
  );
  await between();
  const publication = await log.publish(ref, { snapshot, records: outcome.records });
  return { publication, records: outcome.records };
}

/** The native messages of a view, parsed. */
export const shown = async (log: Log, ref: BranchRef): Promise<readonly unknown[]> =>
  (await log.viewOf(ref)).entries.map(({ native }): unknown => JSON.parse(native));

/** The view by core's projection of the whole branch, with every record in full: what a bounded view must equal. */
export async function fullView(log: Log, ref: BranchRef): Promise<readonly unknown[]> {
  const info = await log.conversation(ref.conversation);
  const format = formatNamed(info?.format ?? 'openai-chat');
  const stored = await log.messages(ref);
  const messages: Message[] = [];
  for (const { native } of stored) messages.push(format.decode(JSON.parse(native), messages));
  const records = (await log.records(ref))
    .filter(({ state }) => state === 'completed' || state === 'undone' || state === 'failed')
    .map(({ record }) => record);
  const view = project({ format, messages, ids: stored.map(({ id }) => id) }, records);
  return view.entries.map(({ message }) => message.native);
}

/** All lines of an export. */
export async function linesOf(log: Log, conversation?: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of log.export(conversation)) lines.push(line);
  return lines;
}
