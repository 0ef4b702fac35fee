import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['epitome-source'] } },
  resolve: { conditions: ['epitome-source'] },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'examples/**/*.test.ts'],
    testTimeout: 60_000,
    chaiConfig: { truncateThreshold: 0 },
    pool: 'forks',
    // One less than the cores is the default: on two cores half of the machine would wait.
    maxWorkers: '100%',
  },
});
