import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** At this size a new file is started; one old file is kept. */
const LARGEST = 1_000_000

/** A packed program has no terminal to write to. A line that cannot be written is dropped. */
export const openLog = (folder: string, now: () => number): ((text: string) => void) => {
  const file = join(folder, 'handset.log')
  return (text) => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= LARGEST) renameSync(file, `${file}.old`)
      appendFileSync(file, `${new Date(now()).toISOString()} ${text}\n`, { mode: 0o600 })
    } catch {}
  }
}
