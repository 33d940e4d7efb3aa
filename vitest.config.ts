import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: [
      'test/e2e/**',
      'test/package/**',
      ...(process.env.HANDSET_TEST_LONG === undefined ? ['test/long/**'] : []),
    ],
    // Far beyond what a quiet machine needs: a busy one must not make a test fail.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    pool: 'forks',
  },
})
