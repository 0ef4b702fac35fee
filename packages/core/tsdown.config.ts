import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts', 'testing/index': 'src/testing/index.ts' },
  platform: 'neutral',
  deps: { neverBundle: ['fast-check'] },
  target: 'es2023',
  dts: true,
  sourcemap: true,
  clean: true,
});
