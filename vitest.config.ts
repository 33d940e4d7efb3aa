import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = import.meta.dirname
const files = ['test/**/*.test.ts', 'test/**/*.test.tsx']

/** What a file puts in a module's place, the files after it in the same process would get too. */
const replacing = globSync(files, { cwd: root })
  .filter((file) => readFileSync(join(root, file), 'utf8').includes('vi.mock('))
  // On Windows they come with backslashes, which in a pattern stand for something else.
  .map((file) => file.replaceAll('\\', '/'))

export default defineConfig({
  root,
  test: {
    exclude: [
      'test/e2e/**',
      'test/package/**',
      'test/postgres/**',
      // What a package brings is not ours to run.
      '**/node_modules/**',
      ...(process.env.HANDSET_TEST_LONG === undefined ? ['test/long/**'] : []),
    ],
    // Far beyond what a quiet machine needs: a busy one must not make a test fail.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    pool: 'forks',
    projects: [
      // Most of the time would go into loading the same modules for each file.
      { extends: true, test: { name: 'shared', include: files, exclude: replacing, isolate: false } },
      { extends: true, test: { name: 'own process', include: replacing } },
    ],
  },
})
