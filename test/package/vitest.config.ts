import { defineConfig } from 'vitest/config'

/** The npm package as others install it: npm run test:package. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['*.test.ts'],
    globalSetup: 'install.ts',
    testTimeout: 90_000,
    // Starts are measured: one after the other.
    fileParallelism: false,
  },
})
