import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

export const root: string = fileURLToPath(new URL('../../..', import.meta.url));
export const binary: string = join(root, 'packages/cli/bin/epitome.js');

/** How a run of the built command ended. */
export type Ended = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
};

export type RunWith = {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
};

/** Builds what is stale, once, whoever asks first. */
export function ensureBuilt(): void {
  // By its place: checkouts beside each other need not wait for each other.
  const lock = join(tmpdir(), `epitome-cli-build-${createHash('sha256').update(root).digest('hex').slice(0, 8)}.lock`);
  for (let waited = 0; waited < 600 && !take(lock); waited += 1) spawnSync('sleep', ['0.1']);
  try {
    for (const name of ['core', 'store', 'transcripts', 'gateway', 'cli']) {
      const folder = join(root, 'packages', name);
      if (newest(join(folder, 'src')) < newest(join(folder, 'dist'))) continue;
      const { status, stdout, stderr } = spawnSync('npm', ['run', 'build'], { cwd: folder, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${name} does not build: ${stdout}${stderr}`);
    }
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Starts the built command with no keys of the developer's own. */
export function start(args: readonly string[], { env = {} }: RunWith = {}): ChildProcess {
  const { PATH = '' } = process.env;
  return spawn(process.execPath, [binary, ...args], { env: { PATH, ...env }, cwd: root });
}

/** Runs the built command to its end. */
export async function run(args: readonly string[], options: RunWith = {}): Promise<Ended> {
  const from = Date.now();
  const child = start(args, options);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  // A command that refuses early does not read its input.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(options.input ?? '');
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString();
  return { code, stdout: text(out), stderr: text(err), seconds: (Date.now() - from) / 1000 };
}

/** A folder that is gone after the tests. */
export function scratch(): { readonly path: (name: string) => string; readonly file: Write } {
  const folder = mkdtempSync(join(tmpdir(), 'epitome-cli-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = (name: string): string => join(folder, name);
  const file: Write = (name, content) => {
    writeFileSync(
      path(name),
      typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    );
    return path(name);
  };
  return { path, file };
}

type Write = (name: string, content: unknown) => string;

function take(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    // A run that was killed leaves its lock behind.
    if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > 60_000)
      rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

function newest(folder: string): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.endsWith('.test.ts'));
  return Math.max(...files.map((name) => statSync(join(folder, name)).mtimeMs));
}
