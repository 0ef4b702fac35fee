import type { Violation } from '../../model/format.ts';

/** A rule the first-party API enforces. */
export function broken(rule: string, at: number, detail: string): Violation {
  return { rule, severity: 'error', at, detail };
}

/** A rule that only some servers, models or settings enforce. */
export function unportable(rule: string, at: number, detail: string): Violation {
  return { rule, severity: 'portability', at, detail };
}
