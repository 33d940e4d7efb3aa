import { createHash } from 'node:crypto'

/** ext4, APFS and NTFS take 255 bytes or characters; an ending and a number follow. */
const MOST_BYTES = 120

/**
 * A file's name for the report of a test. Titles may differ in symbols, in case or far behind, or not at all: the test's
 * `id` keeps their files apart, and is the same in each run.
 */
export const reportFileName = ({ title, id }: { readonly title: string; readonly id: string }): string => {
  const words = title.toWellFormed().replace(/[^\p{L}\p{N}]+/gu, '-')
  let readable = ''
  let left = MOST_BYTES
  for (const character of words) {
    left -= Buffer.byteLength(character)
    if (left < 0) break
    readable += character
  }
  return `${readable}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`
}
