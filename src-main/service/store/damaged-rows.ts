import type { LogProblem } from '../../core/contract/log-problems.ts'
import type { Log } from '../../core/protocol/log.ts'

export type DamagedRow = {
  readonly table: string
  readonly workspace: string
  readonly id: string
  readonly column: string
}

/** Told at each reading of a row with a value that was never written; the log has one line for each such value. */
export const createDamagedRows = (log: Log): ((row: DamagedRow) => void) => {
  const known = new Set<string>()
  return (row) => {
    const name = Object.values(row).join('\n')
    if (known.has(name)) return
    // More damage than this needs no more detail; the list must not grow for ever.
    if (known.size >= MOST) known.clear()
    known.add(name)
    log({ level: 'error', event: 'row damaged', ...row, problem })
  }
}

const MOST = 1_000
const problem: LogProblem = { code: 'row_unreadable' }
