import { FOLDED_KINDS, foldTimeline } from '../../src-main/timeline/fold-timeline.ts'
import { newTimeline, type Timeline } from '../../src-main/timeline/timeline.ts'
import type { Api } from '../api.ts'

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
export const fetchBacklog = async (input: FetchBacklogInput): Promise<Timeline | undefined> => {
  const { api, goal, onProgress, signal } = input
  let timeline = newTimeline()
  let seq = 0
  let began: number | undefined
  while (seq < goal()) {
    const query = { after: seq, limit: PAGE, brief: true, kind: FOLDED_KINDS.join() }
    const page = await api.call((client) => client.call('events.list', { query, signal }))
    if (!page.ok || signal.aborted) return undefined
    const { events, more, first_seq, last_seq } = page.value
    const end = goal()
    for (const event of events) {
      if (event.seq > end) return timeline
      timeline = foldTimeline(timeline, event)
    }
    const read = more ? (events.at(-1)?.seq ?? seq) : Math.min(end, last_seq)
    // Another run of the bench, which has not come as far.
    if (read <= seq) return undefined
    seq = read
    began ??= first_seq
    onProgress((seq - began) / Math.max(1, goal() - began))
  }
  return timeline
}
