import type { BenchEvent } from '../../core/contract/events.ts'
import type { Recorder } from './recorder.ts'

export type FollowEvents = {
  readonly recorder: Pick<Recorder, 'read' | 'watch' | 'lastBefore'>
  /** Hears all events of each workspace in their order, several at a time. */
  readonly take: (workspace: string, events: readonly BenchEvent[]) => void
  /** Calls back later; gives back how not to. */
  readonly later: (work: () => void) => () => void
}

export type EventFollower = {
  /** Hands on at once what has not been handed on. */
  flush(): void
  close(): void
}

/** In one go; then requests have their turn. */
const SLICE = { limit: 500, characters: 4 * 1024 * 1024 }

/** Reads what was recorded a moment ago, so that no request waits for the consumer. */
export const followEvents = ({ recorder, take, later }: FollowEvents): EventFollower => {
  const waiting = new Set<string>()
  const done = new Map<string, number>()
  let cancel: (() => void) | undefined

  /** True: there may be more. */
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
    if (waiting.size > 0) cancel = later(work)
  }
  const stop = recorder.watch({
    changed: (workspace) => {
      waiting.add(workspace)
      cancel ??= later(work)
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
    close: () => {
      stop()
      cancel?.()
      flush()
    },
  }
}
