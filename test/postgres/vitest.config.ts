import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** What needs a PostgreSQL: one server for all files, each test in a schema of its own. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/postgres/**/*.test.ts'],
    globalSetup: ['test/support/postgres/global-setup.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    pool: 'forks',
  },
})
