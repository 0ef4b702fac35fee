#!/usr/bin/env node
import { CommanderError } from 'commander';
import { DiskFullError, isDiskFull, messageOf, NOT_SAVED, systemCode, UsageError, whyNot } from './errors.ts';
import { createProgram } from './program.ts';

// What the user asked for is right, and the store cannot do it.
const REFUSALS: ReadonlySet<string> = new Set([
  'newer-schema',
  'locked',
  'read-only',
  'corrupt',
  'unsafe-role',
  'unavailable',
]);

const stop = new AbortController();
let exitCode = 0;

for (const [name, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(name, () => {
    // The second time somebody means it.
    if (stop.signal.aborted) process.exit(code);
    exitCode = code;
    stop.abort();
  });
}
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (cause) => {
    // A reader that has seen enough (`| head -1`) is no fault.
    if (systemCode(cause) === 'EPIPE') process.exit(0);
    if (stream === process.stdout) console.error(`epitome: stdout cannot be written: ${whyNot(cause)}.`);
    process.exit(isDiskFull(cause) ? NOT_SAVED : 2);
  });
}

try {
  const ended = (code: number): void => {
    exitCode = code;
  };
  await createProgram({ signal: stop.signal, ended }).parseAsync();
} catch (cause) {
  exitCode = stop.signal.aborted ? exitCode : await explain(cause);
}
process.exit(exitCode);

async function explain(cause: unknown): Promise<number> {
  if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : 2;
  if (process.env['EPITOME_DEBUG'] === '1') console.error(cause);
  const { isCompactionError } = await import('epitome');
  if (cause instanceof UsageError || isCompactionError(cause)) {
    console.error(`epitome: ${messageOf(cause)}`);
    return 2;
  }
  if (cause instanceof DiskFullError) {
    console.error(`epitome: ${messageOf(cause)}`);
    return NOT_SAVED;
  }
  const { isStoreError } = await import('@epitome/store');
  if (isStoreError(cause)) {
    console.error(`epitome: ${messageOf(cause)}`);
    if (cause.code === 'full') return NOT_SAVED;
    return REFUSALS.has(cause.code) ? 3 : 2;
  }
  console.error(`epitome: unexpected: ${messageOf(cause)}\nThis is a bug; EPITOME_DEBUG=1 shows where.`);
  return 1;
}
