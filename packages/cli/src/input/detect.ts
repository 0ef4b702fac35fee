import type { FormatName } from 'epitome';
import { evidenceOf } from './evidence.ts';
import type { JsonObject } from './json.ts';

/** A format and how sure it is. `assumed`: nothing tells, and the plainest one that fits was taken. */
export type Detected = { readonly format: FormatName; readonly basis: 'detected' | 'assumed' };

/**
 * The format of a list of messages, from what only one format has. Plain text is read as Chat Completions, or as
 * Anthropic's where the object around it has a `system` or names a Claude model: what is valid there is valid for the AI
 * SDK, which shares that shape.
 */
export function detectFormat(messages: readonly unknown[], envelope: JsonObject | undefined): Detected {
  const format = mostFrequent(messages.map(evidenceOf));
  if (format !== undefined) return { format, basis: 'detected' };
  if (envelope === undefined) return { format: 'openai-chat', basis: 'assumed' };
  if ('contents' in envelope) return { format: 'gemini', basis: 'detected' };
  if ('input' in envelope) return { format: 'openai-responses', basis: 'detected' };
  const model = envelope['model'];
  if (typeof model === 'string' && CLAUDE.test(model)) return { format: 'anthropic', basis: 'detected' };
  return { format: 'system' in envelope ? 'anthropic' : 'openai-chat', basis: 'assumed' };
}

const CLAUDE = /(?:^|[./])claude/;

function mostFrequent(evidence: readonly (FormatName | undefined)[]): FormatName | undefined {
  const tally = new Map<FormatName, number>();
  for (const format of evidence) if (format !== undefined) tally.set(format, (tally.get(format) ?? 0) + 1);
  return [...tally].sort(([, one], [, other]) => other - one)[0]?.[0];
}
