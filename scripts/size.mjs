// The library's entry, bundled and minified as a bundler that splits code does it: what a browser or an edge worker loads at
// the start, which has a limit, what follows with the first compaction, and what with the first of our own preset.
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
const entry = chunkOf('packages/core/src/index.ts');
const atStart = follow(entry, new Set());
const withFirst = follow(chunkOf('packages/core/src/engine/later.ts'), new Set(atStart));
const size = sum((path) => atStart.has(path));
const first = sum((path) => withFirst.has(path) && !atStart.has(path));
const own = sum((path) => !withFirst.has(path));
console.log(
  `epitome: ${kB(size)} gzipped of ${kB(LIMIT)} at the start, ${kB(first)} more with the first compaction, ${kB(own)} more where facts are kept`,
);
if (size > LIMIT) process.exit(1);

function chunkOf(source) {
  return Object.keys(outputs).find((path) => outputs[path].entryPoint === source);
}

function follow(path, found) {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') follow(next, found);
  return found;
}

function sum(holds) {
  return outputFiles
    .filter((file) => holds(Object.keys(outputs).find((path) => file.path.endsWith(path))))
    .reduce((bytes, { contents }) => bytes + gzipSync(contents, { level: 9 }).length, 0);
}

function kB(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
