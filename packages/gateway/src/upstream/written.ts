import { estimateTokens } from 'epitome';
import { fieldsOf } from '../json/values.ts';

/** What came of an answer, for whoever is charged for one that reported no usage. */
export type Came = {
  /** Estimated tokens of what the model wrote. */
  readonly output: number;
  /** Whether an error came in place of an answer. */
  readonly isFailure: boolean;
};

// What stands beside what was written, and what is sealed or an image: its characters tell nothing of tokens.
const BESIDE: ReadonlySet<string> = new Set([
  'type',
  'role',
  'id',
  'call_id',
  'status',
  'data',
  'mimeType',
  'signature',
  'thoughtSignature',
  'encrypted_content',
  'b64_json',
  'result',
  'url',
]);

/** Estimated tokens of all texts in a value. */
export function tokensIn(value: unknown): number {
  const texts: string[] = [];
  // An answer may be nested deeper than the stack.
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') texts.push(next);
    for (const [key, inner] of Object.entries(fieldsOf(next))) if (!BESIDE.has(key)) waiting.push(inner);
  }
  return estimateTokens(texts.reverse().join(''));
}
