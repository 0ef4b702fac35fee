import { createReadStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { locationOf } from '@epitome/store';
import { messageOf, UsageError } from '../../errors.ts';
import { linesOf } from '../../input/lines.ts';
import { createCounter } from '../../output/counter.ts';
import { writeOut } from '../../output/write.ts';
import { existing, type StoreOptions, withLog } from '../../store-options.ts';

/** Options of `store export`. */
export type ExportOptions = StoreOptions & { readonly output?: string };

const PIECE = 1 << 16;

/** Writes a conversation, or all of them, as lines of JSON. Returns the exit code. */
export async function runExport(
  conversation: string | undefined,
  { output, ...options }: ExportOptions,
  signal: AbortSignal,
): Promise<number> {
  const location = existing(options);
  if (output !== undefined && existsSync(output))
    throw new UsageError(`${output} is there already; name another file.`);
  return withLog({ location, tenant: options.tenant }, async (log) => {
    const sink = await openSink(output);
    try {
      let piece = '';
      for await (const line of log.export(conversation)) {
        signal.throwIfAborted();
        piece += `${line}\n`;
        if (piece.length < PIECE) continue;
        await sink.write(piece);
        piece = '';
      }
      await sink.write(piece);
    } finally {
      await sink.close();
    }
    return 0;
  });
}

/** Options of `store import`. */
export type ImportOptions = StoreOptions & { readonly json?: true };

/** Takes lines of an export in. Returns the exit code. */
export async function runImport(
  file: string | undefined,
  { json, ...options }: ImportOptions,
  signal: AbortSignal,
): Promise<number> {
  const isPiped = file === undefined || file === '-';
  if (!isPiped && !existsSync(file)) throw new UsageError(`There is no file ${file}.`);
  const source = isPiped ? process.stdin : createReadStream(file);
  return withLog({ location: locationOf(options.store), tenant: options.tenant }, async (log, where) => {
    const counter = createCounter('messages', process.stderr);
    try {
      const { lines, messages } = await log.import(linesOf(source, signal), (done) => counter.show(done.messages));
      counter.end();
      const said = `${messages.toLocaleString('en')} messages in ${lines.toLocaleString('en')} lines, now in ${where}.`;
      if (json) await writeOut(`${JSON.stringify({ store: where, tenant: log.tenant, lines, messages })}\n`);
      else console.error(said);
    } finally {
      counter.end();
    }
    return 0;
  });
}

type Sink = { readonly write: (text: string) => Promise<void>; readonly close: () => Promise<void> };

async function openSink(output: string | undefined): Promise<Sink> {
  if (output === undefined || output === '-') return { write: writeOut, close: async () => {} };
  // Conversations are private.
  const handle = await open(output, 'wx', 0o600).catch((cause: unknown) => {
    throw new UsageError(`${output} cannot be written: ${messageOf(cause)}`);
  });
  return {
    write: async (text) => void (await handle.write(text)),
    close: async () => {
      await handle.sync();
      await handle.close();
    },
  };
}
