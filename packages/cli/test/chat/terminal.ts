import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { binary } from '../kit.ts';

/** A built `epitome` in a pseudo-terminal, with a clock that stands still. */
export type Terminal = {
  readonly type: (text: string) => void;
  /** What is on the screen, without empty lines at the end. */
  readonly screen: () => string;
  /** Everything that was printed, scrolled off included. */
  readonly scrollback: () => string;
  /** Resolves when the screen shows it; rejects with the screen when it does not in time. */
  readonly shows: (what: string | RegExp) => Promise<string>;
  /** Moves the clock, and resolves when all that was due is done. */
  readonly advance: (milliseconds: number) => Promise<void>;
  readonly resize: (columns: number, rows: number) => void;
  readonly kill: () => void;
  readonly exited: Promise<number>;
};

export type TerminalOptions = {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
};

const PATIENCE_MS = 30_000;

export const KEYS = { enter: '\r', escape: '\u001b', up: '\u001b[A', down: '\u001b[B', interrupt: '\u0003' } as const;

export async function openTerminal(args: readonly string[], options: TerminalOptions = {}): Promise<Terminal> {
  const { columns = 80, rows = 30, env = {}, cwd = tmpdir() } = options;
  const clock = await startClock();
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [binary, ...args], {
    cols: columns,
    rows,
    cwd,
    env: { PATH, HOME: cwd, TERM: 'xterm-256color', LANG: 'C.UTF-8', EPITOME_TEST_CLOCK: clock.path, ...env },
  });
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5000 });
  const watchers = new Set<() => void>();
  const endsFrame = frameReader();
  let isWhole = true;
  child.onData((data) => {
    const isEnd = endsFrame(data);
    screen.write(data, () => {
      isWhole = isEnd;
      for (const watcher of watchers) watcher();
    });
  });
  const exited = new Promise<number>((resolve) => {
    child.onExit(({ exitCode }) => {
      clock.close();
      // What was printed last may still be on its way to the screen.
      screen.write('', () => resolve(exitCode));
    });
  });
  const shown = (from: number): string => linesOf(screen, from);
  const current = (): string => shown(screen.buffer.active.baseY);
  return {
    type: (text) => child.write(text),
    screen: current,
    scrollback: () => shown(0),
    shows: (what) => watch(watchers, { current, isMet: (text) => isWhole && holds(text, what), name: `${what}` }),
    advance: clock.advance,
    resize: (toColumns, toRows) => {
      child.resize(toColumns, toRows);
      screen.resize(toColumns, toRows);
    },
    kill: () => killed(child),
    exited,
  };
}

/** Tells of each piece of output whether it ends outside a frame: what a frame shows is there at once or not at all. */
function frameReader(): (data: string) => boolean {
  let tail = '';
  return (data) => {
    const read = `${tail}${data}`;
    const isWhole = read.lastIndexOf('\u001b[?2026h') <= read.lastIndexOf('\u001b[?2026l');
    tail = isWhole ? read.slice(-8) : read.slice(read.lastIndexOf('\u001b[?2026h'));
    return isWhole;
  };
}

function killed(child: IPty): void {
  try {
    process.kill(child.pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

function holds(text: string, what: string | RegExp): boolean {
  return typeof what === 'string' ? text.includes(what) : what.test(text);
}

function linesOf(screen: InstanceType<typeof xterm.Terminal>, from: number): string {
  const buffer = screen.buffer.active;
  const lines: string[] = [];
  for (let row = from; row < buffer.length; row += 1) lines.push(buffer.getLine(row)?.translateToString(true) ?? '');
  return lines.join('\n').trimEnd();
}

type Watched = { readonly current: () => string; readonly isMet: (text: string) => boolean; readonly name: string };

function watch(watchers: Set<() => void>, { current, isMet, name }: Watched): Promise<string> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      watchers.delete(look);
    };
    const look = (): void => {
      const text = current();
      if (!isMet(text)) return;
      end();
      resolve(text);
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error(`waited for ${name}; the screen shows:\n${current()}`));
    }, PATIENCE_MS);
    watchers.add(look);
    look();
  });
}

export type TestClock = {
  readonly path: string;
  readonly advance: (milliseconds: number) => Promise<void>;
  readonly close: () => void;
};

export async function startClock(): Promise<TestClock> {
  const folder = mkdtempSync(join(tmpdir(), 'epitome-clock-'));
  const path = join(folder, 'clock.sock');
  let answered = (): void => {};
  let connected: (socket: Socket) => void = () => {};
  const connection = new Promise<Socket>((resolve) => {
    connected = resolve;
  });
  const server = createServer((socket) => {
    socket.on('data', () => answered());
    socket.on('error', () => undefined);
    connected(socket);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    advance: async (milliseconds) => {
      const socket = await connection;
      const done = new Promise<void>((resolve) => {
        answered = resolve;
      });
      socket.write(`${milliseconds}\n`);
      await done;
    },
    close: () => {
      server.close();
      void connection.then((socket) => socket.destroy());
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
