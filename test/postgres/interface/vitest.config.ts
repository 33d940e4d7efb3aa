import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { WAYS } from '../../support/service/several-processes.ts'

const FILES = ['app-interface', 'credentials', 'errors', 'messages', 'openapi', 'signing']

/** The black-box tests of the interface, each request to another one of three processes, in each way to reach the database. */
export default defineConfig({
  root: join(import.meta.dirname, '../../..'),
  test: {
    maxWorkers: 2,
    projects: WAYS.map((name) => ({
      test: {
        name,
        include: FILES.map((file) => `test/service/${file}.test.ts`),
        env: { HANDSET_TEST_PROCESSES: name },
        globalSetup: ['test/support/postgres/global-setup.ts'],
        testTimeout: 90_000,
        hookTimeout: 60_000,
        expect: { poll: { timeout: 30_000 } },
        pool: 'forks' as const,
      },
    })),
  },
})
