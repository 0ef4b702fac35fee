import type { Counter } from '../model/count.ts';
import type { FormatName } from '../model/format.ts';
import type { Media, Message, Part } from '../model/message.ts';
import type { MeterRule } from '../model/policy.ts';
import { type CorrectionRule, PLAIN_RULE } from './calibration.ts';
import { estimateTokens } from './heuristic.ts';
import { estimateMedia } from './media.ts';

/** Raised inside the engine when a counter throws or gives no finite, non-negative number. */
export class CountFailure extends Error {
  override readonly name = 'CountFailure';
}

/** What a count comes to, or why there is none. */
export function tryCounting<T>(count: () => T): T | CountFailure {
  try {
    return count();
  } catch (cause) {
    if (cause instanceof CountFailure) return cause;
    throw cause;
  }
}

/** Measures messages, always by the same rule. */
export type Meter = {
  readonly sizeOf: (message: Message) => number;
  readonly sizeOfParts: (parts: readonly Part[]) => number;
  readonly sizeOfText: Counter;
  readonly correction: CorrectionRule;
};

// Role and delimiters of a message on the wire; 3 to 4 tokens for the public chat templates.
const MESSAGE_OVERHEAD = 4;

/** A meter for a policy: the caller's counter if there is one, else the policy's own rule. */
export function createMeter(rule: MeterRule, format: FormatName, counter?: Counter): Meter {
  const isQuarter = rule.kind === 'quarter' && counter === undefined;
  const count: Counter = counter ? guarded(counter) : isQuarter ? (text) => text.length / 4 : estimateTokens;
  const overhead = isQuarter ? 0 : MESSAGE_OVERHEAD;
  const sizeOfParts = (parts: readonly Part[]): number => {
    let sum = 0;
    for (const part of parts) sum += sizeOfPart(part, count, format);
    return sum;
  };
  return {
    sizeOf: (message) => overhead + sizeOfParts(message.parts),
    sizeOfParts,
    sizeOfText: count,
    correction: isQuarter ? rule : PLAIN_RULE,
  };
}

function sizeOfPart(part: Part, count: Counter, format: FormatName): number {
  switch (part.kind) {
    case 'text':
      return count(part.text);
    case 'reasoning':
      return count(part.text) + Math.ceil((part.sealed ?? 0) / 4);
    case 'tool-call':
      return count(part.name) + count(part.input);
    case 'tool-result':
      return count(part.text) + sumMedia(part.media, format);
    case 'media':
      return estimateMedia(part, format);
    case 'opaque':
      // Encrypted or unknown: its length over four is all that can be said of it.
      return Math.ceil(part.size / 4);
    default:
      return part satisfies never;
  }
}

function sumMedia(media: readonly Media[], format: FormatName): number {
  let sum = 0;
  for (const item of media) sum += estimateMedia(item, format);
  return sum;
}

function guarded(counter: Counter): Counter {
  return (text) => {
    const tokens = tryCount(counter, text);
    if (Number.isFinite(tokens) && tokens >= 0) return tokens;
    throw new CountFailure(`The counter returned ${String(tokens)} for a text of ${text.length} characters.`);
  };
}

function tryCount(counter: Counter, text: string): number {
  try {
    return counter(text);
  } catch (cause) {
    throw new CountFailure(`The counter threw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
