import { readFileSync } from 'node:fs'

/** Resident memory of a process, at the moment or at its most, from /proc; undefined where the system has none. */
export const memoryMib = (pid: number, field: 'VmRSS' | 'VmHWM'): number | undefined => {
  try {
    const match = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return match === null ? undefined : Number(match[1]) / 1024
  } catch {
    return undefined
  }
}
