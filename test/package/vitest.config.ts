import { defineConfig } from 'vitest/config'

/** The npm package as others install it: npm run test:package. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['*.test.ts'],
    globalSetup: 'install.ts',
    // Some install the package again.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // Starts are measured: one after the other.
    fileParallelism: false,
  },
})
