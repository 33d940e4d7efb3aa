import { StoreUnavailable } from '../../core/protocol/store-unavailable.ts'
import type { StreamEvent } from '../../http/event-stream.ts'
import type { Inboxes } from '../inbox/inboxes.ts'
import type { InboxPosition, InboxRef, SharedStore, WorkspaceHead } from '../store/store.ts'
import { createWorkPoller, pollIntervalMs } from './pump.ts'

/** An open inbox that reads its pushes from the store, in the order of their numbers, wherever they were made. */
export type InboxFollower = {
  readonly workspace: string
  readonly device: string
  position(): number
  /** Looks for new pushes; all those with a number up to `known` are stored. */
  look(known?: number): void
}

export type SharedInboxes = ReturnType<typeof createSharedInboxes>

export const createSharedInboxes = (
  local: Inboxes,
  {
    shared,
    freshness,
  }: { readonly shared: Pick<SharedStore, 'signals' | 'withNews' | 'listeners'>; readonly freshness: Freshness },
) => {
  const { signals } = shared
  const followers = new Set<InboxFollower>()
  const listeners = createListeners(shared)
  const lookIn = (workspace: string, device: string, known?: number): void => {
    for (const each of followers) if (each.workspace === workspace && each.device === device) each.look(known)
  }

  const forget = signals.listen((signal) => {
    if (signal.about === 'pushes') lookIn(signal.workspace, signal.device)
    if (signal.about === 'inbox event') {
      const { workspace, device, json } = signal
      local.send(workspace, device, { event: 'signal', json: json.replace(/[\r\n]/g, '') })
    }
    if (signal.about === 'inboxes ended') local.end(signal.workspace, signal.device)
  })

  const look = async (): Promise<void> => {
    if (followers.size === 0) return
    // A workspace that was emptied or closed elsewhere ends its inboxes here.
    await Promise.all([...new Set([...followers].map(({ workspace }) => workspace))].map(freshness.check))
    const inboxes = [...followers].map(
      ({ workspace, device, position }): InboxPosition => ({ workspace, device, after: position() }),
    )
    for (const { workspace, device, last } of await shared.withNews(inboxes)) {
      if (last === undefined) local.end(workspace, device)
      else lookIn(workspace, device, last)
    }
  }
  const pump = createWorkPoller({ look, every: () => pollIntervalMs(signals.arrive()) })

  return {
    listeners,
    /** Like the inboxes of a single process, but `end` also ends inboxes in other processes. */
    inboxes: {
      ...local,
      send: (workspace: string, device: string, event: StreamEvent): void => {
        local.send(workspace, device, event)
        signals.send({ about: 'inbox event', workspace, device, json: event.json })
      },
      end: (workspace?: string, device?: string): void => {
        local.end(workspace, device)
        if (workspace === undefined) return
        signals.send({ about: 'inboxes ended', workspace, ...(device === undefined ? {} : { device }) })
      },
    },
    follow: (follower: InboxFollower): (() => void) => {
      followers.add(follower)
      return () => followers.delete(follower)
    },
    /** Wakes this device's inboxes in every process: new pushes are stored. */
    announce: (workspace: string, device: string): void => {
      lookIn(workspace, device)
      signals.send({ about: 'pushes', workspace, device })
    },
    close: async (): Promise<void> => {
      forget()
      await pump.close()
      await listeners.close()
    },
  }
}

/** Each process reports at this interval; one that is silent for `SILENT_SECONDS` counts as having no listeners. */
const STAY_MS = 2_000
const SILENT_SECONDS = 10

const keyOf = ({ workspace, device }: InboxRef): string => `${workspace} ${device}`

