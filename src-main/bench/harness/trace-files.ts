import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchEvent } from '../../core/contract/events.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import type { Log } from '../../core/protocol/log.ts'
import { errorMessage } from '../../core/protocol/message-of.ts'
import type { CancelAlarm, Clock } from '../../core/protocol/time.ts'
import { entryLine, headerLine } from '../../views/trace/write-trace.ts'
import type { Recorder } from './recorder.ts'

export type TraceFileSettings = {
  /** A file for the workspace main if it ends in `.handset`, else a folder with a file for each workspace. */
  readonly path: string
  /** Limit for all files together. */
  readonly bytes: number
}

type TraceFiles = TraceFileSettings & { readonly version: string; readonly real: Clock; readonly log: Log }

export const startTraceFiles = ({ recorder, ...files }: TraceFiles & Pick<FollowEvents, 'recorder'>) =>
  followEvents({ recorder, real: files.real, take: openTraceFiles(files) })

/** A file may take one of this many parts of the limit: a workspace keeps its current file and the previous one. */
const PARTS = 4

const ENDING = '.handset'

/** Files that stay readable however the program ends. */
const openTraceFiles = ({ path, bytes, version, real, log }: TraceFiles): FollowEvents['take'] => {
  const alone = path.endsWith(ENDING)
  /** Oldest file first. */
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
    // The path may be a symbolic link without a target.
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
  const write = (workspace: string, events: readonly BenchEvent[]): void => {
    const file = alone ? path : join(path, `${workspace}${ENDING}`)
    const text = events.map((event) => entryLine({ event })).join('')
    // The file may have been removed or moved: without its first line it cannot be opened.
    const known = existsSync(file) ? sizes.get(file) : undefined
    if (known === undefined || known + Buffer.byteLength(text) > bytes / PARTS) begin(file, workspace)
    appendFileSync(file, text)
    sizes.set(file, (sizes.get(file) ?? 0) + Buffer.byteLength(text))
    removeOldest(file)
  }
  return (workspace: string, events: readonly BenchEvent[]): void => {
    if (gaveUp || (alone && workspace !== MAIN_WORKSPACE)) return
    try {
      write(workspace, events)
    } catch (error) {
      // A full disk must not end the bench.
      gaveUp = true
      log({ level: 'error', event: 'traces not written', error: errorMessage(error) })
    }
  }
}

type FollowEvents = {
  readonly recorder: Pick<Recorder, 'read' | 'watch' | 'lastBefore'>
  /** Gets all events of each workspace in their order, several at a time. */
  readonly take: (workspace: string, events: readonly BenchEvent[]) => void
  readonly real: Clock
}

/** A killed bench loses at most the events of this time. */
const WAIT_MS = 200
/** Limits of each read; requests run in between. */
const SLICE = { limit: 500, characters: 4 * 1024 * 1024 }

/** Reads events a moment after they are recorded, so that no request waits for the consumer. */
export const followEvents = ({ recorder, take, real }: FollowEvents) => {
  const waiting = new Set<string>()
  const done = new Map<string, number>()
  let cancel: CancelAlarm | undefined
  const later = (): CancelAlarm => real.at(real.now() + WAIT_MS, work)

  /** Returns true if there may be more. */
  const takeSlice = (workspace: string): boolean => {
    const known = done.get(workspace) ?? recorder.lastBefore(workspace)
    const { events, more, last_seq } = recorder.read(workspace, { after: known, ...SLICE })
    // A workspace that was closed and opened again counts from the start.
    if (last_seq < known) {
      done.delete(workspace)
      return last_seq > 0
    }
    if (events.length > 0) take(workspace, events)
    done.set(workspace, events.at(-1)?.seq ?? last_seq)
    return more
  }
  const drain = (workspace: string): void => {
    waiting.delete(workspace)
    while (takeSlice(workspace));
  }
  const work = (): void => {
    cancel = undefined
    const [workspace] = waiting
    if (workspace === undefined) return
    waiting.delete(workspace)
    if (takeSlice(workspace)) waiting.add(workspace)
    if (waiting.size > 0) cancel = later()
  }
  const stop = recorder.watch({
    changed: (workspace) => {
      waiting.add(workspace)
      cancel ??= later()
    },
    closing: (workspace) => {
      drain(workspace)
      done.delete(workspace)
    },
  })
  const flush = (): void => {
    for (const workspace of [...waiting]) drain(workspace)
  }
  return {
    flush,
    close: (): void => {
      stop()
      cancel?.()
      flush()
    },
  }
}
