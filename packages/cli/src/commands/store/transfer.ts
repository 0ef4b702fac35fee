import { createReadStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type ImportProgress, type Log, locationOf } from '@epitome/store';
import { messageOf, UsageError } from '../../errors.ts';
import { linesOf } from '../../input/lines.ts';
import { createStatus } from '../../output/status.ts';
import { counted } from '../../output/text.ts';
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
    const { lines, messages } = await importShown(log, linesOf(source, signal));
    const said = `${counted(messages, 'message')} in ${counted(lines, 'line')}, now in ${where}.`;
    if (json) await writeOut(`${JSON.stringify({ store: where, tenant: log.tenant, lines, messages })}\n`);
    else console.error(said);
    return 0;
  });
}

/** Takes lines in, and shows on a terminal how far it is. */
async function importShown(log: Log, lines: AsyncIterable<string>): Promise<ImportProgress> {
  const status = createStatus(process.stderr);
  try {
    return await log.import(lines, (done) => status.show(counted(done.messages, 'message')));
  } finally {
    status.clear();
  }
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
