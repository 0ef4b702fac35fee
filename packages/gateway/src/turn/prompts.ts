import { formatNamed, type Message } from 'epitome';
import type { Dialect } from '../model/dialect.ts';

/** A message out of its text. */
export function decoded(dialect: Dialect, text = 'null'): Message {
  return formatNamed(dialect).decode(JSON.parse(text), []);
}

/** Whether a message is a prompt. Words beside a result belong to the turn of its call. */
export function isPrompt(message: Message): boolean {
  return message.role === 'user' && !holdsResult(message);
}

/** The place of the first prompt behind a place, which ends the turn that is there; -1 where that is still under way. */
export function promptAfter(dialect: Dialect, texts: readonly string[], place: number): number {
  return texts.findIndex((_, at) => at > place && isPromptAt(dialect, texts, at));
}

/** The place of the prompt of the turn that a place is in; -1 where there is none. */
export function promptBefore(dialect: Dialect, texts: readonly string[], place: number): number {
  return texts.findLastIndex((_, at) => at <= place && isPromptAt(dialect, texts, at));
}

function isPromptAt(dialect: Dialect, texts: readonly string[], place: number): boolean {
  if (!isPrompt(decoded(dialect, texts[place]))) return false;
  // Messages of the user that follow each other are one to their provider, with the results in it (A2).
  for (let at = place - 1; at >= 0; at -= 1) {
    const message = decoded(dialect, texts[at]);
    if (message.role !== 'user') return true;
    if (holdsResult(message)) return false;
  }
  return true;
}

function holdsResult({ parts }: Message): boolean {
  return parts.some(({ kind }) => kind === 'tool-result');
}
