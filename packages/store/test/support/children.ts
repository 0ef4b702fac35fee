import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles a program for child processes: started so, hundreds of them take seconds. */
export async function bundleChild(name: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`../children/${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['epitome-source'],
    external: ['@photostructure/sqlite', 'pg', 'graphile-worker'],
    banner: { js: "import { createRequire as makeRequire } from 'node:module';" },
  });
  return outfile;
}

/** Where bundles go: inside the package, so that they find its dependencies. */
export const bundleFolder = (test: string): string => fileURLToPath(new URL(`../.cache/${test}`, import.meta.url));

/** A child and everything it says. */
export type Child = { readonly process: ChildProcess; readonly ended: Promise<Ended> };
type Ended = { readonly lines: readonly string[]; readonly errors: string; readonly code: number | null };

/** Starts a bundled program. */
export function startChild(program: string, args: readonly string[], onLine: (line: string) => void = () => {}): Child {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const from = text.lastIndexOf('\n') + 1;
    text += chunk;
    for (const line of text.slice(from).split('\n').slice(0, -1)) onLine(line);
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ lines: text.split('\n').slice(0, -1), errors, code }));
  });
  return { process: child, ended };
}
