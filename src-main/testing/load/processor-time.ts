import { readFileSync } from 'node:fs'

/** Processor time that a process has used, in milliseconds; undefined where the system has no /proc. */
export const processorMs = (pid: number): number | undefined => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    // proc(5): utime and stime, in ticks of 10 ms on every Linux that Node runs on.
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return undefined
  }
}
