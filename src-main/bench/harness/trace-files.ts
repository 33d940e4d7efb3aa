import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchEvent } from '../../core/contract/events.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import type { Log } from '../../core/protocol/log.ts'
import type { Clock } from '../../core/protocol/time.ts'
import { entryLine, headerLine } from '../../views/trace/write-trace.ts'
import { type EventFollower, type FollowEvents, followEvents } from './follow-events.ts'

export type TraceFileSettings = {
  /** A file of the workspace main where it ends in `.handset`, else a folder with a file for each workspace. */
  readonly path: string
  /** Of all files together. */
  readonly bytes: number
}

type TraceFiles = TraceFileSettings & {
  readonly version: string
  readonly real: Clock
  readonly log: Log
}

/** What a bench loses at most when it is killed. */
const WAIT_MS = 200

/** Writes what is recorded to files, a moment after it happened. */
export const followTraces = ({
  recorder,
  ...files
}: TraceFiles & { readonly recorder: FollowEvents['recorder'] }): EventFollower => {
  const { real } = files
  const later: FollowEvents['later'] = (work) => real.at(real.now() + WAIT_MS, work)
  return followEvents({ recorder, take: openTraceFiles(files), later })
}

/** Each workspace has a file and the one before it; the oldest files go first. */
const PARTS = 4

const ENDING = '.handset'

/** Writes events as they come, as lines that can be read whenever the program ends. */
const openTraceFiles = ({ path, bytes, version, real, log }: TraceFiles): FollowEvents['take'] => {
  const alone = path.endsWith(ENDING)
  /** Oldest first. */
  const sizes = new Map<string, number>()
  let gaveUp = false

  const begin = (file: string, workspace: string): void => {
    const before = file.replace(/\.handset$/, `.before${ENDING}`)
    const size = sizes.get(file)
    sizes.delete(file)
    if (existsSync(file)) {
      renameSync(file, before)
      if (size !== undefined) sizes.set(before, size)
    }
    // A link that leads nowhere yet.
    rmSync(file, { force: true })
    const saved = Math.round(real.now())
    const header = headerLine({ handset: version, title: '', workspace, saved, live: true })
    writeFileSync(file, header, { mode: 0o600, flag: 'wx' })
    sizes.set(file, Buffer.byteLength(header))
  }
  const removeOldest = (current: string): void => {
    let all = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    for (const [file, size] of sizes) {
      if (all <= bytes) return
      if (file === current) continue
      rmSync(file, { force: true })
      sizes.delete(file)
      all -= size
    }
  }
  const append = (file: string, text: string): void => {
    appendFileSync(file, text)
    sizes.set(file, (sizes.get(file) ?? 0) + Buffer.byteLength(text))
    removeOldest(file)
  }
  const write = (workspace: string, events: readonly BenchEvent[]): void => {
    const file = alone ? path : join(path, `${workspace}${ENDING}`)
    const text = events.map((event) => entryLine({ event })).join('')
    // The file may have been removed or moved: without its first line it cannot be opened.
    const known = existsSync(file) ? sizes.get(file) : undefined
    if (known === undefined || known + Buffer.byteLength(text) > bytes / PARTS) begin(file, workspace)
    append(file, text)
  }
  return (workspace: string, events: readonly BenchEvent[]): void => {
    if (gaveUp || (alone && workspace !== MAIN_WORKSPACE)) return
    try {
      write(workspace, events)
    } catch (error) {
      // A full disk is no reason for the bench to end.
      gaveUp = true
      log({ level: 'error', event: 'traces not written', error: error instanceof Error ? error.message : `${error}` })
    }
  }
}
