import type { FormatName } from '../model/format.ts';
import { isObject } from './native.ts';
import { itemKind } from './openai-responses/items.ts';

/** Members of a request's body that leave its past with the provider. */
export const SERVER_STATE: readonly string[] = ['previous_response_id', 'conversation'];

/** Whether a message is only named, and kept by the provider: nobody else can say what it holds. */
export function isKeptByServer(message: unknown): boolean {
  return isObject(message) && itemKind(message) === 'reference';
}

/** A request as its provider takes it. */
export type StatefulRequest = {
  readonly format: FormatName;
  readonly body: Readonly<Record<string, unknown>>;
  readonly messages: readonly unknown[];
};

/**
 * Whether the provider holds a part of what a request goes on from. Such a request is not to be pruned: what it answers may
 * be a call that only the provider knows (R1), and what is not in it cannot be compacted (R7).
 */
export function holdsServerState({ format, body, messages }: StatefulRequest): boolean {
  if (format !== 'openai-responses') return false;
  return SERVER_STATE.some((key) => (body[key] ?? null) !== null) || messages.some(isKeptByServer);
}
