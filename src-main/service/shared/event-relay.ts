import { setTimeout as pause } from 'node:timers/promises'
import type { EventDraft, Observe, OpinionNotice } from '../../core/contract/events.ts'
import { createBatcher } from '../../core/protocol/batcher.ts'
import type { Log } from '../../core/protocol/log.ts'
import { errorMessage } from '../../core/protocol/message-of.ts'
import type { Clock } from '../../core/protocol/time.ts'
import type { PendingEvent, SharedStore } from '../store/store.ts'
import { createWorkPoller, pollIntervalMs } from './pump.ts'

type Shared = Pick<SharedStore, 'events' | 'signals'>

type Relayed = EventDraft | { readonly opinion: OpinionNotice }

export type EventSender = ReturnType<typeof createEventSender>

/** At most this many events wait for an unreachable database; beyond it, the oldest are dropped, and the log says so. */
const MAX_WAITING = 10_000
const TAKEN_AT_ONCE = 1_000
/** Under load, the shortest time between two statements: the events of that time share the second one. */
const GATHER_MS = 50

/** For a process that does not record: stores its events for the one that does, in order, one batch at a time. */
export const createEventSender = (
  { events, signals }: Shared,
  { wall, bench, log }: { readonly wall: Clock; readonly bench: (workspace: string) => Clock; readonly log: Log },
) => {
  let waiting: PendingEvent[] = []
  let sending: Promise<void> | undefined
  let refused = false
  const ending = new AbortController()
  let sentAt = Number.NEGATIVE_INFINITY

  const gather = async (): Promise<void> => {
    const left = sentAt + GATHER_MS - performance.now()
    if (left > 0) await pause(left, undefined, { signal: ending.signal }).catch(() => undefined)
  }

  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      await gather()
      sentAt = performance.now()
      const batch = waiting
      waiting = []
      try {
        await events.append(batch)
        signals.send({ about: 'events' })
        refused = false
      } catch (reason) {
        waiting = [...batch, ...waiting].slice(-MAX_WAITING)
        if (!refused) log({ level: 'error', event: 'events not stored', error: errorMessage(reason) })
        refused = true
        return
      }
    }
  }
  const begin = (): void => {
    sending ??= send().finally(() => {
      sending = undefined
    })
  }
  const batcher = createBatcher<PendingEvent>(setImmediate, (batch) => {
    waiting.push(...batch)
    begin()
  })

  const add = (workspace: string, relayed: Relayed): void =>
    batcher.add({ workspace, wall: wall.now(), bench: bench(workspace).now(), draft: JSON.stringify(relayed) })

  return {
    observe: add satisfies Observe,
    sendOpinion: (workspace: string, opinion: OpinionNotice): void => add(workspace, { opinion }),
    /** Resolves when all events are stored, or cannot be. */
    settled: async (): Promise<void> => {
      ending.abort()
      batcher.flush()
      begin()
      await sending
    },
  }
}

/** For the process that records: takes the events of the others, in their order of arrival. */
export const createEventReceiver = (
  { events, signals }: Shared,
  { observe, receiveOpinion }: { readonly observe: Observe; readonly receiveOpinion: EventSender['sendOpinion'] },
) => {
  const take = async (): Promise<void> => {
    for (;;) {
      const taken = await events.take(TAKEN_AT_ONCE)
      for (const { workspace, wall, bench, draft } of taken) {
        const relayed = JSON.parse(draft) as Relayed
        if ('opinion' in relayed) receiveOpinion(workspace, relayed.opinion)
        else observe(workspace, relayed, { wall, bench })
      }
      if (taken.length < TAKEN_AT_ONCE) return
    }
  }
  const pump = createWorkPoller({ look: take, every: () => pollIntervalMs(signals.arrive()), rest: GATHER_MS / 2 })
  const forget = signals.listen((signal) => {
    if (signal.about === 'events') pump.poke()
  })
  return {
    close: async () => {
      forget()
      await pump.close()
    },
  }
}
