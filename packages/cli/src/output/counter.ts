/** A number that goes up on a terminal. */
export type Counter = { readonly show: (count: number) => void; readonly end: () => void };

const EVERY_MS = 100;

/** Shows on a terminal how far something is; writes nothing elsewhere. */
export function createCounter(what: string, stream: NodeJS.WriteStream): Counter {
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show: (count) => {
      const now = performance.now();
      if (!stream.isTTY || now - shownAt < EVERY_MS) return;
      shownAt = now;
      stream.write(`\r\u001b[K${count.toLocaleString('en')} ${what}`);
    },
    end: () => {
      if (shownAt !== Number.NEGATIVE_INFINITY) stream.write('\r\u001b[K');
      shownAt = Number.NEGATIVE_INFINITY;
    },
  };
}
