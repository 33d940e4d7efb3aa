import { join } from 'node:path'
import type { Log } from '../../core/protocol/log.ts'
import type { CancelAlarm, Clock } from '../../core/protocol/time.ts'
import { createRecorder, DEFAULT_RETENTION, type RecorderOptions } from './recorder.ts'
import { type EventStorage, openEventStorage, STORAGE_LIMITS, type UnsavedEvents } from './storage/event-storage.ts'
import { createTape, type Tape, type TapeLimits } from './tape.ts'

type Opening = Pick<RecorderOptions, 'wall' | 'bench'> & {
  readonly directory: string | undefined
  readonly log: Log
  readonly keepEvents?: number | undefined
}

/** Without a directory or a usable file, events are only in memory. */
export const openRecorder = ({ directory, log, keepEvents, ...clocks }: Opening) => {
  const { retention, limits } = limitsFor(keepEvents)
  const options = { ...clocks, retention }
  const storage = directory === undefined ? undefined : openEventStorage(join(directory, 'events.db'), log, limits)
  if (storage === undefined) {
    return { recorder: createRecorder(options), keepOnly: (): void => undefined, close: () => Promise.resolve() }
  }
  const saver = createEventSaver({ storage, real: options.wall, log })
  const recorder = createRecorder({ ...options, makeTape: saver.makeTape, lastStored: saver.lastStored })
  const stop = recorder.watch(saver)
  return {
    recorder,
    keepOnly: saver.keepOnly,
    /** Stores all recorded events; nothing is recorded afterwards. */
    close: () => {
      stop()
      return saver.close()
    },
  }
}

/** Limits for this number of events, with as many bytes per event as the defaults have. */
const limitsFor = (events: number | undefined) => {
  if (events === undefined) return { retention: DEFAULT_RETENTION, limits: STORAGE_LIMITS }
  const bytes = Math.ceil((DEFAULT_RETENTION.bytes / DEFAULT_RETENTION.count) * Math.max(events, MIN_EVENTS))
  return {
    retention: { count: events, bytes },
    limits: { events, bytes, allBytes: Math.max(STORAGE_LIMITS.allBytes, bytes) },
  }
}

/** Smaller limits get the bytes of this many events, so that the byte limit is never smaller than one block. */
const MIN_EVENTS = 1_000

/** A bench that is killed loses at most the events of this interval. */
const WAIT_MS = 1_000
const RETRY_MS = 5_000
/** Maximum number of bytes per write; requests run between writes. */
const SLICE = 4 * 2 ** 20
/** Numbers that are reserved ahead. A run that is killed leaves its unused numbers as a gap. */
const AHEAD = 10_000
/** Numbers that are reserved ahead while events cannot be written. */
const FAR_AHEAD = 1_000_000

type Saving = { readonly storage: EventStorage; readonly real: Clock; readonly log: Log }

type Kept = { readonly tape: Tape; reserved: number }

/** Stores events a moment after they are recorded, so that no request waits, and many share one commit. */
export const createEventSaver = ({ storage, real, log }: Saving) => {
  const kept = new Map<string, Kept>()
  const waiting = new Set<string>()
  let cancel: CancelAlarm | undefined
  let failing = false
  let forgotten = false

  const later = (ms: number): void => {
    cancel?.()
    cancel = real.at(real.now() + ms, work)
  }

  /** False if the storage refused the write. Only the first refusal is logged until a write succeeds. */
  const attempt = (write: () => void): boolean => {
    try {
      write()
    } catch (reason) {
      if (!(reason instanceof Error && 'code' in reason)) throw reason
      if (!failing)
        log({ level: 'error', event: 'events not written', code: String(reason.code), error: reason.message })
      failing = true
      return false
    }
    if (failing) log({ level: 'info', event: 'events written again' })
    failing = false
    return true
  }

  const save = (workspaces: Iterable<string>, ahead: number): boolean => {
    const batch: (UnsavedEvents & { readonly of: Kept })[] = []
    let room = SLICE
    for (const workspace of workspaces) {
      const of = kept.get(workspace)
      if (of === undefined) continue
      const parts = of.tape.unstored(room)
      room -= parts.reduce((sum, { texts }) => sum + texts.length, 0)
      batch.push({ workspace, parts, reserved: of.tape.last() + ahead, of })
      if (room <= 0) break
    }
    if (!attempt(() => storage.save(batch))) {
      reserveFar(batch)
      return false
    }
    for (const { workspace, parts, reserved, of } of batch) {
      of.tape.markStored(parts)
      of.reserved = reserved
      if (of.tape.unstored(1).length === 0) waiting.delete(workspace)
    }
    return true
  }

  /** Reserves more numbers when events cannot be written: a full disk can usually still overwrite a number. */
  const reserveFar = (batch: readonly (UnsavedEvents & { readonly of: Kept })[]): void => {
    const scarce = batch.filter(({ of }) => of.tape.last() + AHEAD > of.reserved)
    if (scarce.length === 0) return
    const reserved = scarce.map(({ workspace, of }) => ({ workspace, parts: [], reserved: of.tape.last() + FAR_AHEAD }))
    try {
      storage.save(reserved)
      for (const { of } of scarce) of.reserved = of.tape.last() + FAR_AHEAD
    } catch {
      // The failure to write is logged already.
    }
  }

  const sweep = (): boolean =>
    !forgotten ||
    attempt(() => {
      forgotten = storage.sweep()
    })

  const work = (): void => {
    cancel = undefined
    if (!save(waiting, AHEAD) || !sweep()) later(RETRY_MS)
    else if (waiting.size > 0 || forgotten) later(0)
  }

  return {
    makeTape: (workspace: string, limits: TapeLimits): Tape => {
      const tape = createTape(limits, storage.blocksOf(workspace))
      kept.set(workspace, { tape, reserved: 0 })
      // Reserves numbers before any is given out.
      save([workspace], AHEAD)
      return tape
    },
    lastStored: (workspace: string): number => storage.blocksOf(workspace).last,
    changed: (workspace: string): void => {
      waiting.add(workspace)
      const { tape, reserved } = kept.get(workspace) ?? {}
      const left = (reserved ?? 0) - (tape?.last() ?? 0)
      if (!failing && left <= 0) save([workspace], AHEAD)
      else if (!failing && left === AHEAD / 2) later(0)
      else if (cancel === undefined) later(failing ? RETRY_MS : WAIT_MS)
    },
    closing: (workspace: string): void => {
      kept.delete(workspace)
      waiting.delete(workspace)
      storage.forget(workspace)
      forgotten = true
      if (cancel === undefined) later(WAIT_MS)
    },
    /** Forgets all other workspaces: they were closed while the disk could not be written, or just before the end. */
    keepOnly: (workspaces: readonly string[]): void => {
      if (attempt(() => storage.keepOnly(workspaces))) forgotten = true
      later(WAIT_MS)
    },
    close: async (): Promise<void> => {
      cancel?.()
      // Releases reserved numbers, so that the next run continues without a gap.
      for (const workspace of kept.keys()) waiting.add(workspace)
      while (waiting.size > 0) if (!save(waiting, 0)) break
      await storage.close()
    },
  }
}
