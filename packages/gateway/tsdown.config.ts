import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts' },
  platform: 'node',
  target: 'node20',
  dts: true,
  sourcemap: true,
  tsconfig: 'tsconfig.build.json',
  clean: true,
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
});
