/** Resolves when a signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A controller that also aborts with a signal, until it is let go. */
export type Following = AbortController & { readonly letGo: () => void };

/** Makes one. Unlike what `AbortSignal.any` gives, it leaves nothing behind at a signal that lives on. */
export function following(signal: AbortSignal): Following {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return Object.assign(controller, { letGo: () => signal.removeEventListener('abort', abort) });
}