/** Devices that listen at any process: each inbox has a row while it is open. */
export const createListeners = ({ listeners }: Pick<SharedStore, 'listeners'>) => {
  const open = new Map<string, { readonly inbox: InboxRef; readonly leavers: Set<() => void> }>()
  /** Inboxes whose row may be outdated. */
  const unwritten = new Map<string, InboxRef>()
  let writing: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  let wrote = false

  const writeAll = async (): Promise<void> => {
    next = undefined
    if (unwritten.size === 0) return
    const inboxes = [...unwritten]
    unwritten.clear()
    wrote = true
    try {
      await listeners.write({
        opened: inboxes.filter(([key]) => open.has(key)).map(([, inbox]) => inbox),
        closed: inboxes.filter(([key]) => !open.has(key)).map(([, inbox]) => inbox),
      })
    } catch (reason) {
      for (const [key, inbox] of inboxes) unwritten.set(key, inbox)
      throw reason
    }
  }
  /** Runs one statement at a time, with all changes since the previous one. */
  const write = (): Promise<void> => {
    if (next !== undefined) return next
    next = writing.then(writeAll)
    writing = next.catch(() => undefined)
    return next
  }

  const stay = async (): Promise<void> => {
    if (open.size > 0 && !(await listeners.stay())) for (const [key, { inbox }] of open) unwritten.set(key, inbox)
    await write()
  }
  const pump = createWorkPoller({ look: stay, every: () => STAY_MS })

  return {
    /** Resolves when every process can see the inbox, with the function that removes it. */
    arrive: async (inbox: InboxRef): Promise<() => void> => {
      const key = keyOf(inbox)
      const { leavers } = open.get(key) ?? { leavers: new Set<() => void>() }
      const leave = (): void => {
        if (!leavers.delete(leave) || leavers.size > 0) return
        open.delete(key)
        unwritten.set(key, inbox)
        // After a failed write, the next look writes again.
        write().catch(() => undefined)
      }
      if (leavers.size === 0) unwritten.set(key, inbox)
      open.set(key, { inbox, leavers: leavers.add(leave) })
      try {
        await write()
      } catch (reason) {
        leave()
        throw reason
      }
      return leave
    },
    of: (workspace: string): Promise<ReadonlySet<string>> => listeners.of(workspace, SILENT_SECONDS),
    close: async (): Promise<void> => {
      await pump.close()
      await writing
      if (wrote) await listeners.leave().catch(() => undefined)
    },
  }
}

type Freshness = ReturnType<typeof createFreshness>

export type HeadChange = {
  readonly id: string
  readonly now: WorkspaceHead | undefined
  readonly before: WorkspaceHead | undefined
}

type Batch = { readonly workspaces: Set<string>; readonly done: Promise<void> }

/** Longest wait of a request, including the query before its own. */
const LONGEST_MS = 5_000

const inTime = (asked: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    const refuse = (): void => reject(new StoreUnavailable(`no answer within ${LONGEST_MS / 1000} s`, false))
    timer = setTimeout(refuse, LONGEST_MS).unref()
  })
  const done = Promise.race([asked, late]).finally(() => clearTimeout(timer))
  // Waiting requests get the rejection. If no request waits, the rejection must still be handled.
  done.catch(() => undefined)
  return done
}

/**
 * One query at a time asks for the heads of all workspaces that requests wait for. A request that arrives during a
 * query waits for the next one, because the running query may miss a change that the request must see.
 */
export const createFreshness = (shared: Pick<SharedStore, 'heads'>, changed: (change: HeadChange) => Promise<void>) => {
  const known = new Map<string, WorkspaceHead>()
  let running: Promise<void> = Promise.resolve()
  let next: Batch | undefined

  const ask = async (workspaces: readonly string[]): Promise<void> => {
    const heads = await shared.heads(workspaces)
    for (const id of workspaces) {
      const now = heads.find((each) => each.id === id)
      const before = known.get(id)
      if (now?.version === before?.version) continue
      // After a failed read, the next request reads again.
      await changed({ id, now, before })
      if (now === undefined) known.delete(id)
      else known.set(id, now)
    }
  }

  const begin = (): Batch => {
    const workspaces = new Set<string>()
    const asked = running.then(() => {
      next = undefined
      return ask([...workspaces])
    })
    running = asked.catch(() => undefined)
    return { workspaces, done: inTime(asked) }
  }

  return {
    /** Resolves when everything that was changed before this call is known here. */
    check: (workspace: string): Promise<void> => {
      next ??= begin()
      next.workspaces.add(workspace)
      return next.done
    },
  }
}
