import type { FormatName } from 'epitome';
import type { JsonObject } from '../model/json.ts';
import { evidenceOf } from './evidence.ts';

/** A format and how sure it is. `assumed`: nothing tells, and the plainest one that fits was taken. */
export type Detected = { readonly format: FormatName; readonly basis: 'detected' | 'assumed' };

/**
 * The format of a list of messages, from what only one format has. Plain text is read as Chat Completions, or as
 * Anthropic's where the object around it has a `system` or names a Claude model: what is valid there is valid for the AI
 * SDK, which shares that shape.
 */
export function detectFormat(messages: readonly unknown[], envelope: JsonObject | undefined): Detected {
  const tally = new FormatTally();
  for (const message of messages) tally.add(message);
  return tally.format(envelope);
}

/** Finds the format of messages that come one by one. */
export class FormatTally {
  readonly #counts = new Map<FormatName, number>();

  /** Takes one more message into account. */
  add(message: unknown): void {
    const format = evidenceOf(message);
    if (format !== undefined) this.#counts.set(format, (this.#counts.get(format) ?? 0) + 1);
  }

  /** The format of the messages so far, which came in the given object where there was one. */
  format(envelope: JsonObject | undefined): Detected {
    const format = [...this.#counts].sort(([, one], [, other]) => other - one)[0]?.[0];
    if (format !== undefined) return { format, basis: 'detected' };
    if (envelope === undefined) return { format: 'openai-chat', basis: 'assumed' };
    if ('contents' in envelope) return { format: 'gemini', basis: 'detected' };
    if ('input' in envelope) return { format: 'openai-responses', basis: 'detected' };
    const model = envelope['model'];
    if (typeof model === 'string' && CLAUDE.test(model)) return { format: 'anthropic', basis: 'detected' };
    return { format: 'system' in envelope ? 'anthropic' : 'openai-chat', basis: 'assumed' };
  }
}

const CLAUDE = /(?:^|[./])claude/;
