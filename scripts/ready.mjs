// Makes a fresh clone ready: installs with the lockfile when what is installed is not what it names, and builds packages
// whose sources are not those of their last build. Runs before `npm start`, `npm test` and `npm run check`; needs Node alone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesInOrder } from './packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(root, 'node_modules', '.cache', 'ready.json');
const stamp = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, 'utf8')) : {};

const lockHash = () => hashOf([join(root, 'package-lock.json')]);
if (stamp.lock !== lockHash()) {
  // Not `npm ci`: it refuses a lockfile written where optional packages of other platforms cannot be seen.
  run('Installing what the lockfile names', ['install', '--no-audit', '--no-fund', '--loglevel=error']);
  // After the install, which may add packages that only this platform sees: the next run must not install again.
  remember({ lock: lockHash() });
}

if (process.argv.includes('--build')) {
  for (const { folder: path, name } of packagesInOrder()) {
    const folder = join(root, path);
    const sources = hashOf([
      ...filesIn(join(folder, 'src')),
      join(folder, 'package.json'),
      join(folder, 'tsdown.config.ts'),
    ]);
    const key = `build:${name}`;
    if (stamp[key] === sources && existsSync(join(folder, 'dist'))) continue;
    run(`Building ${name}`, ['run', 'build', '--silent', '--workspace', name]);
    remember({ [key]: sources });
  }
}

function remember(entry) {
  Object.assign(stamp, entry);
  mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
  writeFileSync(stampFile, JSON.stringify(stamp));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('.test.ts'))
    .sort();
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
}

/** What a tool says of its own progress is for whoever has to find out why it failed. */
function run(doing, args) {
  process.stderr.write(`${doing} … `);
  const from = Date.now();
  const { status, stdout, stderr, error } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    shell: process.platform === 'win32',
  });
  process.stderr.write(
    status === 0 ? `${((Date.now() - from) / 1000).toFixed(1)} s\n` : `failed\n${stdout ?? ''}${stderr ?? error}\n`,
  );
  if (status !== 0) process.exit(status ?? 1);
}
