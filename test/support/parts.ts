import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The parts of `npm test` that run only when asked for; each sets its variable to `yes`. CONTRIBUTING tells what they have. */
const VARIABLES = { long: 'HANDSET_TEST_LONG', nightly: 'HANDSET_TEST_NIGHTLY' } as const

const asked = (part: keyof typeof VARIABLES): boolean => process.env[VARIABLES[part]] === 'yes'

/** What a unit test asks if it does more in a longer part: its file is played in both. */
export const isLong = asked('long')
export const isNightly = asked('nightly')

const TESTS = join(import.meta.dirname, '..')
// On Windows they come with backslashes, which in a pattern stand for something else.
const filesBelow = (pattern: string): string[] =>
  globSync(pattern, { cwd: TESTS }).map((file) => `test/${file.replaceAll('\\', '/')}`)
const says = (file: string, words: RegExp): boolean => words.test(readFileSync(join(TESTS, '..', file), 'utf8'))

/** The unit test files of the part that is played: a longer one has its folder, and the files that ask for it. */
export const unitFiles = (): readonly string[] => {
  const all = filesBelow('**/*.test.{ts,tsx}').filter(
    (file) => !/^test\/(e2e|package|postgres)\/|\/node_modules\//.test(file),
  )
  if (isNightly) return all.filter((file) => file.startsWith('test/nightly/') || says(file, /\bisNightly\b/))
  if (isLong) return all.filter((file) => file.startsWith('test/long/') || says(file, /\bisLong\b/))
  return all.filter((file) => !/^test\/(long|nightly)\//.test(file))
}

/** What Playwright is to run. Files without a tag of the part need not be loaded. */
export const taggedSpecs = (): {
  readonly testMatch: string[]
  readonly grep?: RegExp
  readonly grepInvert?: RegExp
} => {
  const tag = isNightly ? /@nightly\b/ : isLong ? /@long\b/ : undefined
  if (tag === undefined) return { testMatch: ['**/*.spec.ts'], grepInvert: /@(long|nightly)\b/ }
  return {
    testMatch: filesBelow('e2e/*.spec.ts')
      .filter((file) => says(file, tag))
      .map((file) => file.replace('test/e2e/', '**/')),
    grep: tag,
  }
}
