import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'facts/index': 'src/facts/index.ts',
    'digest/index': 'src/digest/index.ts',
    'testing/index': 'src/testing/index.ts',
  },
  platform: 'neutral',
  deps: { neverBundle: ['fast-check'] },
  target: 'es2023',
  dts: true,
  sourcemap: true,
  clean: true,
});
