import type { Api } from '../api.ts'
import { foldTimeline } from './fold-timeline.ts'
import { newTimeline, type Timeline } from './timeline.ts'

/** Read and folded in one go: a few milliseconds, so that the page goes on moving meanwhile. */
const PAGE = 1000

type FetchBacklogInput = {
  readonly api: Api
  /** The last event that the page has by itself: as far as that it is read. It moves on meanwhile. */
  readonly goal: () => number
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** Everything that the service keeps, oldest first, without bodies; undefined when it could not be had. */
export const fetchBacklog = async ({
  api,
  goal,
  onProgress,
  signal,
}: FetchBacklogInput): Promise<Timeline | undefined> => {
  let timeline = newTimeline()
  let seq = 0
  let from: number | undefined
  while (seq < goal()) {
    const page = await api.call((client) =>
      client.call('events.list', { query: { after: seq, limit: PAGE, brief: true }, signal }),
    )
    if (!page.ok || signal.aborted) return undefined
    const end = goal()
    for (const event of page.value.events) {
      if (event.seq > end) return timeline
      timeline = foldTimeline(timeline, event)
      seq = event.seq
    }
    // The service has forgotten what was not yet read.
    if (page.value.events.length === 0) return undefined
    from ??= page.value.first_seq
    onProgress((seq - from) / Math.max(1, goal() - from))
  }
  return timeline
}
