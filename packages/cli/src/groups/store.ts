import type { Command } from 'commander';
import type { DoctorOptions } from '../commands/doctor.ts';
import type { ForgetOptions } from '../commands/store/forget.ts';
import type { JobsOptions, QueueOptions } from '../commands/store/jobs.ts';
import type { ListOptions } from '../commands/store/stats.ts';
import type { ExportOptions, ImportOptions } from '../commands/store/transfer.ts';
import type { WorkerOptions } from '../commands/worker.ts';
import { STORE_HELP, WORKER_HELP } from '../help/store.ts';
import { addHelp } from './help.ts';
import { collect, type Running } from './running.ts';

/** The option that names a store. */
export const STORE = [
  '--store <where>',
  'a file, or postgres://… (default: EPITOME_STORE, else your own file)',
] as const;

/** Adds the commands on stored conversations. */
export function addStoreCommands(program: Command, running: Running): void {
  program.commandsGroup('Store:');
  addWorker(program, running);
  program
    .command('doctor')
    .argument('[file]', 'the file of a store (default: EPITOME_STORE, else your own file)')
    .description('look through the file of a store for damage; changes nothing')
    .option('--salvage <new-file>', 'copy what is readable there')
    .option('--json', 'print JSON')
    .action(async (file: string | undefined, options: DoctorOptions) => {
      const { runDoctor } = await import('../commands/doctor.ts');
      running.ended(await runDoctor(file, options));
    });
  const store = program
    .command('store')
    .description('what a store holds: look, move, delete, queue')
    .addHelpText('after', STORE_HELP);
  addReading(store, running);
  addTransfer(store, running);
  addQueue(store, running);
  addHelp(store);
}

function addWorker(program: Command, { signal, ended }: Running): void {
  program
    .command('worker')
    .description('compact in the background what the queue of a store asks for')
    .option(...STORE)
    .option('-p, --preset <name>', 'how to compact', 'epitome')
    .option('-w, --window <tokens>', "the model's context window, such as 200000 or 200k (default: 128k)")
    .option('-t, --target <tokens>', 'most tokens the result may have, or off')
    .option('-s, --set <key=value>', 'an option of the preset; repeatable', collect)
    .option('--summarizer <name>', 'mechanical or PROVIDER/MODEL, see `epitome help compact`', 'mechanical')
    .option('--summarizer-window <tokens>', "the summarizer's own window (default: --window, at least 8192)")
    .option('--timeout <seconds>', 'longest call of a summarizer (default: 60)')
    .option('--concurrency <number>', 'conversations at the same time', '2')
    .option('--attempts <number>', 'tries before a job rests as dead', '5')
    .option('--json', 'print a line of JSON for each job that ended or failed')
    .option('-q, --quiet', 'nothing on stderr but errors')
    .addHelpText('after', WORKER_HELP)
    .action(async (options: WorkerOptions) => {
      const { runWorker } = await import('../commands/worker.ts');
      ended(await runWorker(options, signal));
    });
}

function addReading(store: Command, { ended }: Running): void {
  onLog(store.command('stats'))
    .description('count conversations, messages, records and bytes')
    .option('--json', 'print JSON')
    .action(async (options: ListOptions) => {
      const { runStats } = await import('../commands/store/stats.ts');
      ended(await runStats(options));
    });
  onLog(store.command('list'))
    .description('list conversations, newest first')
    .option('--json', 'print a line of JSON for each')
    .action(async (options: ListOptions) => {
      const { runList } = await import('../commands/store/stats.ts');
      ended(await runList(options));
    });
}

function addTransfer(store: Command, { signal, ended }: Running): void {
  onLog(store.command('export'))
    .argument('[conversation]', 'one of them (default: all)')
    .description('write conversations as lines of JSON, losing nothing')
    .option('-o, --output <file>', 'write there instead of stdout')
    .action(async (conversation: string | undefined, options: ExportOptions) => {
      const { runExport } = await import('../commands/store/transfer.ts');
      ended(await runExport(conversation, options, signal));
    });
  onLog(store.command('import'))
    .argument('[file]', 'lines of an export; - or nothing reads stdin')
    .description('take an export in; one that broke off can be run again')
    .option('--json', 'print JSON')
    .action(async (file: string | undefined, options: ImportOptions) => {
      const { runImport } = await import('../commands/store/transfer.ts');
      ended(await runImport(file, options, signal));
    });
  onLog(store.command('forget'))
    .argument('<conversation>', 'its id')
    .description('delete a conversation and everything made from it, for good')
    .option('--yes', 'do it')
    .option('--json', 'print JSON')
    .action(async (conversation: string, options: ForgetOptions) => {
      const { runForget } = await import('../commands/store/forget.ts');
      ended(await runForget(conversation, options));
    });
}

function addQueue(store: Command, { ended }: Running): void {
  onLog(store.command('compact'))
    .argument('<conversation>', 'its id')
    .description('ask the workers to compact a conversation')
    .option('--branch <name>', 'one of its branches (default: main)')
    .option('-g, --goal <text>', 'what you are working on')
    .option('--focus <text>', 'what this summary should pay attention to')
    .option('--force', 'compact now, whatever the size')
    .option('--json', 'print JSON')
    .action(async (conversation: string, options: QueueOptions) => {
      const { runQueue } = await import('../commands/store/jobs.ts');
      ended(await runQueue(conversation, options));
    });
  store
    .command('jobs')
    .description('list jobs that wait, run, or failed for good')
    .option(...STORE)
    .option('--json', 'print a line of JSON for each')
    .option('--retry', 'try the dead ones again')
    .action(async (options: JobsOptions) => {
      const { runJobs } = await import('../commands/store/jobs.ts');
      ended(await runJobs(options));
    });
}

/** Adds the options that say which store, and whose conversations of it. */
export function onLog(command: Command): Command {
  return command.option(...STORE).option('--tenant <name>', 'whose conversations (default: local)');
}
