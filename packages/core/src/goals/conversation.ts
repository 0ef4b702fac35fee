import { formatNamed } from '../formats/index.ts';
import type { FormatName } from '../model/format.ts';
import type { Message } from '../model/message.ts';
import { isFixed, type ViewEntry } from '../model/view.ts';
import { project } from '../record/project.ts';

/** A conversation as the model is shown it, in native values. */
export type Spoken = { readonly format: FormatName; readonly messages: readonly unknown[] };

/** The newest messages of a conversation, oldest first, without system messages and words of ours. */
export function newest({ format: name, messages: natives }: Spoken, count: number): readonly ViewEntry[] {
  const format = formatNamed(name);
  const messages: Message[] = [];
  for (const native of natives.slice(-count)) messages.push(format.decode(native, messages));
  const { entries } = project({ format, messages, ids: [] }, []);
  return entries.filter((entry) => !isFixed(entry) && entry.summary === undefined && !entry.filler);
}
