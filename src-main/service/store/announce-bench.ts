import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { StartProblem } from '../../core/contract/start-problems.ts'
import { isObject, parseJsonOrNothing } from '../../core/protocol/json.ts'
import { err, ok, orNothing, type Result } from '../../core/protocol/result.ts'
import { writeOwnerOnly } from '../../disk/owner-only.ts'

export type RunningBench = {
  readonly pid: number
  readonly control_url: string
  readonly token: string
  /** PEM of its certificate, if it uses https. */
  readonly certificate?: string
}

const fileIn = (directory: string): string => join(directory, 'running.json')

/** Announces a bench to its owner's other programs, such as `handset open`; returns a function that withdraws it. */
export const announceBench = (directory: string, running: RunningBench): (() => void) => {
  const file = fileIn(directory)
  writeOwnerOnly(file, `${JSON.stringify(running)}\n`)
  return () => rmSync(file, { force: true })
}

/** Undefined: no bench was started there, or it ended cleanly. After a crash the file names a bench that is gone. */
export const readRunningBench = (directory: string): Result<RunningBench | undefined, StartProblem> => {
  const file = fileIn(directory)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (reason) {
    const { code, message } = reason as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? ok(undefined)
      : err({ code: 'bench_file_unreadable', params: { file, message } })
  }
  const found = parseJsonOrNothing(text)
  const { pid, control_url, token, certificate } = isObject(found) ? found : {}
  if (typeof pid === 'number' && typeof control_url === 'string' && typeof token === 'string') {
    return ok({ pid, control_url, token, ...(typeof certificate === 'string' ? { certificate } : {}) })
  }
  return err({ code: 'bench_file_damaged', params: { file } })
}

/**
 * How often this data directory was started before. It is a file next to the database: restoring a snapshot must not
 * take it back. The caller has the directory's lock.
 */
export const countBoot = (directory: string): number => {
  const file = join(directory, 'boots')
  const before = readCount(file)
  // Written atomically: a lost count would repeat ids.
  writeOwnerOnly(file, `${before + 1}\n`)
  return before
}

const readCount = (file: string): number => {
  const count = Number(orNothing(() => readFileSync(file, 'utf8').trim()))
  return Number.isSafeInteger(count) && count >= 0 ? count : 0
}
