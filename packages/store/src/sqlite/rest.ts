/** Work for times without any. */
export type Rest = { readonly putOff: () => void; readonly end: () => void };

const QUIET_MS = 250;

/** Does work once nothing has happened for a while. Holds up no process that wants to end. */
export function createRest(work: () => Promise<void>): Rest {
  let timer: NodeJS.Timeout | undefined;
  return {
    putOff: () => {
      // A failure is nobody's business here: whoever needs the work done does it, and is told.
      if (timer === undefined) timer = setTimeout(() => void work().catch(() => {}), QUIET_MS).unref();
      else timer.refresh();
    },
    end: () => clearTimeout(timer),
  };
}
