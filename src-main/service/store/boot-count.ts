import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeOwnerOnly } from '../../disk/owner-only.ts'

/**
 * How often this data directory was started before. It stands beside the database, not in it: a snapshot that is
 * restored must not take it back. The caller holds the directory's lock.
 */
export const countBoot = (directory: string): number => {
  const file = join(directory, 'boots')
  const before = readCount(file)
  // A count that is lost would repeat ids.
  writeOwnerOnly(file, `${before + 1}\n`)
  return before
}

const readCount = (file: string): number => {
  try {
    const count = Number(readFileSync(file, 'utf8').trim())
    return Number.isSafeInteger(count) && count >= 0 ? count : 0
  } catch {
    return 0
  }
}
