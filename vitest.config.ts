import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { isLong, isNightly, unitFiles } from './test/support/parts.ts'

const root = import.meta.dirname
const files = unitFiles()

/** What a file puts in a module's place, the files after it in the same process would get too. */
const replacing = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('vi.mock('))

export default defineConfig({
  root,
  test: {
    // What a package brings is not ours to run.
    exclude: ['**/node_modules/**'],
    setupFiles: ['test/support/setup.ts'],
    // The files of a worker share its process: what a test puts in the place of something ends with it.
    ...{ restoreMocks: true, unstubEnvs: true, unstubGlobals: true },
    // Far beyond what a quiet machine needs: a busy one must not make a test fail.
    testTimeout: isLong || isNightly ? 600_000 : 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 3,
    pool: 'forks',
    // Post-quantum signatures of Web Crypto are new: each file that signs would say so.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    projects: [
      // Most of the time would go into loading the same modules for each file.
      { extends: true, test: { name: 'shared', include: [...files], exclude: replacing, isolate: false } },
      { extends: true, test: { name: 'own process', include: replacing } },
    ],
  },
})
