import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'facts/index': 'src/facts/index.ts',
    'digest/index': 'src/digest/index.ts',
    'record/index': 'src/record/index.ts',
    'atoms/index': 'src/atoms/index.ts',
    'economics/index': 'src/economics/index.ts',
    'overflow/index': 'src/overflow/index.ts',
    'goals/index': 'src/goals/index.ts',
    'secrets/index': 'src/secrets/index.ts',
    'server-state': 'src/formats/server-state.ts',
    'testing/index': 'src/testing/index.ts',
  },
  platform: 'neutral',
  deps: { neverBundle: ['fast-check'] },
  target: 'es2023',
  dts: true,
  sourcemap: true,
  tsconfig: 'tsconfig.build.json',
  clean: true,
});
