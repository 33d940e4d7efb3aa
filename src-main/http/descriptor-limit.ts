import { readFileSync } from 'node:fs'

/** Where the system does not tell. */
const USUAL = 16_000

/** How many files and sockets this process may have open. */
export const descriptorLimit = (): number => {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
    return soft === undefined ? USUAL : Math.min(Number(soft), MOST)
  } catch {
    return USUAL
  }
}

/** More would cost more memory than they are worth. */
const MOST = 100_000
