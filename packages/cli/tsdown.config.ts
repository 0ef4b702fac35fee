import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { epitome: 'src/epitome.ts' },
  platform: 'node',
  target: 'node20',
  dts: false,
  // Loaded with the first screen: as one file they take a tenth of the time.
  noExternal: [/^(ink|react|react-reconciler|scheduler|yoga-layout)(\/|$)/],
  external: ['react-devtools-core'],
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  sourcemap: false,
  tsconfig: 'tsconfig.build.json',
  clean: true,
  outExtensions: () => ({ js: '.js' }),
});
