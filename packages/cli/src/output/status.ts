import { columns, fitColumns, plain } from './text.ts';

/** A line on a terminal that says what is under way. */
export type Status = { readonly show: (text: string) => void; readonly clear: () => void };

// Faster than anyone reads; every write costs.
const PAUSE_MS = 80;

/** Says nothing. */
export const NO_STATUS: Status = { show: () => undefined, clear: () => undefined };

/** Shows on a terminal how far long work is; says nothing elsewhere. */
export function createStatus(stream: NodeJS.WriteStream): Status {
  if (!stream.isTTY) return NO_STATUS;
  let shown = 0;
  return {
    show: (text) => {
      const now = Date.now();
      if (now - shown < PAUSE_MS) return;
      shown = now;
      stream.write(`\r\u001b[K${fitColumns(plain(text), columns() - 1)}`);
    },
    clear: () => stream.write('\r\u001b[K'),
  };
}

const BAR = 16;

/** How far work is, as a bar of a fixed width. */
export function barOf(done: number, all: number): string {
  const full = Math.round(Math.min(1, done / Math.max(all, 1)) * BAR);
  return `[${'='.repeat(full)}${'-'.repeat(BAR - full)}]`;
}
