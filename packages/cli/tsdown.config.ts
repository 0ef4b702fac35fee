import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { epitome: 'src/epitome.ts' },
  platform: 'node',
  target: 'node20',
  dts: false,
  sourcemap: false,
  tsconfig: 'tsconfig.build.json',
  clean: true,
  outExtensions: () => ({ js: '.js' }),
});
