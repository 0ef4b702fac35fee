import { decodeAll, firstPrompt, handoverOf, promptWords, type Session } from '@epitome/transcripts';
import type { Message } from 'epitome';
import type { Conversation } from '../input/conversation.ts';
import { positive, type RunOptions } from '../options.ts';
import { clearMessages } from './cleared.ts';
import type { Run } from './report.ts';
import { fitColumns, plain } from './text.ts';

/** The hand-over document of a run: a model's summary where one wrote it, else the digest. */
export function handover({ conversation, outcome }: Run, { target, goal }: RunOptions): string {
  // Whoever pastes it elsewhere does not look for keys in it first.
  const messages = clearMessages(toldIn(conversation));
  const summary = outcome.method === 'model' ? outcome.record?.text : undefined;
  const session = conversation.kind === 'session' ? conversation.session : undefined;
  const time = session?.startedAt === undefined ? undefined : new Date(session.startedAt).toISOString().slice(0, 16);
  const about = [
    ...(session === undefined
      ? []
      : [`from ${session.source}${session.id === undefined ? '' : `, session ${session.id}`}`]),
    ...(time === undefined ? [] : [`begun ${time.replace('T', ' ')} UTC`]),
    ...(session?.cwd === undefined ? [] : [`in ${session.cwd}`]),
    `${conversation.messages.length} messages${conversation.model === undefined ? '' : `, model ${conversation.model}`}`,
  ];
  return handoverOf(messages, {
    maxTokens: target === undefined ? USUAL : positive('--target', target),
    about,
    ...titleOf(session, messages),
    ...(goal === undefined ? {} : { goal }),
    ...(summary === undefined ? {} : { summary }),
  });
}

const USUAL = 4000;

/** The session's own title, else how its first prompt begins: not what the program sent in front of it. */
function titleOf(session: Session | undefined, messages: readonly Message[]): { readonly title?: string } {
  const asked = session === undefined ? undefined : firstPrompt(session);
  const title = session?.title || asked || promptWords(messages.find(({ role }) => role === 'user'));
  return title === '' ? {} : { title: fitColumns(plain(title), LONGEST_TITLE) };
}

const LONGEST_TITLE = 80;

/** What was done; examples and summaries of it would be taken for it. */
function toldIn(conversation: Conversation): readonly Message[] {
  const { messages, format } = conversation;
  const all = decodeAll(messages, format);
  if (conversation.kind === 'document') return all;
  const told = all.filter((_, index) => !conversation.asides.has(messages[index]));
  return told.length === 0 ? all : told;
}
