import { redactSecrets } from './redact.ts';
import type { Redaction, Redactor } from './redaction.ts';

/** A redaction that always comes. `failed` is set where the given redactor did not answer and `redactSecrets` did. */
export type SafeRedaction = Redaction & { readonly failed?: 'threw' | 'timed-out' | 'bad-result' };

/** Options of `safely`. */
export type SafelyOptions = {
  /**
   * How long to wait for one text.
   * @default 2000
   */
  readonly milliseconds?: number;
};

/**
 * Wraps a redactor of any make so that it never throws and never keeps anybody waiting: where it fails, the built-in one
 * does the work, so that no text goes on unredacted. A redactor that blocks the thread cannot be interrupted.
 */
export function safely(redactor: Redactor, options: SafelyOptions = {}): (text: string) => Promise<SafeRedaction> {
  const { milliseconds = 2000 } = options;
  return async (text) => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<typeof LATE>((resolve) => {
      timer = setTimeout(() => resolve(LATE), milliseconds);
    });
    try {
      const answer = await Promise.race([redactor(text, controller.signal), late]);
      if (answer === LATE) return { ...redactSecrets(text), failed: 'timed-out' };
      return isRedaction(answer) ? answer : { ...redactSecrets(text), failed: 'bad-result' };
    } catch {
      return { ...redactSecrets(text), failed: 'threw' };
    } finally {
      clearTimeout(timer);
      controller.abort();
    }
  };
}

const LATE = Symbol('late');

function isRedaction(answer: unknown): answer is Redaction {
  if (typeof answer !== 'object' || answer === null || !('text' in answer) || !('found' in answer)) return false;
  return typeof answer.text === 'string' && Array.isArray(answer.found) && answer.found.every(isCount);
}

function isCount(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('count' in value)) return false;
  return typeof value.kind === 'string' && typeof value.count === 'number';
}
