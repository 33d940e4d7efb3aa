import type { EventDraft, Observe } from '../../contract/events.ts'
import { createBatcher } from '../../protocol/batcher.ts'
import type { Clock } from '../../protocol/clock.ts'
import type { Log } from '../../protocol/log.ts'
import type { PendingEvent, SharedStore } from '../store/shared-store.ts'
import { createPump, lookEvery, type Pump } from './pump.ts'

type Shared = Pick<SharedStore, 'events' | 'signals'>

export type EventSender = {
  readonly observe: Observe
  /** Resolves when all of them are stored, or cannot be. */
  settled(): Promise<void>
}

/** While the database is away, so many events wait; then the oldest are lost, and the log says so. */
const MOST_WAITING = 10_000
const TAKEN_AT_ONCE = 1_000

/** Of a process that records nothing itself: what it observes is stored for the one that does. In their order, one batch at a time. */
export const createEventSender = (
  { events, signals }: Shared,
  { wall, bench, log }: { readonly wall: Clock; readonly bench: (workspace: string) => Clock; readonly log: Log },
): EventSender => {
  let waiting: PendingEvent[] = []
  let sending: Promise<void> | undefined
  let refused = false

  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await events.append(batch)
        signals.send({ about: 'events' })
        refused = false
      } catch (reason) {
        waiting = [...batch, ...waiting].slice(-MOST_WAITING)
        if (!refused) log({ level: 'error', event: 'events not stored', error: messageOf(reason) })
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

  return {
    observe: (workspace, draft) =>
      batcher.add({ workspace, wall: wall.now(), bench: bench(workspace).now(), draft: JSON.stringify(draft) }),
    settled: async () => {
      batcher.flush()
      begin()
      await sending
    },
  }
}

/** Of the process that records: takes what the others stored, in the one order in which it came. */
export const createEventReceiver = ({ events, signals }: Shared, observe: Observe): Pump => {
  const take = async (): Promise<void> => {
    for (;;) {
      const taken = await events.take(TAKEN_AT_ONCE)
      for (const { workspace, wall, bench, draft } of taken) {
        observe(workspace, JSON.parse(draft) as EventDraft, { wall, bench })
      }
      if (taken.length < TAKEN_AT_ONCE) return
    }
  }
  const pump = createPump({ look: take, every: () => lookEvery(signals.arrive()) })
  const forget = signals.listen((signal) => {
    if (signal.about === 'events') pump.poke()
  })
  return {
    poke: pump.poke,
    close: async () => {
      forget()
      await pump.close()
    },
  }
}

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason))
