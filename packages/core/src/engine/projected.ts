import { formatNamed } from '../formats/index.ts';
import { checkLike } from '../model/check.ts';
import type { FormatName } from '../model/format.ts';
import type { Reuse } from '../model/policy.ts';
import type { LogRecord } from '../model/record.ts';
import type { View } from '../model/view.ts';
import { checkRecords } from '../record/check.ts';
import { chainIds } from '../record/ids.ts';
import { type Branch, project as projectBranch } from '../record/project.ts';
import { checkTurn } from './check.ts';
import { decodeAll } from './request.ts';

/** Native messages by the name of their format, or a branch that is decoded already. */
export type Projectable =
  | Branch
  | {
      readonly format: FormatName;
      readonly messages: readonly unknown[];
      /** @default a hash chain over the messages, as `compact` makes it. */
      readonly ids?: readonly string[] | undefined;
    };

/** What the model is shown of a conversation by the records of its log: entries, and the native messages they stand for. */
export function project(
  conversation: Projectable,
  records: readonly LogRecord[],
  reuse: Reuse = 'strict',
): View & { readonly messages: readonly unknown[] } {
  checkLike(conversation, { messages: [] }, 'conversation');
  checkRecords(records);
  const { entries } = projectBranch(branchOf(conversation), records, reuse);
  return { entries, messages: entries.map(({ message }) => message.native) };
}

function branchOf(conversation: Projectable): Branch {
  if (!isNative(conversation)) {
    checkLike(conversation, { format: {}, ids: [] }, 'conversation');
    return conversation;
  }
  const format = formatNamed(conversation.format);
  checkTurn(conversation);
  const messages = decodeAll(conversation.messages, format);
  return { format, messages, ids: conversation.ids ?? chainIds(messages) };
}

function isNative(conversation: Projectable): conversation is Exclude<Projectable, Branch> {
  return typeof conversation.format === 'string';
}
