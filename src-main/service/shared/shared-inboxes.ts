import type { Inboxes } from '../inbox/inboxes.ts'
import type { InboxPosition, SharedStore } from '../store/shared-store.ts'
import type { Freshness } from './freshness.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createPump, lookEvery } from './pump.ts'

/** An open inbox that reads its pushes from the store, in the order of their numbers, wherever they were made. */
export type InboxFollower = {
  readonly workspace: string
  readonly device: string
  /** The last push that it brought. */
  position(): number
  /** There may be something new; everything with a number up to `known` is stored. */
  look(known?: number): void
}

export type SharedInboxes = {
  /** Those of all processes. */
  readonly listeners: Pick<Listeners, 'arrive' | 'of'>
  /** Like those of one process; ending reaches the inboxes of the others as well. */
  readonly inboxes: Inboxes
  follow(follower: InboxFollower): () => void
  /** New pushes for this device are stored. */
  announce(workspace: string, device: string): void
  /** Only those of this process. */
  endHere(workspace: string): void
  close(): Promise<void>
}

export const createSharedInboxes = (
  local: Inboxes,
  {
    shared,
    freshness,
  }: { readonly shared: Pick<SharedStore, 'signals' | 'stirred' | 'listeners'>; readonly freshness: Freshness },
): SharedInboxes => {
  const { signals } = shared
  const followers = new Set<InboxFollower>()
  const listeners = createListeners(shared)
  const lookIn = (workspace: string, device: string, known?: number): void => {
    for (const each of followers) if (each.workspace === workspace && each.device === device) each.look(known)
  }

  const forget = signals.listen((signal) => {
    if (signal.about === 'pushes') lookIn(signal.workspace, signal.device)
    if (signal.about === 'inboxes ended') local.end(signal.workspace, signal.device)
  })

  const look = async (): Promise<void> => {
    if (followers.size === 0) return
    // A workspace that was emptied or closed elsewhere ends its inboxes here.
    await Promise.all([...new Set([...followers].map(({ workspace }) => workspace))].map(freshness.check))
    const inboxes = [...followers].map(
      ({ workspace, device, position }): InboxPosition => ({ workspace, device, after: position() }),
    )
    for (const { workspace, device, last } of await shared.stirred(inboxes)) {
      if (last === undefined) local.end(workspace, device)
      else lookIn(workspace, device, last)
    }
  }
  const pump = createPump({ look, every: () => lookEvery(signals.arrive()) })

  return {
    listeners,
    inboxes: {
      ...local,
      end: (workspace, device) => {
        local.end(workspace, device)
        if (workspace === undefined) return
        signals.send({ about: 'inboxes ended', workspace, ...(device === undefined ? {} : { device }) })
      },
    },
    follow: (follower) => {
      followers.add(follower)
      return () => followers.delete(follower)
    },
    announce: (workspace, device) => {
      lookIn(workspace, device)
      signals.send({ about: 'pushes', workspace, device })
    },
    endHere: (workspace) => local.end(workspace),
    close: async () => {
      forget()
      await pump.close()
      await listeners.close()
    },
  }
}
