import { spawnSync } from 'node:child_process'

/** Those of the programs that are not here. Where every language must be there, one that is missing is an error. */
export const missingPrograms = (needed: readonly string[]): readonly string[] => {
  const missing = needed.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
  if (missing.length > 0 && process.env.HANDSET_TEST_LANGUAGES === 'all') throw new Error(`no ${missing.join(', ')}`)
  return missing
}
