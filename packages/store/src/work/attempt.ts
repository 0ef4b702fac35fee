import type { Ports } from 'epitome';
import type { BranchRef, Log } from '../model/port.ts';

/** A compaction on its way, as the log sees it. */
export type Attempting = {
  /** The caller's ports, which tell the log when the compaction really begins. */
  readonly ports: Ports;
  /** Resolves when the log has noted the beginning; at once where there was none. */
  readonly begun: () => Promise<void>;
  /** Notes that nothing came of it. */
  readonly abandon: (cause: unknown) => Promise<void>;
  /** What the model was told to do, where one was asked. */
  readonly instructions: () => string | undefined;
};

/** Follows a compaction of a branch. What is not due is not noted. */
export function attemptOn(log: Log, ref: BranchRef, ports: Ports): Attempting {
  const newId = ports.newId ?? (() => crypto.randomUUID());
  const first = newId();
  const ids = [first];
  let beginning: Promise<unknown> | undefined;
  let instructions: string | undefined;
  const { summarizer, onEvent } = ports;
  return {
    ports: {
      ...ports,
      newId: () => ids.pop() ?? newId(),
      onEvent: (event) => {
        if (event.kind === 'compaction-start' && beginning === undefined) {
          beginning = log.begin(ref, first);
          // Whoever waits for it is told; a compaction that fails first does not.
          beginning.catch(() => {});
        }
        onEvent?.(event);
      },
      ...(summarizer === undefined
        ? {}
        : {
            summarizer: (brief, signal) => {
              instructions ??= brief.system;
              return summarizer(brief, signal);
            },
          }),
    },
    begun: async () => void (await beginning),
    abandon: async (cause) => {
      if (beginning === undefined) return;
      const reason = cause instanceof Error ? cause.message : String(cause);
      // The error that led here is the one to be told.
      await beginning.then(() => log.abandon(ref.conversation, first, reason)).catch(() => {});
    },
    instructions: () => instructions,
  };
}
