import type { Observe } from '../contract/events.ts'
import type { Mount } from '../http/message.ts'
import type { Clock } from '../protocol/clock.ts'
import { MAIN_WORKSPACE } from '../protocol/ids.ts'
import type { Log } from '../protocol/log.ts'
import type { RandomStreams } from '../protocol/random.ts'
import { inOneGo } from '../protocol/slices.ts'
import type { Addresses } from './addresses.ts'
import type { Admin } from './admin/admin.ts'
import { createAdmin } from './admin/create-admin.ts'
import { appMount } from './app/handle-app.ts'
import { createBackground } from './background.ts'
import { createInboxes } from './inbox/inboxes.ts'
import { createSecondOpinions } from './judge/second-opinions.ts'
import { createMessageTimers } from './messages/message-timers.ts'
import { rpMount } from './rp/handle-rp.ts'
import { createKeyUse } from './rps/key-use.ts'
import type { Services } from './services.ts'
import { createRateLimit } from './settings/rate-limit.ts'
import { createSettings } from './settings/settings.ts'
import type { Store } from './store/store.ts'
import { createBin } from './workspaces/bin.ts'
import { HEAD_TABLES, rowsProblem } from './workspaces/check-rows.ts'
import { type DamagedWorkspaces, markOpen, type OpenWorkspaces } from './workspaces/open-workspaces.ts'
import { setAside } from './workspaces/set-aside.ts'

export type ServiceOptions = {
  readonly store: Store
  readonly clock: (workspace: string) => Clock
  readonly wall: Clock
  readonly random: RandomStreams
  readonly observe: Observe
  readonly log: Log
  readonly addresses: Addresses
  /** Under which id a virtual phone is signed in: conditions and faults may name it. */
  readonly deviceOfPhone?: (workspace: string, phone: string) => string | undefined
  /** The path of base_url, default `/fido`. */
  readonly prefix?: string
}

export type Service = {
  readonly mounts: { readonly rp: Mount; readonly app: Mount }
  readonly admin: Admin
  /** For the server: whether a workspace is open, without waiting. */
  workspaceExists(id: string): boolean
  /** Ends inboxes and timers and waits for what is being written. The store is closed by who opened it. */
  close(): Promise<void>
}

/** Opens every workspace in the store; makes `main` when it is not there. */
export const createService = async (options: ServiceOptions): Promise<Service> => {
  const { store, clock, observe, addresses } = options
  const settings = createSettings(store)
  const background = createBackground(options.log)
  const { wall, log } = options
  const timers = createMessageTimers({ store, clock, observe, baseUrl: addresses.baseUrl, background, wall, log })
  const inboxes = createInboxes()
  const rateLimit = createRateLimit(options.wall)
  const keyUse = createKeyUse()
  const bin = createBin()
  const secondOpinions = createSecondOpinions(options.wall)
  const open: OpenWorkspaces = new Map()
  const damaged: DamagedWorkspaces = new Map()
  const services: Services = {
    ...options,
    deviceOfPhone: options.deviceOfPhone ?? (() => undefined),
    settings,
    timers,
    inboxes,
    rateLimit,
    keyUse,
    bin,
    secondOpinions,
    background,
    open,
    damaged,
  }

  await store.workspaces.insert({ id: MAIN_WORKSPACE, created_at: clock(MAIN_WORKSPACE).now() })
  for (const { id } of await store.workspaces.list()) {
    const problem = inOneGo(rowsProblem(await store.rows(id, HEAD_TABLES), HEAD_TABLES))
    if (problem !== undefined) {
      setAside(services, id, problem)
      continue
    }
    markOpen(open, id)
    await settings.load(id)
    await timers.rearm(id)
  }

  return {
    mounts: { rp: rpMount(services, options.prefix ?? '/fido'), app: appMount(services, '/app') },
    admin: createAdmin({ services }),
    workspaceExists: (id) => open.has(id),
    close: async () => {
      for (const id of open.keys()) timers.forget(id)
      inboxes.end()
      await background.settled()
    },
  }
}
