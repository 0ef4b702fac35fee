// The library's entry, bundled and minified: what a browser or an edge worker would load.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const LIMIT = 40_000;
const { outputFiles } = await build({
  entryPoints: ['packages/core/src/index.ts'],
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'neutral',
  write: false,
});
const size = gzipSync(outputFiles[0].contents, { level: 9 }).length;
console.log(`epitome: ${(size / 1000).toFixed(2)} kB gzipped of ${LIMIT / 1000} kB`);
if (size > LIMIT) process.exit(1);
