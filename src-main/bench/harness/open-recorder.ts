import { join } from 'node:path'
import type { Log } from '../../core/protocol/log.ts'
import { createEventSaver } from './event-saver.ts'
import { createRecorder, DEFAULT_RETENTION, type Recorder, type RecorderOptions, type Retention } from './recorder.ts'
import { STORAGE_LIMITS, type StorageLimits } from './storage/event-storage.ts'
import { openEventStorage } from './storage/open-event-storage.ts'

export type OpenRecorder = {
  readonly recorder: Recorder
  /** The events of other workspaces go: those were closed. */
  keepOnly(workspaces: readonly string[]): void
  /** What was recorded is stored; nothing is recorded afterwards. */
  close(): Promise<void>
}

/** A recorder whose events outlive the process in a directory; without one, or where no file can be used, they end with it. */
export const openRecorder = ({
  directory,
  log,
  keepEvents,
  ...clocks
}: Pick<RecorderOptions, 'wall' | 'bench'> & {
  readonly directory: string | undefined
  readonly log: Log
  readonly keepEvents?: number | undefined
}): OpenRecorder => {
  const { retention, limits } = keeping(keepEvents)
  const options = { ...clocks, retention }
  const storage = directory === undefined ? undefined : openEventStorage(join(directory, 'events.db'), log, limits)
  if (storage === undefined) {
    return { recorder: createRecorder(options), keepOnly: () => undefined, close: () => Promise.resolve() }
  }
  const saver = createEventSaver({ storage, real: options.wall, log })
  const recorder = createRecorder({ ...options, makeTape: saver.makeTape, lastStored: saver.lastStored })
  const stop = recorder.watch(saver)
  let closed: Promise<void> | undefined
  return {
    recorder,
    keepOnly: saver.keepOnly,
    close: () => {
      stop()
      closed ??= saver.close()
      return closed
    },
  }
}

/** As much room for each event as the defaults have. */
export const keeping = (
  events: number | undefined,
): { readonly retention: Retention; readonly limits: StorageLimits } => {
  if (events === undefined) return { retention: DEFAULT_RETENTION, limits: STORAGE_LIMITS }
  const bytes = Math.ceil((DEFAULT_RETENTION.bytes / DEFAULT_RETENTION.events) * Math.max(events, MOST_OF_ONE_BLOCK))
  return {
    retention: { events, bytes },
    limits: { events, bytes, allBytes: Math.max(STORAGE_LIMITS.allBytes, bytes) },
  }
}

/** Less would leave no room for a block. */
const MOST_OF_ONE_BLOCK = 1_000
