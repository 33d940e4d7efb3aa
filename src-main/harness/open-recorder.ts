import { join } from 'node:path'
import type { Log } from '../protocol/log.ts'
import { createEventSaver } from './event-saver.ts'
import { createRecorder, type Recorder, type RecorderOptions } from './recorder.ts'
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
  ...options
}: Pick<RecorderOptions, 'wall' | 'bench'> & {
  readonly directory: string | undefined
  readonly log: Log
}): OpenRecorder => {
  const storage = directory === undefined ? undefined : openEventStorage(join(directory, 'events.db'), log)
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
