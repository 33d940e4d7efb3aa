import { readdirSync, readFileSync } from 'node:fs'

/** The processes of a Linux machine that inherited a variable LEFT_OVER with this value. */
export const leftOver = (mark: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`LEFT_OVER=${mark}\0`)
    } catch {
      return false
    }
  })
