import type { Segment } from './segments.ts';

/** How a result says that its call failed, such as `exit 1`; `''` where it does not. */
export function failureOf({ text, isError }: Pick<Segment, 'text' | 'isError'>): string {
  const start = text.slice(0, 2000);
  const exit = exitOf(start);
  if (exit !== undefined) return exit === '0' ? '' : `exit ${exit}`;
  return isError || FAILED.test(start) ? 'failed' : '';
}

/** The exit code a result tells, as it stands there. */
export function exitOf(text: string): string | undefined {
  return EXIT.exec(text.slice(0, 2000))?.[1];
}

const EXIT = /\bexit(?:ed)?(?: with)?[ _](?:code|status)"?[:=]? ?(\d+)/i;
const FAILED = /^\s*(?:<\w+>)?(?:error|fatal|traceback|failed|panic)\b/i;
