import type { Data, Query } from '../../src-main/core/contract/control/routes.ts'
import { foldTimeline } from '../../src-main/views/timeline/event-views.ts'
import { type ChipCounts, chipCounts } from '../../src-main/views/timeline/search-terms.ts'
import { groupOf, newTimeline, type Timeline } from '../../src-main/views/timeline/timeline.ts'
import { countIslands, withIsland, withOlder, withoutIslands } from '../../src-main/views/timeline/with-older.ts'
import type { Api } from '../api.ts'
import { language } from '../ui/language.ts'

/** Events read when the page opens, so that a user can scroll and search immediately. */
const AT_FIRST = 5_000
/** Events of one request: folded in a few milliseconds. */
const PAGE = 1_000
/** Events read before the target of an address. */
const AROUND = 200
/** Maximum number of events on the page, however far the user scrolls. */
const MAX_EVENTS = 100_000
/** Maximum number of results that a search fetches in one step; scrolling to the end fetches the next. */
const MAX_RESULTS = 300
/** At most this many events not on the page are counted unasked; the service needs half a second for them. */
const COUNTED_UNASKED = 50_000
/** Delay before a search starts, because the user may still be typing. */
const SEARCH_AFTER_MS = 200

/** How far the service has searched events that are not on the page. */
export type Search = {
  readonly text: string
  /** The oldest event searched so far. */
  readonly from: number
  /** Number of ceremonies searched, without those on the page. */
  readonly among: number
  readonly chips: ChipCounts
  readonly more: boolean
  readonly busy: boolean
}

/** Matches of each chip among all ceremonies that began before this event. */
export type CountedChips = { readonly before: number; readonly chips: ChipCounts }

export type HeldEvents = {
  readonly timeline: Timeline
  readonly lastSeq: number
  /** The oldest event that the service keeps, as last reported; 0 when it has none. */
  readonly firstSeq: number
  readonly search?: Search | undefined
  readonly counted?: CountedChips | undefined
  /** Progress from 0 to 1 while older exchanges are being fetched or searched. */
  readonly fetched?: number | undefined
}

type Page = Data<'events.ceremonies'>

type Ports = {
  readonly api: Api
  readonly state: () => HeldEvents
  readonly set: (change: Partial<HeldEvents>) => void
  /** Name of this page in its requests. */
  readonly page: () => string
}

export const createOlderEvents = (ports: Ports) => {
  const { state, set } = ports
  const island = createIsland(ports)
  const search = createSearch(ports, island)
  let reading: Promise<void> | undefined
  /** Allows one read at a time: a call during a read joins that read. */
  const read = (work: () => Promise<void>): Promise<void> => {
    reading ??= work().finally(() => {
      reading = undefined
    })
    return reading
  }
  return {
    fill: (): Promise<void> =>
      read(async () => {
        search.begin()
        for (let held = heldBy(state()); held < AT_FIRST && state().search === undefined; held = heldBy(state())) {
          set({ fetched: held / AT_FIRST })
          if (!(await readPage(ports, { island, limit: PAGE }))) break
        }
        if (state().search === undefined) set({ fetched: undefined })
      }).then(() => count(ports)),
    read: (): void => {
      if (state().search !== undefined) search.goOn()
      else if (state().timeline.from !== undefined)
        void read(async () => void (await readPage(ports, { island, limit: 2 * PAGE })))
    },
    search: search.change,
    find: island.find,
    bridge: async (): Promise<void> => {
      // Waits for a read in progress, because `read` would join it instead of running this one.
      while (reading !== undefined) await reading
      await read(island.bridge)
    },
    stop: search.stop,
  }
}

const ask = async (
  { api }: Ports,
  query: Query<'events.ceremonies'>,
  signal?: AbortSignal,
): Promise<Page | undefined> => {
  const inputs = signal === undefined ? { query } : { query, signal }
  const page = await api.call((client) => client.call('events.ceremonies', inputs))
  return page.ok && signal?.aborted !== true ? page.value : undefined
}

