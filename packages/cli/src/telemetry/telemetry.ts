import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ChatCompressionEvent } from 'epitome/goals';
import { messageOf } from '../errors.ts';

/** Where events of compactions go: nowhere unless asked. */
export type TelemetryChoice = {
  /** Takes one JSON object a line. */
  readonly file?: string | undefined;
  /** Whether they go to the SDK of OpenTelemetry that the user installed, if any. */
  readonly openTelemetry?: boolean | undefined;
};

/** Takes events; a failure is told once and stops nothing. */
export type Telemetry = {
  readonly take: (event: ChatCompressionEvent) => void;
  /** Resolves when what was taken is on its way. */
  readonly flush: () => Promise<void>;
};

/** Opens telemetry. Events hold figures and names only, never a word of a message. */
export async function openTelemetry(
  { file, openTelemetry: isOpen = false }: TelemetryChoice,
  warn: (sentence: string) => void,
): Promise<Telemetry> {
  const spans = isOpen ? await import('./spans.ts') : undefined;
  let hasFailed = false;
  return {
    take: (event) => {
      spans?.emit(event);
      if (file === undefined || hasFailed) return;
      try {
        mkdirSync(dirname(file), { recursive: true });
        appendFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`, { mode: 0o600 });
      } catch (cause) {
        hasFailed = true;
        warn(`Telemetry cannot be written to ${file}: ${messageOf(cause)}`);
      }
    },
    flush: async () => spans?.flush(),
  };
}
