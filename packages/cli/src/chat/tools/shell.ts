import { spawn } from 'node:child_process';
import { following } from '../../aborted.ts';
import { limited, numberOf, type Tool, type ToolPlace, type ToolResult, textOf } from './tool.ts';

const KEPT_BYTES = 200_000;

/** Runs a command; somebody must allow each first. */
export function shellTool(place: ToolPlace): Tool {
  return {
    name: 'shell',
    description:
      'Runs a shell command in the working directory and gives its output and exit code. The user is asked first.',
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string', description: 'The command line' },
        timeout_seconds: { type: 'integer', description: 'Longest run, 1 to 600; default: 120' },
      },
      required: ['command'],
    },
    describe: (input) => `$ ${textOf(input, 'command')}`,
    asks: (input) => {
      const command = textOf(input, 'command');
      return { title: 'Run this shell command?', what: command, always: command };
    },
    run: async (input, signal) => {
      const command = textOf(input, 'command');
      if (command.trim() === '') throw new Error('There is no command.');
      const seconds = numberOf(input, 'timeout_seconds', { min: 1, max: 600, default: 120 });
      const stop = following(signal);
      const limit = setTimeout(() => stop.abort(), seconds * 1000);
      try {
        const ended = await runCommand(command, place, stop.signal);
        signal.throwIfAborted();
        return stop.signal.aborted ? { text: `${ended.text}\n[stopped after ${seconds} s]`, isError: true } : ended;
      } finally {
        clearTimeout(limit);
        stop.letGo();
      }
    },
  };
}

/** Runs a command to its end, or until the signal stops it and all it started. */
async function runCommand(command: string, { folder, env }: ToolPlace, signal: AbortSignal): Promise<ToolResult> {
  const child = spawn(command, {
    cwd: folder,
    env: withoutKeys(env),
    shell: true,
    // A group of its own, so that what it started ends with it.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  };
  signal.addEventListener('abort', stop, { once: true });
  const output = gathered(child.stdout, child.stderr);
  try {
    const code = await new Promise<number | string>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status, name) => resolve(status ?? name ?? 'unknown'));
    });
    const text = limited(`${output()}${output() === '' || output().endsWith('\n') ? '' : '\n'}[exit ${code}]`);
    return code === 0 ? { text } : { text, isError: true };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Collects output up to a limit; the rest is read and dropped, so that the command does not stop. */
function gathered(...streams: readonly NodeJS.ReadableStream[]): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  for (const stream of streams) {
    stream.on('data', (chunk: Buffer) => {
      if (size < KEPT_BYTES) chunks.push(chunk);
      size += chunk.length;
    });
  }
  return () => {
    const text = Buffer.concat(chunks).toString('utf8');
    return size > KEPT_BYTES ? `${text}\n[... output above ${KEPT_BYTES} bytes left out ...]` : text;
  };
}

// A command the model wrote has no business with the keys the chat itself runs on.
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|EPITOME_/i;

function withoutKeys(env: ToolPlace['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET_NAME.test(name)));
}