const fold = ({ state }: Ports, { events }: Page): Timeline => {
  const { lastSeq } = state()
  // Later events arrive by the stream.
  return events.filter(({ seq }) => seq <= lastSeq).reduce(foldTimeline, newTimeline())
}

/** Reads the next older page; resolves to true if more pages follow. */
const readPage = async (
  ports: Ports,
  { island, limit }: { readonly island: Island; readonly limit: number },
): Promise<boolean> => {
  const { state, set } = ports
  const { from } = state().timeline
  if (from === undefined || heldBy(state()) >= MAX_EVENTS) return false
  const page = await ask(ports, { before: from, limit })
  // The request failed, or the bench restarted meanwhile.
  if (page === undefined || state().timeline.from === undefined) return false
  const older = withOlder(state().timeline, fold(ports, page), page.more ? island.reached(page.from) : undefined)
  set({ firstSeq: page.first_seq, timeline: allHeld(older) })
  return page.more
}

/** Counts only if that costs the service little. */
const count = async (ports: Ports): Promise<void> => {
  const { state, set, page: own } = ports
  const { timeline, firstSeq } = state()
  const before = timeline.from
  if (before === undefined || before - firstSeq > COUNTED_UNASKED) return
  let chips = NONE
  for (let from = before; ; ) {
    const page = await ask(ports, { before: from, limit: 0, page: own() })
    // The request failed, the bench restarted meanwhile, or a search has started, which does its own counting.
    if (page === undefined || state().timeline.from === undefined || state().search !== undefined) return
    chips = plus(chips, page.chips)
    if (!page.more) break
    from = page.from
  }
  set({ counted: { before, chips } })
}

type Island = ReturnType<typeof createIsland>

/** A contiguous range of events fetched for an address, separate from the complete part of the timeline. */
const createIsland = (ports: Ports) => {
  const { api, state, set } = ports
  let island: { readonly oldest: string; readonly from: number; readonly to: number } | undefined
  /** Start of the complete part when all events since `from` are present; the island's start if it adjoins. */
  const reached = (from: number): number => {
    if (island === undefined || from > island.to + 1 || groupOf(state().timeline, island.oldest) === undefined)
      return from
    return Math.min(from, island.from)
  }
  return {
    reached,
    shrinkTo: (kept: ReturnType<typeof groupOf>): void => {
      island = kept === undefined ? undefined : { oldest: kept.id, from: kept.seq, to: kept.seq }
    },
    find: async (about: { readonly msgId: string } | { readonly seq: number }): Promise<boolean> => {
      const query = 'msgId' in about ? { msg_id: about.msgId } : { after: about.seq - 1 }
      const first = await api.call((client) =>
        client.call('events.list', { query: { ...query, limit: 1, brief: true } }),
      )
      const event = first.ok ? first.value.events[0] : undefined
      if (event === undefined || ('seq' in about && event.seq !== about.seq)) return false
      const page = await ask(ports, { before: event.seq + 1, limit: AROUND })
      if (page === undefined) return false
      const { search, timeline } = state()
      const brought = fold(ports, page)
      const [oldest] = brought.groups
      // Events of an earlier address are removed, because a gap between two islands is not tracked.
      const rest = search === undefined ? withoutIslands(timeline, undefined) : timeline
      if (oldest !== undefined) island = { oldest: oldest.id, from: page.from, to: event.seq }
      set({ timeline: withIsland(rest, brought) })
      return true
    },
    bridge: async (): Promise<void> => {
      const { from } = state().timeline
      if (island === undefined || from === undefined || heldBy(state()) >= MAX_EVENTS) return
      const { to } = island
      const end = Math.min(from, to + 1 + 2 * PAGE)
      for (let before = end; before > to + 1; ) {
        const page = await ask(ports, { before, limit: 2 * PAGE })
        if (page === undefined || state().timeline.from === undefined) return
        set({ timeline: allHeld(withIsland(state().timeline, fold(ports, page))) })
        before = page.more ? page.from : 0
      }
      island = { ...island, to: end - 1 }
      const { timeline } = state()
      if (timeline.from === end) set({ timeline: withOlder(timeline, newTimeline(), reached(end)) })
    },
  }
}

