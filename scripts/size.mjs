// The library's entry, bundled and minified: what a browser or an edge worker loads at the start, and what follows with
// the first compaction.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const LIMIT = 40_000;
const { outputFiles, metafile } = await build({
  entryPoints: ['packages/core/src/index.ts'],
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'neutral',
  splitting: true,
  outdir: 'out',
  metafile: true,
  write: false,
});
const { outputs } = metafile;
const entry = Object.keys(outputs).find((path) => outputs[path].entryPoint === 'packages/core/src/index.ts');
const atStart = new Set();
follow(entry);
const size = sum((path) => atStart.has(path));
const later = sum((path) => !atStart.has(path));
console.log(`epitome: ${kB(size)} gzipped of ${kB(LIMIT)} at the start, ${kB(later)} with the first compaction`);
if (size > LIMIT) process.exit(1);

function follow(path) {
  if (atStart.has(path)) return;
  atStart.add(path);
  for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') follow(next);
}

function sum(holds) {
  return outputFiles
    .filter((file) => holds(Object.keys(outputs).find((path) => file.path.endsWith(path))))
    .reduce((bytes, { contents }) => bytes + gzipSync(contents, { level: 9 }).length, 0);
}

function kB(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