const createSearch = (ports: Ports, island: Island) => {
  const { state, set, page: own } = ports
  let searching = new AbortController()
  /** The event before which the current search began. */
  let border = 0
  /** The requested search: an address may contain one before any events have arrived. */
  let wanted: { readonly text: string; readonly keep: string | undefined } = { text: '', keep: undefined }

  const lookOn = async (signal: AbortSignal): Promise<void> => {
    let found = 0
    for (let search = state().search; search?.more === true && found < MAX_RESULTS; search = state().search) {
      const { text, from, among, chips } = search
      const query = { before: from, search: text, language, time_zone: timeZone(), page: own() }
      const page = await ask(ports, query, signal)
      if (page === undefined || state().search?.text !== text) return
      const older = fold(ports, page)
      found += older.groups.length
      set({
        ...(older.groups.length === 0 ? {} : { timeline: withIsland(state().timeline, older) }),
        search: {
          ...{ text, from: page.from, among: among + page.groups, more: page.more, busy: page.more },
          chips: plus(chips, page.chips),
        },
        ...(page.more ? {} : { counted: { before: border, chips: plus(chips, page.chips) } }),
        fetched: page.more ? 1 - (page.from - page.first_seq) / Math.max(1, page.last_seq - page.first_seq) : undefined,
      })
    }
    const { search } = state()
    if (search !== undefined && !signal.aborted) set({ search: { ...search, busy: false }, fetched: undefined })
  }

  const change = (text: string, keep: string | undefined): void => {
    wanted = { text, keep }
    searching.abort()
    searching = new AbortController()
    const { signal } = searching
    const { timeline, search: before } = state()
    if (before === undefined && (text.trim() === '' || timeline.from === undefined)) return
    const rest = withoutIslands(timeline, keep)
    island.shrinkTo(keep === undefined ? undefined : groupOf(rest, keep))
    const { from } = rest
    if (text.trim() === '' || from === undefined) {
      set({ timeline: rest, search: undefined, fetched: undefined })
      return
    }
    border = from
    set({ timeline: rest, search: { text, from, among: 0, chips: NONE, more: true, busy: true }, fetched: 0 })
    setTimeout(() => void (signal.aborted ? undefined : lookOn(signal)), SEARCH_AFTER_MS)
  }

  return {
    change,
    /** Begins the search that was requested before any events had arrived. */
    begin: (): void => {
      if (wanted.text.trim() !== '' && state().search === undefined) change(wanted.text, wanted.keep)
    },
    goOn: (): void => {
      const { search } = state()
      if (search === undefined || !search.more || search.busy) return
      set({ search: { ...search, busy: true } })
      void lookOn(searching.signal)
    },
    stop: (): void => searching.abort(),
  }
}

const NONE = chipCounts(() => 0)

const plus = (chips: ChipCounts, { failed, refused, faulted, mine }: Page['chips']): ChipCounts => {
  const more: ChipCounts = { 'is:failed': failed, 'is:refused': refused, 'is:faulted': faulted, 'is:mine': mine }
  return chipCounts((chip) => chips[chip] + more[chip])
}

/** Raises the limit to the number of events held, so that fetched older ones evict none. */
const allHeld = (timeline: Timeline): Timeline => ({ ...timeline, most: Math.max(timeline.most, heldBy({ timeline })) })

const heldBy = ({ timeline }: Pick<HeldEvents, 'timeline'>): number => timeline.exchanges - timeline.left

export const countSearched = ({ timeline, search }: Pick<HeldEvents, 'timeline' | 'search'>): number =>
  timeline.groups.length - (timeline.from === undefined ? 0 : countIslands(timeline)) + (search?.among ?? 0)

const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
